import type { JsonValue } from '../../core/json.ts';
import { parseIndex, type Pointer } from '../../patch/pointer.ts';
import { type Candidate, insertLines, removeLines } from './block.ts';
import { type Body, itemLines, type Manner, writeBody, writeKey } from './body.ts';
import type { FormerBlock } from './block-scalar.ts';
import type { Carried } from './carried.ts';
import { insertFlow, removeFlow } from './flow.ts';
import { type Habits, habitsAround, nameBelow } from './habits.ts';
import { writeScalar } from './scalar.ts';
import { swapInBlock, swapInFlow } from './swap.ts';
import { applySplices, columnOf, dedent, nextLine } from './text.ts';
import { type CollectionNode, parseTree, type YamlNode, type YamlTree } from './tree.ts';
import { followPointer, type Found } from './way.ts';

/** Ways to write another value at a pointer, the best first. */
export function* writeValue(
  tree: YamlTree,
  pointer: Pointer,
  value: JsonValue,
  former?: JsonValue,
): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found') return;
  const manner = mannerFor(tree, way, former);
  for (const body of bodiesOf(value, manner)) yield* swap(tree, way, body, manner.habits);
  if (way.node.tag) yield* withoutTag(tree, way.node, (bare) => writeValue(bare, pointer, value));
}

/** Text of several lines may have to go without a block scalar. */
function* bodiesOf(value: JsonValue, manner: Manner): Generator<Body> {
  const body = writeBody(value, manner);
  yield body;
  if (body.lines.length > 0) yield writeBody(value, { ...manner, isBlockless: true });
}

function* swap(tree: YamlTree, way: Found, body: Body, habits: Habits): Generator<Candidate> {
  if (way.isInFlow) yield swapInFlow(tree, way, body.head);
  else yield* swapInBlock(tree, way, body, habits);
}

function mannerFor(tree: YamlTree, way: Found, former: JsonValue | undefined): Manner {
  const { node, item, site, isInFlow } = way;
  const habits = habitsAround(tree, site?.holder ?? tree.root);
  const isText = typeof former === 'string' && node.kind === 'scalar';
  return {
    habits,
    name: item ? nameBelow(habits.name, item) : '',
    isMember: !item || item.key !== undefined,
    isFlow: isInFlow,
    style: isText && node.style !== 'block' ? node.style : undefined,
    former: formerBlock(tree.text, way),
  };
}

function formerBlock(text: string, { node, item }: Found): FormerBlock | undefined {
  if (node.kind !== 'scalar' || node.style !== 'block') return undefined;
  const content = text.slice(nextLine(text, node.blockHeaderEnd), node.end).split(/\r?\n/u);
  const first = content.find((line) => line.trim() !== '') ?? '';
  const column = first.length - first.trimStart().length;
  return {
    isFolded: text[node.body] === '>',
    step: Math.max(1, column - (item ? columnOf(text, item.start) : 0)),
    lines: content.map((line) => dedent(line, column)),
  };
}

/** The same in a text without a tag that the new value does not fit. */
function* withoutTag(
  { text, document }: YamlTree,
  { tag }: YamlNode,
  candidates: (tree: YamlTree) => Generator<Candidate>,
): Generator<Candidate> {
  if (!tag) return;
  const end = text[tag.end] === ' ' ? tag.end + 1 : tag.end;
  const tree = parseTree(applySplices(text, [{ start: tag.start, end, text: '' }]), document);
  if (!tree) return;
  for (const { text: result, losing } of candidates(tree)) {
    const moved = losing && { start: losing.start, end: losing.end + end - tag.start };
    yield { text: result, losing: moved };
  }
}

/** What is to be added: a value, and where it was moved, the text that it had. */
export type Addition = {
  readonly value: JsonValue;
  readonly carried?: Carried | undefined;
  /** As it may stand in a flow collection. */
  readonly flow?: string | undefined;
  /** The comments that were in what was carried. */
  readonly comments?: readonly string[];
};

/** Ways to add an item, or to replace the member that is there, the best first. */
export function* addItem(
  tree: YamlTree,
  pointer: Pointer,
  addition: Addition,
): Generator<Candidate> {
  const token = pointer.at(-1) ?? '';
  const way = followPointer(tree.root, pointer.slice(0, -1));
  if (way.kind !== 'found' || (way.node.kind !== 'map' && way.node.kind !== 'seq')) return;
  const holder = way.node;
  const there = followPointer(tree.root, pointer);
  if (holder.kind === 'map' && there.kind === 'found') {
    yield* replaceMember(tree, pointer, there, addition);
  } else if (holder.style === 'block') {
    yield* addToBlock(tree, holder, token, addition);
  } else {
    yield* addToFlow(tree, { ...way, node: holder }, token, addition);
  }
}

