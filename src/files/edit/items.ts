import type { JsonValue } from '../../core/json.ts';
import { parseIndex, type Pointer } from '../../patch/pointer.ts';
import {
  type Body,
  type Habits,
  habitsAround,
  itemLines,
  type Manner,
  nameBelow,
  writeBody,
  writeKey,
} from './body.ts';
import {
  areSeparated,
  insertFlow,
  insertLines,
  removeFlow,
  removeLines,
  swapInBlock,
  swapInFlow,
} from './collection.ts';
import {
  applySplices,
  type Candidate,
  columnOf,
  contentColumn,
  dedent,
  indentationOf,
  isBlankLine,
  isOnLineOf,
  lineStart,
  nextLine,
  ownedSpan,
  type Span,
} from './lines.ts';
import { type FormerBlock, isDate, writeScalar } from './scalar.ts';
import {
  commentsOf,
  followPointer,
  type Found,
  isBlockCollection,
  isCollection,
  itemAt,
  type Item,
  reparseTree,
  type Site,
  type YamlTree,
} from './tree.ts';

type Addition = {
  readonly value: JsonValue;
  readonly carried?: CarriedItem;
  readonly isSeparated?: boolean | undefined;
};

export function* addItem(tree: YamlTree, pointer: Pointer, addition: Addition) {
  const way = followPointer(tree.root, pointer.slice(0, -1));
  if (way.kind !== 'found' || !isCollection(way.node)) return;
  const holder = way.node;
  const last = holder.items.length;
  const token = pointer.at(-1) ?? '';
  const index = holder.kind === 'seq' ? (parseIndex(token) ?? last) : last;
  const place = { holder, index, token, habits: habitsAround(tree, holder) };
  if (holder.style !== 'block') {
    yield* addToFlow(tree, way, place, addition);
    return;
  }
  for (const lines of linesFor(place, addition)) {
    yield insertLines(tree, place, lines, addition.isSeparated);
    // A blank line would be content of a `|+` above or below it.
    yield insertLines(tree, place, lines, false);
  }
}

type ItemPlace = Site & { readonly token: string; readonly habits: Habits };

function* linesFor(place: ItemPlace, { value, carried }: Addition): Generator<readonly string[]> {
  const { habits } = place;
  const isMember = place.holder.kind === 'map';
  const indicator = isMember ? `${writeKey(place.token, habits)}:` : '-';
  if (carried?.kind === 'lines')
    yield [...carried.above, ...itemLines(indicator, carried.body, habits)];
  for (const body of bodiesOf(value, mannerOf(place, false)))
    yield itemLines(indicator, body, habits);
}

function mannerOf({ holder, token, habits }: ItemPlace, isFlow: boolean): Manner {
  const isMember = holder.kind === 'map';
  const name = isMember ? token : nameBelow(habits.name);
  return { habits, name, isMember, isFlow, style: isMember ? undefined : habits.element };
}

function* addToFlow(tree: YamlTree, way: Found, place: ItemPlace, addition: Addition) {
  const { holder, token, habits } = place;
  const around = way.site ? habitsAround(tree, way.site.holder) : habits;
  if (holder.items.length === 0 && !way.isInFlow && !around.isFlow(holder.kind, habits.name)) {
    for (const lines of linesFor(place, addition))
      yield* swapInBlock(tree, way, { head: '', lines, nested: holder.kind }, habits);
  }
  const key = holder.kind === 'map' ? `${writeKey(token, habits, true)}: ` : '';
  const padding = habits.padding(holder.kind);
  const { carried, value } = addition;
  const { comments = [] } = carried?.kind === 'flow' ? carried : {};
  if (carried?.kind === 'flow')
    yield insertFlow(tree, place, { text: key + carried.text, comments, padding });
  const text = key + writeBody(value, mannerOf(place, true)).head;
  yield insertFlow(tree, place, { text, comments, padding });
}

export function* removeItem(tree: YamlTree, pointer: Pointer): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || !way.site) return;
  const { holder } = way.site;
  if (holder.style === 'block') yield* removeLines(tree, way.site);
  else if (holder.style === 'flow') yield* removeFlow(tree, way.site);
  else yield* writeValue(tree, pointer.slice(0, -1), {});
}

export function* renameKey(tree: YamlTree, pointer: Pointer, name: string): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  const node = way.kind === 'found' ? way.item?.key?.node : undefined;
  if (way.kind !== 'found' || !way.site || node?.kind !== 'scalar' || node.style === 'block')
    return;
  const habits = habitsAround(tree, way.site.holder);
  const text = writeScalar(name, { style: node.style, habits, isFlow: way.isInFlow });
  yield { splices: [{ start: node.body, end: node.end, text }] };
}

