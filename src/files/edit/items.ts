import type { JsonValue } from '../../core/json.ts';
import { parseIndex, type Pointer } from '../../patch/pointer.ts';
import {
  type Body,
  type Habits,
  habitsOf,
  itemLines,
  type Manner,
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
  beginsLine,
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
} from './lines.ts';
import { type FormerBlock, isDate } from './scalar.ts';
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
  type YamlNode,
  type YamlTree,
} from './tree.ts';

type Addition = {
  readonly value: JsonValue;
  readonly carried?: Carried;
  readonly isSeparated?: boolean | undefined;
};

export function* addItem(tree: YamlTree, pointer: Pointer, addition: Addition) {
  const way = followPointer(tree.root, pointer.slice(0, -1));
  if (way.kind !== 'found' || !isCollection(way.node)) return;
  const holder = way.node;
  const last = holder.items.length;
  const token = pointer.at(-1) ?? '';
  const index = holder.kind === 'seq' ? (parseIndex(token) ?? last) : last;
  const place = { holder, index, token, holderPlace: way.place, habits: habitsOf(tree) };
  if (holder.style === 'flow') {
    yield* addToFlow(tree, way, place, addition);
    return;
  }
  for (const lines of linesFor(place, addition)) {
    yield insertLines(tree, place, lines, addition.isSeparated);
    // A blank line would be content of a `|+` above or below it.
    yield insertLines(tree, place, lines, false);
  }
}

type ItemPlace = Site & {
  readonly token: string;
  /** `.schema[].tags`, as the habits name it. */
  readonly holderPlace: string;
  readonly habits: Habits;
};

function* linesFor(place: ItemPlace, { value, carried }: Addition): Generator<readonly string[]> {
  const { habits, token } = place;
  const indicator = place.holder.kind === 'map' ? `${writeKey(token, habits)}:` : '-';
  if (carried?.kind === 'lines')
    yield [...carried.above, ...itemLines(indicator, carried.body, habits)];
  for (const body of bodiesOf(value, mannerOf(place, false)))
    yield itemLines(indicator, body, habits);
}

function mannerOf({ holder, token, holderPlace, habits }: ItemPlace, isFlow: boolean): Manner {
  const isMember = holder.kind === 'map';
  const place = isMember ? `${holderPlace}.${token}` : `${holderPlace}[]`;
  return { habits, place, isMember, isFlow };
}

function* addToFlow(tree: YamlTree, way: Found, place: ItemPlace, addition: Addition) {
  const { holder, token, habits, holderPlace } = place;
  if (holder.items.length === 0 && !way.isInFlow && !habits.isFlow(holder.kind, holderPlace)) {
    for (const lines of linesFor(place, addition))
      yield* swapInBlock(tree, way, { head: '', lines, nested: holder.kind }, habits);
  }
  const key = holder.kind === 'map' ? `${writeKey(token, habits, true)}: ` : '';
  const padding = habits.padding(holder.kind);
  const { carried, value } = addition;
  if (carried?.kind === 'flow') yield insertFlow(tree, place, key + carried.text, padding);
  yield insertFlow(tree, place, key + writeBody(value, mannerOf(place, true)).head, padding);
}

export function* removeItem(tree: YamlTree, pointer: Pointer): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || !way.site) return;
  if (way.site.holder.style === 'block') yield* removeLines(tree, way.site);
  else yield* removeFlow(tree, way.site);
}

/** Within its list. */
export function* moveItem(tree: YamlTree, from: Pointer, to: Pointer, value: JsonValue) {
  const way = followPointer(tree.root, from);
  if (way.kind !== 'found' || !way.site) return;
  const isSeparated = areSeparated(tree.text, way.site.holder);
  for (const { splices: removal, losing } of removeItem(tree, from)) {
    const rest = reparseTree(applySplices(tree.text, removal), tree);
    const addition = { value, isSeparated, carried: carryItem(tree, way, way.site) };
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
  const { node, item, isInFlow } = way;
  const plain = node.kind === 'scalar' && node.style !== 'block' ? node.style : undefined;
  const isPlainDate = plain === 'plain' && isDate(tree.text.slice(node.body, node.end));
  return {
    habits: habitsOf(tree),
    place: way.place,
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

type Carried =
  | { readonly kind: 'lines'; readonly above: readonly string[]; readonly body: Body }
  | { readonly kind: 'flow'; readonly text: string };

function carryItem(tree: YamlTree, { node, isInFlow }: Found, site: Site): Carried {
  const { text } = tree;
  if (isInFlow) {
    // Lines but the first are indented from the content of the first.
    const { head, lines } = linesBelow(text, node.start, node.end, contentColumn(text, node.start));
    const comments = ownComments(tree, node, site);
    return { kind: 'flow', text: [...comments, head, ...lines].join('\n') };
  }
  const item = itemAt(site);
  const { start, end } = ownedSpan(tree, site);
  const column = columnOf(text, item.start);
  const own = lineStart(text, item.start);
  const above = start < own ? text.slice(start, own).split(/\r?\n/u).slice(0, -1) : [];
  const lines = above.map((line) => dedent(line, column));
  return { kind: 'lines', above: lines, body: carryValue(text, item, end) };
}

// Of an item on lines of its own; a comment beside others belongs to the line.
function ownComments(tree: YamlTree, node: YamlNode, site: Site): readonly string[] {
  if (!beginsLine(tree.text, itemAt(site).start)) return [];
  const { start, end } = ownedSpan(tree, site);
  const own = commentsOf(tree.text).filter(({ offset }) => offset >= start && offset < end);
  return own
    .filter(({ offset }) => offset < node.start || offset >= node.end)
    .map(({ text }) => text);
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
