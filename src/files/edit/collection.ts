import type { Body, Habits } from './body.ts';
import {
  beginsLine,
  type Candidate,
  columnOf,
  contentColumn,
  cut,
  deeper,
  indent,
  indentationOf,
  insertion,
  isBlankLine,
  isComment,
  isOnLineOf,
  lineAt,
  lineBreakIn,
  lineEnd,
  lineRemovals,
  lineStart,
  nextLine,
  outerEnd,
  ownedSpan,
  ownedStart,
  type Span,
  type Splice,
} from './lines.ts';
import {
  type CollectionNode,
  type Found,
  isBlockCollection,
  type Item,
  itemAt,
  type Site,
  type YamlNode,
  type YamlTree,
} from './tree.ts';

export function insertLines(
  tree: YamlTree,
  { holder, index }: Site,
  lines: readonly string[],
  isSeparated = areSeparated(tree.text, holder),
): Candidate {
  const { text } = tree;
  const column = columnOf(text, holder.items[0]?.start ?? holder.body);
  const indented = indent(lines, column);
  const blank = isSeparated ? [''] : [];
  const lineBreak = lineBreakIn(tree);
  if (index === holder.items.length) {
    const at = outerEnd(text, { holder, index: index - 1 });
    return { splices: [insertion(at, ['', ...blank, ...indented].join(lineBreak))] };
  }
  const at = ownedStart(tree, { holder, index });
  const block = [...indented, ...blank, ''].join(lineBreak);
  const slid = beginsLine(text, at) ? block : block.trimStart() + ' '.repeat(column);
  return { splices: [insertion(at, slid)] };
}

export function areSeparated(text: string, { items }: CollectionNode): boolean {
  const gaps = items.slice(1).map((item, index) => text.slice(items[index]?.end, item.start));
  return gaps.filter((gap) => /\n[ \t]*\r?\n/u.test(gap)).length * 2 > gaps.length;
}

export function* removeLines(tree: YamlTree, site: Site): Generator<Candidate> {
  const { text } = tree;
  const { holder, index } = site;
  const losing = ownedSpan(tree, site);
  const [first, next] = holder.items;
  if (!next) yield* emptied(tree, site, losing);
  else if (first && index === 0 && !beginsLine(text, holder.body)) {
    // The next item slides onto the dash of this one.
    const line = lineStart(text, first.start);
    const margin = ' '.repeat(indentationOf(lineAt(text, line)));
    const left = text
      .slice(nextLine(text, losing.end), lineStart(text, next.start))
      .split(/(?<=\n)/u)
      .filter(isComment)
      .map((comment) => margin + comment.trimStart());
    yield { splices: [insertion(line, left.join('')), cut(first.start, next.start)], losing };
  } else for (const splice of lineRemovals(text, site, losing)) yield { splices: [splice], losing };
}

function* emptied({ text, root }: YamlTree, site: Site, losing: Span): Generator<Candidate> {
  const { header, headEnd, body, kind } = site.holder;
  const brackets = kind === 'map' ? '{}' : '[]';
  if (site.holder === root || isOnLineOf(text, header, body)) {
    const start = Math.min(losing.start, body);
    const splices = [
      cut(start, Math.max(start, lineStart(text, body))),
      { start: body, end: losing.end, text: brackets },
    ];
    yield { splices, losing };
  } else
    for (const splice of lineRemovals(text, site, losing))
      yield { splices: [insertion(headEnd, ` ${brackets}`), splice], losing };
}

/** Replaces the value's own text only, so that a comment on the key's line stays. */
export function* swapInBlock(tree: YamlTree, { node, item }: Found, body: Body, habits: Habits) {
  const { text } = tree;
  const slots = slotsOf(tree, node, item, body);
  const { start } = slots.head;
  const column = item ? columnOf(text, item.start) : 0;
  if (body.nested === undefined) {
    const head = body.head.trimStart();
    const before = text[start - 1] ?? '\n';
    const space = before === '-' ? habits.gap : ' ';
    const spaced = head === '' || /\s/u.test(before) ? head : space + head;
    yield filled(tree, slots, spaced, indent(body.lines, column));
    return;
  }
  // An anchor or a tag keeps a block collection off the line of its dash.
  const mayBeCompact = item ? !item.key && node.headEnd === node.header : beginsLine(text, start);
  if (mayBeCompact) {
    const [first = '', ...rest] = body.lines;
    const gap = item?.indicator === start ? habits.gap : '';
    yield filled(tree, slots, gap + first, indent(rest, columnOf(text, start) + gap.length));
  }
  const head = isBlankLine(body.head) ? '' : ` ${body.head.trim()}`;
  const isOfSameKind = node.kind === body.nested && node.style === 'block';
  const columns = isOfSameKind ? columnOf(text, node.body) : column + stepTo(body, habits, item);
  yield filled(tree, slots, head, indent(body.lines, columns));
}

function stepTo({ nested }: Body, habits: Habits, item: Item | undefined): number {
  if (!item) return 0;
  if (!item.key) return 1 + habits.gap.length;
  return nested === 'map' ? habits.step : habits.offset;
}

