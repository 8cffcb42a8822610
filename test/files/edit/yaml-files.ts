import { parse } from 'yaml';
import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue } from '../../../src/core/json.ts';
import type { Pointer } from '../../../src/patch/pointer.ts';
import type { Random } from './random.ts';
import { randomKey, randomScalar, randomText, randomValue } from './values.ts';

/** A comment of a generated file; its text is found nowhere else. */
export type FileComment = {
  readonly text: string;
  /** The item that may take the comment with it; none if no item may. */
  readonly within: Pointer | undefined;
};

export type FileStyle = {
  readonly step: number;
  readonly offset: number;
  readonly gap: number;
  readonly quotes: 'single' | 'double';
  /** How often collections are flow ones, and text that needs no quotes has them. */
  readonly flow: number;
  readonly quoted: number;
  readonly comments: number;
  readonly blanks: number;
  readonly oddities: number;
};

export type GeneratedFile = {
  readonly text: string;
  readonly document: number;
  readonly comments: readonly FileComment[];
  readonly style: FileStyle;
};

type Writer = {
  readonly random: Random;
  readonly style: FileStyle;
  readonly comments: FileComment[];
  /** Anchors of the document so far, and the kind of what they name. */
  readonly anchors: { readonly name: string; readonly kind: 'map' | 'other' }[];
};

/** A file in one of many styles, which is written without the editor. */
export function randomFile(random: Random): GeneratedFile {
  const style = randomStyle(random);
  const comments: FileComment[] = [];
  const count = random.chance(0.15) ? 2 + random.below(2) : 1;
  const document = random.below(count);
  const documents = Array.from({ length: count }, (_, index) => {
    const writer = { random, style, comments, anchors: [] };
    return documentLines(index === document ? writer : { ...writer, comments: comments });
  });
  const lines = joinDocuments(random, documents);
  const lineBreak = random.chance(0.15) ? '\r\n' : '\n';
  const text = lines.join(lineBreak) + (random.chance(0.9) ? lineBreak : '');
  return { text: (random.chance(0.05) ? '\uFEFF' : '') + text, document, comments, style };
}

function randomStyle(random: Random): FileStyle {
  const step = random.pick([2, 2, 2, 4]);
  return {
    step,
    offset: random.pick([0, 2, step]),
    gap: random.pick([1, 1, 1, 1, 3]),
    quotes: random.pick(['single', 'double']),
    flow: random.pick([0, 0.1, 0.3]),
    quoted: random.pick([0, 0, 0.1, 1]),
    comments: random.pick([0, 0.1, 0.3]),
    blanks: random.pick([0, 0, 0.2, 1]),
    oddities: random.pick([0, 0, 0, 0.02]),
  };
}

function joinDocuments(random: Random, documents: readonly (readonly string[])[]): readonly string[] {
  const isMarked = random.chance(0.2);
  const lines = documents.flatMap((document, index) => [
    ...(index > 0 || isMarked ? [random.chance(0.1) ? '--- # start' : '---'] : []),
    ...document,
  ]);
  return random.chance(0.05) ? [...lines, '...'] : lines;
}

function documentLines(writer: Writer): readonly string[] {
  const { random } = writer;
  const head = sometimes(writer, () => [
    comment(writer, 'head', undefined),
    ...(random.chance(0.5) ? [comment(writer, 'more', undefined)] : []),
    ...(random.chance(0.5) ? [''] : []),
  ]);
  const isHeadless = head.at(-1) !== '';
  const items = random.chance(0.85)
    ? mapLines(writer, randomMembers(writer, 2 + random.below(5), 3), [], { isHeadless })
    : seqLines(writer, Array.from({ length: 1 + random.below(4) }, () => randomValue(random, 2)), [], { isHeadless });
  const foot = random.chance(0.05) ? ['', comment(writer, 'foot', undefined)] : [];
  return [...head, ...items, ...foot];
}

type Members = readonly (readonly [key: string, value: JsonValue])[];

function randomMembers({ random }: Writer, count: number, depth: number): Members {
  const members = Array.from({ length: count }, () => [randomKey(random), randomValue(random, depth)] as const);
  return [...new Map(members)];
}

function sometimes(
  { random, style }: Writer,
  lines: () => readonly string[],
  share = 1,
): readonly string[] {
  return random.chance(style.comments * share) ? lines() : [];
}

function comment({ comments }: Writer, word: string, within: Pointer | undefined): string {
  const text = `# ${word} ${comments.length}`;
  comments.push({ text, within });
  return text;
}

function mapLines(writer: Writer, members: Members, path: Pointer, start: Start = {}): readonly string[] {
  return members.flatMap(([key, value], index) => {
    const at = [...path, key];
    const indicator = `${keyText(writer, key)}:`;
    const lines =
      writer.random.chance(writer.style.oddities) && !indicator.includes('\n')
        ? explicitLines(writer, indicator, value, at)
        : memberLines(writer, indicator, value, at);
    return [...linesAbove(writer, { path, at, index, start }), ...lines, ...linesBelow(writer, lines, at)];
  });
}

