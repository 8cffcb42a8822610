import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../../src/core/json.ts';
import type { Pointer } from '../../../src/patch/pointer.ts';
import type { Random } from './random.ts';
import { randomObject, randomValue } from './random-values.ts';
import { randomStyle, scalarText, type Style, textLines } from './random-scalar.ts';

/** A comment of a generated file; its text is found nowhere else. */
export type FileComment = {
  readonly text: string;
  /** The item that may take the comment with it; none if none may. */
  readonly within: Pointer | undefined;
};

export type GeneratedFile = {
  readonly text: string;
  /** Which of its documents the comments tell of. */
  readonly document: number;
  readonly comments: readonly FileComment[];
};

type Writer = {
  readonly random: Random;
  readonly style: Style;
  readonly comments: FileComment[];
};

/** A file in one of many styles, which is written without the editor. */
export function randomFile(random: Random): GeneratedFile {
  const style = randomStyle(random);
  const count = random.chance(0.15) ? 2 + random.below(2) : 1;
  const document = random.below(count);
  const comments: FileComment[] = [];
  const documents = random.list(count, (index) => {
    const told = index === document ? comments : [];
    return documentLines({ random, style, comments: told });
  });
  const lineBreak = random.chance(0.15) ? '\r\n' : '\n';
  const text = joinDocuments(random, documents).join(lineBreak);
  const end = random.chance(0.9) ? lineBreak : '';
  return { text: `${random.chance(0.05) ? '\uFEFF' : ''}${text}${end}`, document, comments };
}

function joinDocuments(random: Random, documents: readonly (readonly string[])[]): string[] {
  const isMarked = random.chance(0.2);
  const lines = documents.flatMap((document, index) => [
    ...(index > 0 || isMarked ? [random.chance(0.1) ? '--- # start' : '---'] : []),
    ...document,
  ]);
  return random.chance(0.05) ? [...lines, '...'] : lines;
}

function documentLines(writer: Writer): readonly string[] {
  const { random, style } = writer;
  const head = sometimes(writer, () => [
    ...random.list(1 + random.below(2), () => comment(writer, 'head', undefined)),
    ...(random.chance(0.5) ? [''] : []),
  ]);
  const start: Start = { hasHead: head.at(-1) !== '' };
  if (random.chance(0.15)) {
    const items = random.list(1 + random.below(4), () => randomValue(random, 2));
    return [...head, ...sequenceLines(writer, items, { path: [], ...start })];
  }
  const members = randomObject(random, 2 + random.below(5), 3);
  const lines = mappingLines(writer, members, { path: [], ...start });
  const shared = random.chance(style.oddities) ? sharedLines(writer) : [];
  const foot = sometimes(writer, () => ['', comment(writer, 'foot', undefined)], 0.2);
  return [...head, ...lines, ...shared, ...foot];
}

/** An anchor, an alias and a merge. */
function sharedLines({ random }: Writer): readonly string[] {
  return [
    'shared: &shared',
    '  kept: 1',
    '  list: [a, b]',
    ...(random.chance(0.5) ? ['copy: *shared'] : []),
    ...(random.chance(0.5) ? ['merged:', '  <<: *shared', '  own: 2'] : []),
  ];
}

function sometimes(
  { random, style }: Writer,
  lines: () => readonly string[],
  share = 1,
): readonly string[] {
  return random.chance(style.comments * share) ? lines() : [];
}

function comment({ comments }: Writer, word: string, within: Pointer | undefined): string {
  const text = `# ${word} ${comments.length}.`;
  comments.push({ text, within });
  return text;
}

type Start = {
  /** It begins on the line of its dash. */
  readonly isCompact?: boolean;
  /** No blank line sets the first item apart from the start of the document. */
  readonly hasHead?: boolean;
  readonly isList?: boolean;
};

type Place = Start & { readonly path: Pointer };

function mappingLines(writer: Writer, members: JsonObject, place: Place): readonly string[] {
  return Object.entries(members).flatMap(([key, value], index) => {
    const at = [...place.path, key];
    const name = scalarText(writer, key, true);
    const isExplicit = writer.random.chance(writer.style.oddities) && isPlainScalar(value);
    const lines = memberLines(writer, isExplicit ? ':' : `${name}:`, value, at);
    const explicit = isExplicit ? [`? ${name}`] : [];
    return [
      ...linesAbove(writer, place, at, index),
      ...explicit,
      ...lines,
      ...linesBelow(writer, lines, value, at),
    ];
  });
}

function isPlainScalar(value: JsonValue): boolean {
  return !isArray(value) && !isObject(value) && !String(value).includes('\n');
}

function sequenceLines(writer: Writer, items: JsonArray, place: Place): readonly string[] {
  return items.flatMap((value, index) => {
    const at = [...place.path, String(index)];
    const lines = elementLines(writer, value, at);
    return [
      ...linesAbove(writer, { ...place, isList: true }, at, index),
      ...lines,
      ...linesBelow(writer, lines, value, at),
    ];
  });
}

/** Blank lines and comments above an item, at its column. */
function linesAbove(writer: Writer, place: Place, at: Pointer, index: number): readonly string[] {
  const { random, style } = writer;
  if (index === 0 && place.isCompact) return [];
  const isHead = index === 0 && place.hasHead === true;
  const blank = index > 0 && random.chance(style.blanks) ? [''] : [];
  const free = sometimes(writer, () => freeLines(writer, place), 0.2);
  // With comments right below it, an entry that is commented out is none.
  const isBelowEntry = free.at(-1)?.includes('old') === true;
  const isBelowBlank = isBelowEntry || free.at(-1) === '';
  const own = sometimes(writer, () =>
    random.list(1 + random.below(2), () =>
      comment(writer, 'About it', isHead && !isBelowBlank ? undefined : at),
    ),
  );
  const gap = isBelowEntry && own.length > 0 ? [''] : [];
  return [...blank, ...free, ...gap, ...own];
}