function* replaceMember(
  tree: YamlTree,
  pointer: Pointer,
  way: Found,
  { value, carried }: Addition,
): Generator<Candidate> {
  const habits = habitsAround(tree, way.site?.holder ?? tree.root);
  if (carried && carried.above.length === 0 && !way.isInFlow) {
    yield* swap(tree, way, carried.body, habits);
  }
  yield* writeValue(tree, pointer, value);
}

function* addToBlock(
  tree: YamlTree,
  holder: CollectionNode,
  token: string,
  addition: Addition,
): Generator<Candidate> {
  const site = { holder, index: indexFor(holder, token) };
  for (const lines of linesFor(tree, holder, token, addition)) yield insertLines(tree, site, lines);
}

function indexFor({ kind, items }: CollectionNode, token: string): number {
  return kind === 'seq' ? (parseIndex(token) ?? items.length) : items.length;
}

/** The lines of a new item: those that were carried here, or new ones. */
function* linesFor(
  tree: YamlTree,
  holder: CollectionNode,
  token: string,
  { value, carried }: Addition,
): Generator<readonly string[]> {
  const habits = habitsAround(tree, holder);
  const indicator = holder.kind === 'map' ? `${writeKey(token, habits)}:` : '-';
  if (carried) yield carriedLines(indicator, carried, habits);
  for (const body of bodiesOf(value, mannerOf(habits, holder, token))) {
    yield itemLines(indicator, body, habits);
  }
}

function carriedLines(
  indicator: string,
  { above, body, isMember }: Carried,
  habits: Habits,
): readonly string[] {
  const isSame = isMember === (indicator !== '-');
  const fitted = isSame ? body : { ...body, head: body.head.trimStart(), shift: undefined };
  return [...above, ...itemLines(indicator, fitted, habits)];
}

function mannerOf(habits: Habits, { kind, style }: CollectionNode, token: string): Manner {
  return {
    habits,
    name: kind === 'map' ? token : `${habits.name}[]`,
    isMember: kind === 'map',
    isFlow: style !== 'block',
  };
}

function* addToFlow(
  tree: YamlTree,
  way: Found & { readonly node: CollectionNode },
  token: string,
  { flow, comments = [], ...addition }: Addition,
): Generator<Candidate> {
  const holder = way.node;
  const habits = habitsAround(tree, holder);
  const isUnsure = holder.items.length === 0 && !way.isInFlow;
  if (isUnsure && !habits.isFlow(holder.kind, habits.name)) {
    for (const lines of linesFor(tree, { ...holder, style: 'block' }, token, addition)) {
      yield* swapInBlock(tree, way, { head: '', lines, nested: holder.kind }, habits);
    }
  }
  const key = holder.kind === 'map' ? `${writeKey(token, habits, true)}: ` : '';
  const manner = { ...mannerOf(habits, holder, token), isFlow: true };
  const site = { holder, index: indexFor(holder, token) };
  const padding = habits.padding[holder.kind];
  for (const text of [flow, writeBody(addition.value, manner).head]) {
    if (text !== undefined) yield insertFlow(tree, site, { text: key + text, comments, padding });
  }
}

/** Ways to remove an item, the best first. */
export function* removeItem(tree: YamlTree, pointer: Pointer): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || !way.site) return;
  const { holder } = way.site;
  if (holder.style === 'block') yield* removeLines(tree, way.site);
  else if (holder.style === 'flow') yield* removeFlow(tree, way.site);
  else yield* writeValue(tree, pointer.slice(0, -1), {});
}

/** A key by another name, where it stands. */
export function* renameKey(tree: YamlTree, pointer: Pointer, name: string): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || !way.site) return;
  const node = way.item?.key?.node;
  if (node?.kind !== 'scalar' || node.style === 'block') return;
  const { quotes } = habitsAround(tree, way.site.holder);
  const text = writeScalar(name, { style: node.style, quotes, isFlow: way.isInFlow });
  yield { text: applySplices(tree.text, [{ start: node.body, end: node.end, text }]) };
}
