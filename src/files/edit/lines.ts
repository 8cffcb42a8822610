import {
  columnMembers,
  identityFields,
  levelMembers,
  managedFields,
  promises,
  ruleMembers,
} from '../../contract/contract.ts';
import { isArray, isObject, type JsonValue } from '../../core/json.ts';
import { valuesIn } from '../read/document.ts';
import { type CollectionNode, itemAt, nodesOf, type Site, type YamlTree } from './tree.ts';

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

export function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  const end = feed === -1 ? text.length : feed;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

export function nextLine(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed === -1 ? text.length : feed + 1;
}

/** From 0, in UTF-16 code units. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** From the first text: an edit may have removed its only line break. */
export function lineBreakIn({ text, first }: YamlTree): string {
  const whole = first?.text ?? text;
  const feeds = whole.split('\n').length - 1;
  return (whole.split('\r\n').length - 1) * 2 > feeds ? '\r\n' : '\n';
}

export function isOnLineOf(text: string, first: number, second: number): boolean {
  return lineStart(text, first) === lineStart(text, second);
}

export function beginsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/u.test(text.slice(lineStart(text, offset), offset));
}

export function lineAt(text: string, offset: number): string {
  return text.slice(lineStart(text, offset), lineEnd(text, offset));
}

export function isBlankLine(line: string): boolean {
  return line.trim() === '';
}

export function isComment(line: string): boolean {
  return /^[ \t]*#/u.test(line);
}

export function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * The start of the run of accepted lines that ends at `start`. A line that begins at or before
 * `content`, the end of the content above, is not in it.
 */
function runAbove(
  text: string,
  start: number,
  content: number,
  accepts: (line: string) => boolean,
): number {
  let from = start;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (above <= content || !accepts(lineAt(text, above))) break;
    from = above;
  }
  return from;
}

export function indent(lines: readonly string[], columns: number): readonly string[] {
  return lines.map((line) => (line === '' ? line : ' '.repeat(columns) + line));
}

/** Behind the dashes of the line: flow below it has to be indented as deep at least. */
export function contentColumn(text: string, offset: number): number {
  return /^ *(?:- +)*/u.exec(lineAt(text, offset))?.[0].length ?? 0;
}

/** Lines of flow but the first; a bracket that closes has to be deeper than the block around. */
export function deeper(lines: readonly string[]): readonly string[] {
  return indent(lines, lines.every((line) => /^\s/u.test(line)) ? 0 : 2);
}

export function dedent(line: string, columns: number): string {
  return line.slice(Math.min(columns, /^ */u.exec(line)?.[0].length ?? 0));
}

export type Span = { readonly start: number; readonly end: number };

export type Splice = Span & { readonly text: string };

/** A way to write an operation, still to be proved by parsing it. */
export type Candidate = {
  readonly splices: readonly Splice[];
  /** A second step, on the text that `splices` leave. */
  readonly second?: readonly Splice[];
  /** Spans of the old text whose comments may be lost. */
  readonly losing?: Span | undefined;
};

/** Splices may come in any order, and do not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = '';
  let from = 0;
  for (const splice of inOrder(splices)) {
    result += text.slice(from, splice.start) + splice.text;
    from = splice.end;
  }
  return result + text.slice(from);
}

/** The offset before the splices; for inserted text, that of the insertion. */
export function offsetBefore(splices: readonly Splice[], offset: number): number {
  let shift = 0;
  for (const { start, end, text } of inOrder(splices)) {
    if (offset < start + shift) break;
    if (offset < start + shift + text.length) return start;
    shift += text.length - (end - start);
  }
  return offset - shift;
}

function inOrder(splices: readonly Splice[]): readonly Splice[] {
  return splices.toSorted((a, b) => a.start - b.start);
}