function seqLines(writer: Writer, items: JsonArray, path: Pointer, start: Start = {}): readonly string[] {
  return items.flatMap((item, index) => {
    const at = [...path, String(index)];
    const lines = elementLines(writer, item, at);
    return [...linesAbove(writer, { path, at, index, start }), ...lines, ...linesBelow(writer, lines, at)];
  });
}

type ItemPlace = {
  readonly path: Pointer;
  readonly at: Pointer;
  readonly index: number;
  readonly start: Start;
};

type Start = {
  readonly isCompact?: boolean;
  /** No blank line sets the first item apart from the comments at the top of the file. */
  readonly isHeadless?: boolean;
};

/** Blank lines and comments above an item, at its column. */
function linesAbove(writer: Writer, { path, at, index, start }: ItemPlace): readonly string[] {
  const { random, style } = writer;
  if (index === 0 && start.isCompact) return [];
  const isRoot = path.length === 0;
  const isHead = index === 0 && start.isHeadless === true;
  const container = isRoot ? undefined : path;
  const blank = index > 0 && random.chance(style.blanks) ? [''] : [];
  const free = sometimes(
    writer,
    () => {
      const kind = random.below(4);
      if (kind === 0) return [comment(writer, '--- part', container)];
      if (kind === 1) return [comment(writer, 'old: value', container)];
      if (kind === 2) return [comment(writer, '- old', container)];
      return [comment(writer, 'stray', container), ''];
    },
    0.2,
  );
  const own = sometimes(writer, () =>
    Array.from({ length: 1 + random.below(2) }, () => comment(writer, 'about', isHead ? undefined : at)),
  );
  return [...blank, ...free, ...own];
}

