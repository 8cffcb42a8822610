import type { Body } from './body.ts';
import { ownedSpan } from './owned.ts';
import { columnOf, dedent, isOnLineOf, lineStart } from './lines.ts';
import { type CollectionNode, isBlockCollection, type Item } from './node.ts';
import type { YamlTree } from './tree.ts';
import type { Site } from './way.ts';

/** An item taken out of a block collection with all that it owns, its lines as they stand. */
export type Carried = {
  /** The comments above it. */
  readonly above: readonly string[];
  /** It was the member of a mapping. */
  readonly isMember: boolean;
  readonly body: Body;
};

export function carryItem(tree: YamlTree, site: Site): Carried | undefined {
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