export function areApart(candidates: readonly Candidate[]): boolean {
  const spans = candidates
    .map(({ splices }) => ({
      start: Math.min(...splices.map(({ start }) => start)),
      end: Math.max(...splices.map(({ end }) => end)),
    }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  return spans.slice(1).every(({ start, end }, index) => {
    const before = spans[index];
    // Of two insertions at one place, the first stays in front.
    return !before || start > before.end || end === before.start;
  });
}

export function insertion(at: number, text: string): Splice {
  return { start: at, end: at, text };
}

export function cut(start: number, end: number): Splice {
  return { start, end, text: '' };
}

export function* lineRemovals(text: string, site: Site, owned: Span): Generator<Splice> {
  const to = nextLine(text, owned.end);
  const start = runAbove(text, owned.start, contentAbove(site), isBlankLine);
  let end = to;
  while (end < text.length && isBlankLine(lineAt(text, end))) end = nextLine(text, end);
  const best = superfluousBlanks(text, site, { start, from: owned.start, to, end });
  yield removal(text, best.isAbove ? start : owned.start, best.isBelow ? end : to);
  yield removal(text, owned.start, to);
  yield removal(text, start, end);
}

function contentAbove({ holder, index }: Site): number {
  return holder.items[index - 1]?.end ?? holder.header;
}

// Without a final line break, the one before the removed lines goes instead.
function removal(text: string, start: number, end: number): Splice {
  const isUnended = end === text.length && !text.endsWith('\n') && start > 0;
  const lineBreak = text[start - 2] === '\r' ? 2 : 1;
  return cut(isUnended ? start - lineBreak : start, end);
}

function superfluousBlanks(
  text: string,
  { holder, index }: Site,
  { start, from, to, end }: Span & { readonly from: number; readonly to: number },
): { readonly isAbove: boolean; readonly isBelow: boolean } {
  const hasAbove = start < from;
  const hasBelow = to < end;
  if (index === holder.items.length - 1) {
    const isFollowed = !hasBelow && end < text.length && isComment(lineAt(text, end));
    return { isAbove: hasAbove && !isFollowed, isBelow: false };
  }
  if (!hasAbove || !hasBelow) {
    const { header } = holder;
    const opens = from === 0 || (header >= 0 && isOnLineOf(text, header, from - 1));
    return { isAbove: false, isBelow: hasBelow && index === 0 && opens };
  }
  const isAbove = from - start < end - to;
  return { isAbove, isBelow: !isAbove };
}

/**
 * An item's lines, the unbroken block of comments above at its column, and deeper comments right
 * below. A block goes or stays whole.
 */
export function ownedSpan(tree: YamlTree, site: Site): Span {
  const { text } = tree;
  const end = outerEnd(text, site);
  const own = lineEnd(text, itemAt(site).end);
  return { start: ownedStart(tree, site), end: hasBanner(text.slice(own, end)) ? own : end };
}

export function ownedStart(tree: YamlTree, site: Site): number {
  const { text, root } = tree;
  const { holder, index } = site;
  const item = itemAt(site);
  if (!beginsLine(text, item.start)) return item.start;
  const column = columnOf(text, item.start);
  const own = lineStart(text, item.start);
  const isAbove = (line: string): boolean => isComment(line) && indentationOf(line) === column;
  const start = runAbove(text, own, contentAbove(site), isAbove);
  const block = text.slice(start, own);
  if (hasBanner(block) || isDisabled(block, tree, holder)) return own;
  if (index > 0 || holder !== root) return start;
  // Comments above a document's first item, with no others above them, are about the file.
  const top = runAbove(text, runAbove(text, start, -1, isComment), -1, isBlankLine);
  return top === 0 || !isComment(lineAt(text, top - 1)) ? own : start;
}

/** Behind the deeper comments right below the item. */
export function outerEnd(text: string, site: Site): number {
  const item = itemAt(site);
  const column = columnOf(text, item.start);
  let end = lineEnd(text, item.end);
  for (let next = nextLine(text, end); next < text.length; next = nextLine(text, next)) {
    const line = lineAt(text, next);
    if (!isComment(line) || indentationOf(line) <= column) break;
    end = lineEnd(text, next);
  }
  return end;
}

function hasBanner(block: string): boolean {
  return /^\s*#(?:##|\s*[-=*~_+#]{3,})/mu.test(block);
}

// YAML that is commented out: entries that the collection could have, of its own kind.
function isDisabled(block: string, tree: YamlTree, holder: CollectionNode): boolean {
  const isList = holder.kind === 'seq';
  if (!(isList ? /^\s*#\s*-/u : /^\s*#.*:/u).test(block)) return false;
  const [value = null] = valuesIn(block.replaceAll(/^\s*#/gmu, ''));
  const entries = isList && isArray(value) ? value : [value];
  const ofKind = mapsOfKind(tree, holder).flatMap(({ items }) => items.map(({ key }) => key?.text));
  const keys = new Set([...contractKeys, ...ofKind]);
  const isEntry = (entry: JsonValue): boolean =>
    isObject(entry)
      ? Object.keys(entry).some((key) => keys.has(key))
      : isList && ofKind.length === 0 && /^\S+$/u.test(JSON.stringify(entry));
  return isList === isArray(value) && entries.every(isEntry);
}

const contractKeys: readonly string[] = [
  ...identityFields,
  ...managedFields,
  ...[columnMembers, ruleMembers, promises, levelMembers].flatMap((each) => Object.keys(each)),
];

// The mappings of a list, and those beside a mapping of a list.
function mapsOfKind({ root }: YamlTree, holder: CollectionNode): readonly CollectionNode[] {
  const list = [...nodesOf(root)].find(
    (node) =>
      node.kind === 'seq' && (node === holder || node.items.some(({ value }) => value === holder)),
  );
  if (list?.kind !== 'seq') return [holder];
  return list.items.flatMap(({ value }) => (value.kind === 'map' ? [value] : []));
}
