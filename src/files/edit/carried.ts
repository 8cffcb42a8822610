import type { Body } from './body.ts';
import { columnOf, dedent, isOnLineOf, lineStart, type Span } from './lines.ts';
import { type CollectionNode, isBlockCollection, type Item, type YamlNode } from './node.ts';
import { ownedSpan } from './owned.ts';
import { commentsOf, type Found, type Site, type YamlComment, type YamlTree } from './tree.ts';

/** What goes along with a value that moves. */
export type Carried = {
  readonly lines: CarriedLines | undefined;
  /** As it may stand in a flow collection. */
  readonly flow: string | undefined;
  /** The comments that would be lost without it. */
  readonly comments: readonly string[];
};

/** An item taken out of a collection with all that it owns, its lines as they stand. */
type CarriedLines = {
  /** The comments above it. */
  readonly above: readonly string[];
  /** It was the member of a mapping. */
  readonly isMember: boolean;
  readonly body: Body;
};

/** What a value takes along from where it stands; comments that would go are carried too. */
export function carryItem(tree: YamlTree, way: Found, losing: Span | undefined): Carried {
  const flow = flowText(tree.text, way.node);
  const comments = commentsOf(tree.text).filter(
    ({ offset }) => losing && offset >= losing.start && offset < losing.end,
  );
  return {
    lines: carryLines(tree, way, comments),
    flow,
    comments: comments.map(({ text }) => text),
  };
}

function carryLines(
  tree: YamlTree,
  way: Found,
  comments: readonly YamlComment[],
): CarriedLines | undefined {
  if (way.site && !way.isInFlow) return ownedLines(tree, way.site);
  const flow = flowText(tree.text, way.node);
  return flow === undefined ? undefined : flowLines(way, flow, comments);
}

function ownedLines(tree: YamlTree, site: Site): CarriedLines | undefined {
  const item = site.holder.items[site.index];
  if (!item) return undefined;
  const { text } = tree;
  const { start, end } = ownedSpan(tree, site);
  const column = columnOf(text, item.start);
  const own = lineStart(text, item.start);
  const above = start < own ? linesBetween(text, start, own).slice(0, -1) : [];
  return {
    above: above.map((line) => dedent(line, column)),
    isMember: item.key !== undefined,
    body: carryValue(text, item, end),
  };
}

/** All that stands behind a key's colon or a dash, up to an offset at the end of a line. */
function carryValue(text: string, item: Item, end: number): Body {
  const from = item.indicator ?? item.end;
  const { value } = item;
  const column = columnOf(text, item.start);
  const isBlock = isBlockCollection(value);
  if (!isBlock) return linesBelow(text, { from, end }, column);
  const shift = columnOf(text, value.body) - column;
  if (isOnLineOf(text, from, value.body)) return { ...carryBlock(text, value, end), shift };
  const { head, lines } = linesBelow(text, { from, end }, columnOf(text, value.body));
  return { head: head.trimEnd(), lines, nested: value.kind, shift };
}

/** A block collection without its properties, as far as an offset at the end of a line. */
export function carryBlock(text: string, node: CollectionNode, end: number): Body {
  const { head, lines } = linesBelow(text, { from: node.body, end }, columnOf(text, node.body));
  return { head: '', lines: [head, ...lines], nested: node.kind };
}

/** The rest of a line, and the lines below as they are indented from a column. */
function linesBelow(
  text: string,
  { from, end }: { readonly from: number; readonly end: number },
  column: number,
): Body {
  const [head = '', ...lines] = linesBetween(text, from, end);
  return { head, lines: lines.map((line) => dedent(line, column)) };
}

function linesBetween(text: string, start: number, end: number): readonly string[] {
  return text.slice(start, end).split(/\r?\n/u);
}

/** An item out of a flow collection, which may have a comment behind it on its line. */
function flowLines(way: Found, flow: string, comments: readonly YamlComment[]): CarriedLines {
  const isBehind = ({ offset }: YamlComment): boolean => offset > way.node.end;
  const [end, ...more] = comments.filter(isBehind);
  const above = [...comments.filter((comment) => !isBehind(comment)), ...more];
  return {
    above: above.map(({ text }) => text),
    isMember: way.item?.key !== undefined,
    body: { head: end ? `${flow} ${end.text}` : flow, lines: [] },
  };
}

/** A value's own text, if it may stand between brackets as it is. */
export function flowText(text: string, node: YamlNode, start = node.start): string | undefined {
  const own = text.slice(start, node.end);
  if (node.kind === 'empty' || own.includes('\n')) return undefined;
  if (node.kind !== 'scalar') return own;
  const isOther = node.style === 'block' || (node.style === 'plain' && /[,[\]{}]/u.test(own));
  return isOther ? undefined : own;
}
