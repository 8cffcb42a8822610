import type { Body } from './body.ts';
import { type Habits, lineBreakIn } from './habits.ts';
import {
  beginsLine,
  type Candidate,
  columnOf,
  indent,
  indentationOf,
  isBlankLine,
  isComment,
  isOnLineOf,
  lineAt,
  lineEnd,
  lineStart,
  nextLine,
  type Span,
  type Splice,
} from './lines.ts';
import { type CollectionNode, isBlockCollection } from './compose.ts';
import { lineRemovals, outerEnd, ownedSpan, ownedStart } from './owned.ts';
import type { Site, Target, YamlTree } from './tree.ts';

export function insertLines(
  tree: YamlTree,
  site: Site,
  lines: readonly string[],
  isAiry = isAiryAmong(tree.text, site.holder),
): Candidate {
  const { text } = tree;
  const { holder, index } = site;
  const column = columnOf(text, holder.items[0]?.start ?? holder.body);
  const indented = indent(lines, column);
  const blank = isAiry ? [''] : [];
  const isNext = index < holder.items.length;
  const at = isNext ? ownedStart(tree, site) : outerEnd(text, { holder, index: index - 1 });
  const inserted = isNext ? [...indented, ...blank, ''] : ['', ...blank, ...indented];
  const block = inserted.join(lineBreakIn(tree));
  const isCompact = isNext && !beginsLine(text, at);
  const slid = isCompact ? block.trimStart() + ' '.repeat(column) : block;
  return { splices: [{ start: at, end: at, text: slid }] };
}

export function isAiryAmong(text: string, { items }: CollectionNode): boolean {
  const gaps = items.slice(1).map((item, index) => text.slice(items[index]?.end, item.start));
  return gaps.filter((gap) => /\n[ \t]*\r?\n/u.test(gap)).length * 2 > gaps.length;
}

export function* removeLines(tree: YamlTree, site: Site): Generator<Candidate> {
  const { text } = tree;
  const { holder } = site;
  const losing = ownedSpan(tree, site);
  const isCompact = site.index === 0 && !beginsLine(text, holder.body);
  if (holder.items.length === 1) {
    yield* emptied(tree, site, losing);
  } else if (isCompact) {
    yield { splices: slideOntoDash(text, holder, losing), losing };
  } else {
    for (const splice of lineRemovals(text, site, losing)) yield { splices: [splice], losing };
  }
}

function* emptied({ text, root }: YamlTree, site: Site, losing: Span): Generator<Candidate> {
  const { header, headEnd, body, kind } = site.holder;
  const brackets = kind === 'map' ? '{}' : '[]';
  if (site.holder === root || isOnLineOf(text, header, body)) {
    const above = { start: Math.min(losing.start, body), end: lineStart(text, body), text: '' };
    const place = { start: body, end: losing.end, text: brackets };
    const splices = above.start < above.end ? [above, place] : [place];
    yield { splices, losing };
    return;
  }
  const insertion = { start: headEnd, end: headEnd, text: ` ${brackets}` };
  for (const splice of lineRemovals(text, site, losing)) {
    yield { splices: [insertion, splice], losing };
  }
}

function slideOntoDash(text: string, { items }: CollectionNode, owned: Span): readonly Splice[] {
  const [first, next] = items;
  if (!first || !next) return [];
  const line = lineStart(text, first.start);
  const margin = ' '.repeat(indentationOf(lineAt(text, line)));
  const left = text
    .slice(nextLine(text, owned.end), lineStart(text, next.start))
    .split(/(?<=\n)/u)
    .filter(isComment)
    .map((comment) => margin + comment.trimStart());
  return [
    { start: line, end: line, text: left.join('') },
    { start: first.start, end: next.start, text: '' },
  ];
}

/** Replaces the value's own text only, so that a comment on the key's line stays. */
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
    const lineBreak = lineBreakIn(tree);
    const below = lines.map((line) => lineBreak + line).join('');
    const splices = [
      { ...slots.head, text: head },
      { ...slots.lines, text: below },
    ];
    yield { splices, losing };
  }
}

type Slots = { readonly head: Span; readonly lines: Span };

function slotsOf(tree: YamlTree, { node, item }: Target, body: Body): Slots {
  const { text } = tree;
  if (isBlockCollection(node)) return blockSlots(tree, node, body);
  const isInPlace = node.header === -1 || (!item && beginsLine(text, node.body));
  const start = body.nested && !isInPlace ? node.headEnd : node.body;
  const isBlockScalar = node.kind === 'scalar' && node.style === 'block';
  const headEnd = isBlockScalar ? node.blockHeaderEnd : node.end;
  const below = lineEnd(text, headEnd);
  const isAlone = node.kind === 'empty' && isBlankLine(text.slice(headEnd, below));
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

function* fillings(text: string, target: Target, writing: Writing): Generator<Filling> {
  const { body, habits, slots } = writing;
  const { item } = target;
  const column = item ? columnOf(text, item.start) : 0;
  if (body.nested === undefined) {
    const head = spaced(text, slots.head.start, { head: body.head.trimStart(), habits });
    yield { head, lines: indent(body.lines, column) };
    return;
  }
  const { node } = target;
  // An anchor or a tag keeps a block collection off the line of its dash.
  const mayBeCompact = item
    ? !item.key && node.headEnd === node.header
    : beginsLine(text, slots.head.start);
  if (mayBeCompact) yield compact(text, target, writing);
  const below = indent(body.lines, belowColumn(text, target, writing));
  yield { head: isBlankLine(body.head) ? '' : ` ${body.head.trim()}`, lines: below };
}

function spaced(
  text: string,
  at: number,
  { head, habits }: { readonly head: string; readonly habits: Habits },
): string {
  const before = text[at - 1] ?? '\n';
  if (/\s/u.test(before) || head === '') return head;
  return (before === '-' ? habits.gap : ' ') + head;
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