/** Comments that belong to no item: they go where the collection around them goes. */
function freeLines(writer: Writer, { path, isList }: Place): readonly string[] {
  const entry = isList ? '- name: old' : 'name: old';
  const within = path.length === 0 ? undefined : path;
  const word = writer.random.pick(['--- Part', entry, entry, '==== Part', 'Stray']);
  const line = comment(writer, word, within);
  return word === 'Stray' ? [line, ''] : [line];
}

/** A deeper comment right below an item on one line. */
function linesBelow(
  writer: Writer,
  lines: readonly string[],
  value: JsonValue,
  at: Pointer,
): readonly string[] {
  if (lines.length > 1 || !isPlainScalar(value)) return [];
  return sometimes(writer, () => [`   ${comment(writer, 'Below', at)}`], 0.15);
}

function endComment(writer: Writer, at: Pointer): string {
  const [text] = sometimes(writer, () => [comment(writer, 'End', at)]);
  return text === undefined ? '' : `${writer.random.pick([' ', '  ', '\t'])}${text}`;
}

function memberLines(
  writer: Writer,
  indicator: string,
  value: JsonValue,
  at: Pointer,
): readonly string[] {
  const { style } = writer;
  const inline = inlineLines(writer, value, at, style.step);
  if (inline) return behind(indicator, ' ', inline);
  const head = `${indicator}${endComment(writer, at)}`;
  return [
    head,
    ...indent(
      collectionLines(writer, value, { path: at }),
      isArray(value) ? style.offset : style.step,
    ),
  ];
}

function elementLines(writer: Writer, value: JsonValue, at: Pointer): readonly string[] {
  const { random, style } = writer;
  const gap = ' '.repeat(style.gap);
  const inline = inlineLines(writer, value, at, style.gap + 1);
  if (inline) return behind('-', gap, inline);
  if (random.chance(style.oddities)) {
    const lines = collectionLines(writer, value, { path: at });
    return [`-${endComment(writer, at)}`, ...indent(lines, style.gap + 1)];
  }
  const [first = '', ...rest] = collectionLines(writer, value, { path: at, isCompact: true });
  return [`-${gap}${first}`, ...indent(rest, style.gap + 1)];
}

function behind(indicator: string, gap: string, [head = '', ...rest]: readonly string[]): string[] {
  return [head === '' || /^\s/u.test(head) ? indicator + head : indicator + gap + head, ...rest];
}

function collectionLines(writer: Writer, value: JsonValue, place: Place): readonly string[] {
  if (isArray(value)) return sequenceLines(writer, value, place);
  return isObject(value) ? mappingLines(writer, value, place) : [];
}

/** A value that begins on the line of its key or dash; undefined for a block collection. */
function inlineLines(
  writer: Writer,
  value: JsonValue,
  at: Pointer,
  step: number,
): readonly string[] | undefined {
  const { random, style } = writer;
  if (!isArray(value) && !isObject(value)) return scalarLines(writer, value, at, step);
  const isNone = Object.keys(value).length === 0;
  if (!isNone && !random.chance(style.flow)) return undefined;
  if (!isNone && random.chance(0.2)) return brokenFlow(writer, value, at, step);
  return [flowText(writer, value) + endComment(writer, at)];
}

function scalarLines(
  writer: Writer,
  value: JsonPrimitive,
  at: Pointer,
  step: number,
): readonly string[] {
  const { random } = writer;
  const end = endComment(writer, at);
  if (value === null && random.chance(0.3)) return [end];
  if (typeof value !== 'string' || !(value.includes('\n') || random.chance(0.1))) {
    return [scalarText(writer, value, false) + end];
  }
  const [head = '', ...lines] = textLines(writer, value, end);
  return [head, ...indent(lines, step)];
}

/** A flow collection with each item on its own line. */
function brokenFlow(
  writer: Writer,
  value: JsonArray | JsonObject,
  at: Pointer,
  step: number,
): readonly string[] {
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(value);
  const hasLastComma = writer.random.chance(0.5);
  const lines = entries.map(([key, item], index) => {
    const name = isArray(value) ? '' : `${scalarText(writer, key, true)}: `;
    const comma = index < entries.length - 1 || hasLastComma ? ',' : '';
    return `${name}${flowText(writer, item)}${comma}${endComment(writer, [...at, key])}`;
  });
  const close = `${' '.repeat(step - 1)}${isArray(value) ? ']' : '}'}`;
  return [isArray(value) ? '[' : '{', ...indent(lines, step), close];
}

function flowText(writer: Writer, value: JsonValue): string {
  if (isArray(value)) return `[${value.map((item) => flowText(writer, item)).join(', ')}]`;
  if (!isObject(value)) return scalarText(writer, value, true);
  const members = Object.entries(value).map(
    ([key, item]) => `${scalarText(writer, key, true)}: ${flowText(writer, item)}`,
  );
  const { padding } = writer.style;
  return members.length === 0 ? '{}' : `{${padding}${members.join(', ')}${padding}}`;
}

function indent(lines: readonly string[], columns: number): readonly string[] {
  return lines.map((line) => (line === '' ? line : ' '.repeat(columns) + line));
}
