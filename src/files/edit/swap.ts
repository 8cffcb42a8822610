import type { Body } from './body.ts';
import type { Candidate, Span } from './splice.ts';
import type { Habits } from './habits.ts';
import { ownedSpan, ownedStart } from './owned.ts';
import {
  beginsLine,
  columnOf,
  indent,
  isBlank,
  isOnLineOf,
  lineBreakOf,
  lineEnd,
  lineStart,
} from './lines.ts';
import { type CollectionNode, isBlockCollection, type Item, type YamlNode } from './node.ts';
import type { YamlTree } from './tree.ts';

/** A value to write anew, and the item that it stands in; none where it is the document's own. */
export type Target = { readonly node: YamlNode; readonly item?: Item | undefined };

/** Another value inside of a flow collection. */
export function swapInFlow({ node, item }: Target, flow: string): Candidate {
  const colon = item?.key && item.indicator === undefined ? ': ' : ' ';
  const inserted = node.kind === 'empty' ? colon + flow : flow;
  const splice = { start: node.body, end: node.end, text: inserted };
  return { splices: [splice], losing: { start: node.start, end: node.end } };
}

/** Another value in block style: only its own text changes, and a comment on the key's line stays. */
export function* swapInBlock(
  tree: YamlTree,
  target: Target,
  body: Body,
  habits: Habits,
): Generator<Candidate> {
  const { text } = tree;
  const slots = slotsOf(tree, target, body);
  const losing = { start: slots.head.start, end: slots.lines.end };
  for (const { head, lines } of fillings(text, target, { body, habits, slots })) {
    const lineBreak = lineBreakOf(text);
    const below = lines.map((line) => lineBreak + line).join('');
    const splices = [
      { ...slots.head, text: head },
      { ...slots.lines, text: below },
    ];
    yield { splices, losing };
  }
}

/** Where a value stands: on the line of its key or dash, and on lines below. */
type Slots = { readonly head: Span; readonly lines: Span };

function slotsOf(tree: YamlTree, { node, item }: Target, body: Body): Slots {
  const { text } = tree;
  if (isBlockCollection(node)) return blockSlots(tree, node, body);
  const isInPlace = node.header === -1 || (!item && beginsLine(text, node.body));
  const start = body.nested && !isInPlace ? node.headEnd : node.body;
  const isBlockScalar = node.kind === 'scalar' && node.style === 'block';
  const headEnd = isBlockScalar ? node.blockHeaderEnd : node.end;
  const below = lineEnd(text, headEnd);
  const isAlone = node.kind === 'empty' && isBlank(text.slice(headEnd, below));
  const lines = { start: below, end: isBlockScalar ? Math.max(below, node.end) : below };
  return { head: { start, end: isAlone ? below : headEnd }, lines };
}

function blockSlots(tree: YamlTree, node: CollectionNode, body: Body): Slots {
  const { text } = tree;
  const end = ownedSpan(tree, { holder: node, index: node.items.length - 1 }).end;
  if (node === tree.root || isOnLineOf(text, node.headEnd, node.body)) {
    return { head: { start: node.body, end }, lines: { start: end, end } };
  }
  const head = { start: node.headEnd, end: node.headEnd };
  const first = ownedStart(tree, { holder: node, index: 0 });
  const above = lineEnd(text, lineStart(text, first - 1));
  return { head, lines: { start: body.nested ? above : lineEnd(text, node.headEnd), end } };
}

type Writing = { readonly body: Body; readonly habits: Habits; readonly slots: Slots };
type Filling = { readonly head: string; readonly lines: readonly string[] };

/** What goes into the slots, the best choice first. */
function* fillings(text: string, target: Target, writing: Writing): Generator<Filling> {
  const { body, habits, slots } = writing;
  const { item } = target;
  const column = item ? columnOf(text, item.start) : 0;
  if (body.nested === undefined) {
    const head = spaced(text, slots.head.start, { head: body.head.trimStart(), habits });
    yield { head, lines: indent(body.lines, column) };
    return;
  }
  if (mayBeCompact(text, target, writing)) yield compact(text, target, writing);
  const below = indent(body.lines, belowColumn(text, target, writing));
  yield { head: isBlank(body.head) ? '' : ` ${body.head.trim()}`, lines: below };
}

/** A head right behind a colon or a dash needs a space, or what stands behind the other dashes. */
function spaced(
  text: string,
  at: number,
  { head, habits }: { readonly head: string; readonly habits: Habits },
): string {
  const before = text[at - 1] ?? '\n';
  if (/\s/u.test(before) || head === '') return head;
  return (before === '-' ? habits.gap : ' ') + head;
}

/** A block collection begins on the line of its dash, unless properties stand there. */
function mayBeCompact(text: string, { node, item }: Target, { slots }: Writing): boolean {
  return item ? !item.key && node.headEnd === node.header : beginsLine(text, slots.head.start);
}

function compact(text: string, { item }: Target, { body, habits, slots }: Writing): Filling {
  const [first = '', ...rest] = body.lines;
  const start = slots.head.start;
  const isRight = item && item.indicator === start;
  const column = columnOf(text, start) + (isRight ? habits.gap.length : 0);
  return { head: isRight ? habits.gap + first : first, lines: indent(rest, column) };
}

function belowColumn(text: string, { node, item }: Target, { body, habits }: Writing): number {
  if (node.kind === body.nested && node.style === 'block') return columnOf(text, node.body);
  if (!item) return 0;
  const step = body.nested === 'map' ? habits.step : habits.offset;
  return columnOf(text, item.start) + (item.key ? step : 1 + habits.gap.length);
}