/** Deeper comments right below; what a block scalar would take for text is left out. */
function linesBelow(writer: Writer, lines: readonly string[], at: Pointer): readonly string[] {
  const isScalar = /[|>][-+0-9]*(?: +#.*)?$/u.test(lines.findLast((line) => /^\S/u.test(line)) ?? '');
  const isDeep = lines.length > 1;
  if (isScalar || isDeep) return [];
  return sometimes(writer, () => [`   ${comment(writer, 'below', at)}`], 0.15);
}

function endComment(writer: Writer, at: Pointer): string {
  const [text] = sometimes(writer, () => [comment(writer, 'end', at)]);
  return text === undefined ? '' : `${writer.random.pick([' ', '  ', '\t'])}${text}`;
}

function keyText({ random, style }: Writer, key: string): string {
  return flowText(random, style, key, true);
}

function explicitLines(writer: Writer, indicator: string, value: JsonValue, at: Pointer): readonly string[] {
  const key = indicator.slice(0, -1);
  const lines = memberLines(writer, ':', isObject(value) || isArray(value) ? 'plain' : value, at);
  return [`? ${key}`, ...lines];
}

function memberLines(writer: Writer, indicator: string, value: JsonValue, at: Pointer): readonly string[] {
  const { style, random } = writer;
  const inline = inlineLines(writer, value, at, style.step);
  if (inline) return [joined(indicator, ' ', inline[0] ?? ''), ...inline.slice(1)];
  const anchor = anchorFor(writer, value);
  const head = `${indicator}${anchor}${endComment(writer, at)}`;
  const below = isArray(value) ? seqLines(writer, value, at) : mapLines(writer, membersOf(writer, value), at);
  void random;
  return [head, ...indent(below, isArray(value) ? style.offset : style.step)];
}

function membersOf(writer: Writer, value: JsonValue): Members {
  const members = isObject(value) ? Object.entries(value) : [];
  void writer;
  return members;
}

function elementLines(writer: Writer, value: JsonValue, at: Pointer): readonly string[] {
  const { style, random } = writer;
  const gap = ' '.repeat(style.gap);
  const inline = inlineLines(writer, value, at, style.gap + 1);
  if (inline) return [joined('-', gap, inline[0] ?? ''), ...inline.slice(1)];
  if (random.chance(style.oddities)) {
    const below = isArray(value) ? seqLines(writer, value, at) : mapLines(writer, membersOf(writer, value), at);
    return [`-${endComment(writer, at)}`, ...indent(below, style.gap + 1)];
  }
  const lines = isArray(value)
    ? seqLines(writer, value, at, { isCompact: true })
    : mapLines(writer, membersOf(writer, value), at, { isCompact: true });
  return [`-${gap}${lines[0] ?? ''}`, ...indent(lines.slice(1), style.gap + 1)];
}

function joined(indicator: string, gap: string, head: string): string {
  return head === '' || /^[ \t]/u.test(head) ? indicator + head : indicator + gap + head;
}

function anchorFor(writer: Writer, value: JsonValue): string {
  const { random, style, anchors } = writer;
  if (!random.chance(style.oddities)) return '';
  const name = `a${anchors.length}`;
  anchors.push({ name, kind: isObject(value) ? 'map' : 'other' });
  return ` &${name}`;
}

/** A value that begins on the line of its key or dash; undefined for a block collection. */
function inlineLines(
  writer: Writer,
  value: JsonValue,
  at: Pointer,
  step: number,
): readonly string[] | undefined {
  const { random, style } = writer;
  if (isArray(value) || isObject(value)) {
    const isFlow = Object.keys(value).length === 0 || random.chance(style.flow);
    if (!isFlow) return undefined;
    return random.chance(0.2) && Object.keys(value).length > 0
      ? brokenFlow(writer, value, at, step)
      : [flowValue(random, style, value) + endComment(writer, at)];
  }
  if (typeof value === 'string' && value.includes('\n')) return textLines(writer, value, at, step);
  if (random.chance(style.oddities) && typeof value === 'string') {
    return [endComment(writer, at), `${' '.repeat(step)}${flowText(random, style, value, false)}`];
  }
  if (value === null && random.chance(0.3)) return [endComment(writer, at)];
  return [scalarText(random, style, value, false) + endComment(writer, at)];
}

/** A flow collection with each item on its own line. */
function brokenFlow(writer: Writer, value: JsonArray | JsonObject, at: Pointer, step: number): readonly string[] {
  const { random, style } = writer;
  const [open, close] = isArray(value) ? '[]' : '{}';
  const entries = Object.entries(value);
  const hasLastComma = random.chance(0.5);
  const lines = entries.map(([key, item], index) => {
    const text = flowValue(random, style, item as JsonValue);
    const member = isArray(value) ? text : `${flowText(random, style, key, true)}: ${text}`;
    const comma = index < entries.length - 1 || hasLastComma ? ',' : '';
    return `${member}${comma}${endComment(writer, [...at, key])}`;
  });
  return [open ?? '', ...indent(lines, step), `${' '.repeat(step - 1)}${close}`];
}

function flowValue(random: Random, style: FileStyle, value: JsonValue): string {
  const padding = style.step === 4 ? '' : ' ';
  if (isArray(value)) return `[${value.map((item) => flowValue(random, style, item)).join(', ')}]`;
  if (!isObject(value)) return scalarText(random, style, value, true);
  const members = Object.entries(value).map(
    ([key, item]) => `${flowText(random, style, key, true)}: ${flowValue(random, style, item)}`,
  );
  return members.length === 0 ? '{}' : `{${padding}${members.join(', ')}${padding}}`;
}

function scalarText(random: Random, style: FileStyle, value: JsonValue, isFlow: boolean): string {
  if (typeof value === 'string') return flowText(random, style, value, isFlow);
  if (value === null) return random.pick(['null', '~']);
  return typeof value === 'number' ? numberText(value) : String(value);
}

function numberText(value: number): string {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

/** Text on one line, without quotes where it may be. */
function flowText(random: Random, style: FileStyle, text: string, isFlow: boolean): string {
  if (!random.chance(style.quoted) && isPlain(text, isFlow)) return text;
  const isSingle = style.quotes === 'single' && !/[\p{Cc}\u2028\ufeff]/u.test(text);
  if (isSingle) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replaceAll('\u2028', String.raw`\u2028`).replaceAll('\ufeff', String.raw`\ufeff`);
}

/** As the package reads it: many files have plain dates, and some a plain `no`. */
function isPlain(text: string, isFlow: boolean): boolean {
  if (!/^[\p{L}\d<=./-][^\n]*$/u.test(text) || /[\p{Cc}\u2028\ufeff\u00a0]/u.test(text)) return false;
  try {
    return parse(isFlow ? `[${text}]` : `a: ${text}`)[isFlow ? 0 : 'a'] === text && !/: |:$|^-|^\.\.\.|^---/u.test(text);
  } catch {
    return false;
  }
}

/** Text of several lines: a block scalar if it can be one, in any style that says the same. */
function textLines(writer: Writer, text: string, at: Pointer, step: number): readonly string[] {
  const { random, style } = writer;
  const body = text.replace(/\n+$/u, '');
  const ends = text.length - body.length;
  if (body.trim() === '' || /^\s/u.test(body)) return [JSON.stringify(text) + endComment(writer, at)];
  const chomping = ends === 0 ? '-' : ends === 1 ? '' : '+';
  const isFolded = random.chance(0.3) && !/^\s/mu.test(body);
  const lines = isFolded ? body.split('\n').flatMap((line, index) => (index === 0 ? [line] : ['', line])) : body.split('\n');
  const header = `${isFolded ? '>' : '|'}${chomping}${endComment(writer, at)}`;
  const kept = Array.from({ length: Math.max(0, ends - 1) }, () => '');
  void style;
  return [header, ...indent([...lines, ...kept], step)];
}

function indent(lines: readonly string[], columns: number): readonly string[] {
  return lines.map((line) => (line === '' ? line : ' '.repeat(columns) + line));
}

export { randomScalar, randomText };