function filled(tree: YamlTree, { head, lines }: Slots, text: string, below: readonly string[]) {
  const lineBreak = lineBreakIn(tree);
  const splices = [
    { ...head, text },
    { ...lines, text: below.map((line) => lineBreak + line).join('') },
  ];
  return { splices, losing: { start: head.start, end: lines.end } };
}

type Slots = { readonly head: Span; readonly lines: Span };

function slotsOf(tree: YamlTree, node: YamlNode, item: Item | undefined, body: Body): Slots {
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
  if (node === tree.root || isOnLineOf(text, node.headEnd, node.body))
    return { head: { start: node.body, end }, lines: { start: end, end } };
  const head = { start: node.headEnd, end: node.headEnd };
  const first = ownedStart(tree, { holder: node, index: 0 });
  const above = lineEnd(text, lineStart(text, first - 1));
  return { head, lines: { start: body.nested ? above : lineEnd(text, node.headEnd), end } };
}

export function insertFlow(tree: YamlTree, site: Site, item: string, padding: string): Candidate {
  const { text } = tree;
  const { body, items, end } = site.holder;
  const starts = [...items.map((each) => each.start), end - 1];
  if (items.length > 0 && starts.every((each) => beginsLine(text, each)))
    return { splices: ownLine(tree, site, item) };
  const [head = '', ...below] = item.split('\n');
  const under = indent(deeper(below), contentColumn(text, body));
  const written = [head, ...under].join(lineBreakIn(tree));
  return { splices: [inLine(text, site, written, padding)] };
}

function ownLine(tree: YamlTree, site: Site, item: string): readonly Splice[] {
  const { text } = tree;
  const { items } = site.holder;
  const last = itemAt({ ...site, index: items.length - 1 });
  const lineBreak = lineBreakIn(tree);
  const line = indent(item.split('\n'), columnOf(text, last.start)).join(lineBreak);
  if (site.index < items.length) return [insertion(ownedStart(tree, site), `${line},${lineBreak}`)];
  const at = lineEnd(text, last.comma ?? last.end);
  if (last.comma !== undefined) return [insertion(at, `${lineBreak}${line},`)];
  if (at === last.end) return [insertion(at, `,${lineBreak}${line}`)];
  return [insertion(last.end, ','), insertion(at, lineBreak + line)];
}

function inLine(text: string, { holder, index }: Site, item: string, padding: string): Splice {
  const { items, body, end } = holder;
  const [first, second] = items;
  const last = items.at(-1);
  if (!first || !last) {
    const isEmpty = isBlankLine(text.slice(body + 1, end - 1));
    return { start: body + 1, end: isEmpty ? end - 1 : body + 1, text: padding + item + padding };
  }
  const between = second ? text.slice(first.end, second.start) : '';
  const comma = /^ *, *$/u.test(between) ? between : ', ';
  const next = items[index];
  return next ? insertion(next.start, item + comma) : insertion(last.end, comma + item);
}

export function* removeFlow(tree: YamlTree, site: Site): Generator<Candidate> {
  const { text } = tree;
  const { items } = site.holder;
  const item = itemAt(site);
  const behind = Math.max(item.end, (item.comma ?? -1) + 1);
  const rest = text.slice(behind, lineEnd(text, behind));
  if (!beginsLine(text, item.start) || !/^[ \t]*(?:#.*)?$/u.test(rest)) {
    yield { splices: withoutItem(text, site), losing: { start: item.start, end: item.end } };
    return;
  }
  const losing = ownedSpan(tree, site);
  const isDangling = site.index === items.length - 1 && item.comma === undefined;
  const dangling = isDangling ? commaOf(items[site.index - 1]) : [];
  for (const splice of lineRemovals(text, site, losing))
    yield { splices: [...dangling, splice], losing };
}

function commaOf(item: Item | undefined): readonly Splice[] {
  return item?.comma === undefined ? [] : [cut(item.comma, item.comma + 1)];
}

function withoutItem(text: string, site: Site): readonly Splice[] {
  const { holder, index } = site;
  const { items, body, end } = holder;
  const item = itemAt(site);
  const previous = items[index - 1];
  const next = items[index + 1];
  // A comment in the gap stays; then the comma goes alone.
  if (next) {
    if (!text.slice(item.end, next.start).includes('#')) return [cut(item.start, next.start)];
    return [cut(item.start, item.end), ...commaOf(item)];
  }
  if (previous) {
    if (!text.slice(previous.end, item.start).includes('#')) return [cut(previous.end, item.end)];
    return [cut(item.start, item.end), ...commaOf(previous)];
  }
  const around = text.slice(body + 1, item.start) + text.slice(item.end, end - 1);
  const isAlone = /^[\s,]*$/u.test(around);
  return [isAlone ? cut(body + 1, end - 1) : cut(item.start, (item.comma ?? item.end - 1) + 1)];
}

export function swapInFlow({ node, item }: Found, flow: string): Candidate {
  const colon = item?.key && item.indicator === undefined ? ': ' : ' ';
  const inserted = node.kind === 'empty' ? colon + flow : flow;
  const splice = { start: node.body, end: node.end, text: inserted };
  return { splices: [splice], losing: { start: node.start, end: node.end } };
}