/** Within its list. */
export function* moveItem(tree: YamlTree, from: Pointer, to: Pointer, value: JsonValue) {
  const way = followPointer(tree.root, from);
  if (way.kind !== 'found' || !way.site) return;
  const isSeparated = areSeparated(tree.text, way.site.holder);
  for (const { splices: removal, losing } of removeItem(tree, from)) {
    const rest = reparseTree(applySplices(tree.text, removal), tree);
    const addition = { value, isSeparated, carried: carryItem(tree, way, way.site, losing) };
    for (const { splices } of addItem(rest, to, addition))
      yield { splices: removal, second: splices, losing };
  }
}

export function* writeValue(
  tree: YamlTree,
  pointer: Pointer,
  value: JsonValue,
): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found') return;
  const manner = mannerFor(tree, way);
  for (const body of bodiesOf(value, manner))
    if (way.isInFlow) yield swapInFlow(way, body.head);
    else yield* swapInBlock(tree, way, body, manner.habits);
}

// Not every place can take a block scalar, so double quotes are the alternative.
function* bodiesOf(value: JsonValue, manner: Manner): Generator<Body> {
  const body = writeBody(value, manner);
  yield body;
  if (body.lines.length > 0) yield writeBody(value, { ...manner, isBlockless: true });
}

function mannerFor(tree: YamlTree, way: Found): Manner {
  const { node, item, site, isInFlow } = way;
  const habits = habitsAround(tree, site?.holder ?? tree.root);
  const plain = node.kind === 'scalar' && node.style !== 'block' ? node.style : undefined;
  const isPlainDate = plain === 'plain' && isDate(tree.text.slice(node.body, node.end));
  return {
    habits,
    name: item ? nameBelow(habits.name, item.key) : '',
    isMember: !item || item.key !== undefined,
    isFlow: isInFlow,
    style: isPlainDate ? 'date' : plain,
    former: formerBlock(tree.text, way),
  };
}

function formerBlock(text: string, { node, item }: Found): FormerBlock | undefined {
  if (node.kind !== 'scalar' || node.style !== 'block') return undefined;
  const lines = text.slice(nextLine(text, node.blockHeaderEnd), node.end).split(/\r?\n/u);
  const itemColumn = item ? columnOf(text, item.start) : 0;
  // With a number in the header, the first line may begin with spaces of content.
  const digit = /^[|>][-+]?([1-9])/u.exec(text.slice(node.body, node.blockHeaderEnd))?.[1];
  const first = lines.find((line) => !isBlankLine(line)) ?? '';
  const column = digit === undefined ? indentationOf(first) : itemColumn + Number(digit);
  return {
    isFolded: text[node.body] === '>',
    step: Math.max(1, column - itemColumn),
    lines: lines.map((line) => dedent(line, column)),
  };
}

type CarriedItem =
  | { readonly kind: 'lines'; readonly above: readonly string[]; readonly body: Body }
  | { readonly kind: 'flow'; readonly text: string; readonly comments: readonly string[] };

function carryItem(tree: YamlTree, way: Found, site: Site, losing: Span | undefined): CarriedItem {
  const { text } = tree;
  const { node, isInFlow } = way;
  if (isInFlow) {
    const own = commentsOf(text).filter(
      ({ offset }) =>
        losing &&
        offset >= losing.start &&
        offset < losing.end &&
        (offset < node.start || offset >= node.end),
    );
    // Lines but the first are indented from the content of the first.
    const { head, lines } = linesBelow(text, node.start, node.end, contentColumn(text, node.start));
    const comments = own.map((each) => each.text);
    return { kind: 'flow', text: [head, ...lines].join('\n'), comments };
  }
  const item = itemAt(site);
  const { start, end } = ownedSpan(tree, site);
  const column = columnOf(text, item.start);
  const own = lineStart(text, item.start);
  const above = start < own ? text.slice(start, own).split(/\r?\n/u).slice(0, -1) : [];
  const lines = above.map((line) => dedent(line, column));
  return { kind: 'lines', above: lines, body: carryValue(text, item, end) };
}

function carryValue(text: string, item: Item, end: number): Body {
  const from = item.indicator ?? item.end;
  const { value } = item;
  const column = columnOf(text, item.start);
  if (!isBlockCollection(value)) return linesBelow(text, from, end, column);
  const own = columnOf(text, value.body);
  const carried = { nested: value.kind, shift: own - column };
  if (isOnLineOf(text, from, value.body)) {
    const { head, lines } = linesBelow(text, value.body, end, own);
    return { ...carried, head: '', lines: [head, ...lines] };
  }
  const { head, lines } = linesBelow(text, from, end, own);
  return { ...carried, head: head.trimEnd(), lines };
}

function linesBelow(text: string, from: number, end: number, column: number): Body {
  const [head = '', ...lines] = text.slice(from, end).split(/\r?\n/u);
  return { head, lines: lines.map((line) => dedent(line, column)) };
}
