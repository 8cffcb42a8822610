import type { JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { swapInBlock, swapInFlow } from './collection.ts';
import { type Body, type Manner, writeBody } from './body.ts';
import { type FormerBlock, isDate } from './scalar.ts';
import {
  type CollectionNode,
  commentsOf,
  followPointer,
  type Found,
  isBlockCollection,
  type Item,
  nodesOf,
  parseTree,
  reparseTree,
  type Site,
  type YamlComment,
  type YamlNode,
  type YamlTree,
} from './tree.ts';
import { type Habits, habitsAround, nameBelow } from './habits.ts';
import {
  applySplices,
  type Candidate,
  columnOf,
  cut,
  dedent,
  indentationOf,
  inWhole,
  isBlankLine,
  isOnLineOf,
  lineStart,
  nextLine,
  ownedSpan,
  type Span,
} from './lines.ts';

export function* writeValue(
  tree: YamlTree,
  pointer: Pointer,
  value: JsonValue,
): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found') return;
  const manner = mannerFor(tree, way);
  for (const body of bodiesOf(value, manner)) yield* swapBody(tree, way, body, manner.habits);
  const { tag } = way.node;
  if (!tag) return;
  // The new value may not fit the tag.
  const { text } = tree;
  const { start } = tag;
  const end = text[tag.end] === ' ' ? tag.end + 1 : tag.end;
  const removal = cut(start, end);
  const bare = reparseTree(applySplices(text, [removal]), tree);
  const moved = (at: number): number => (at < start ? at : at + end - start);
  const shift = <Kind extends Span>(span: Kind): Kind => ({
    ...span,
    start: moved(span.start),
    end: moved(span.end),
  });
  for (const { splices, losing } of writeValue(bare, pointer, value)) {
    yield { splices: [removal, ...splices.map(shift)], losing: losing && shift(losing) };
  }
}

/** Not every place can take a block scalar, so double quotes are the alternative. */
export function* bodiesOf(value: JsonValue, manner: Manner): Generator<Body> {
  const body = writeBody(value, manner);
  yield body;
  if (body.lines.length > 0) yield writeBody(value, { ...manner, isBlockless: true });
}

function* swapBody(tree: YamlTree, way: Found, body: Body, habits: Habits): Generator<Candidate> {
  if (way.isInFlow) yield swapInFlow(way, body.head);
  else yield* swapInBlock(tree, way, body, habits);
}

function mannerFor(tree: YamlTree, way: Found): Manner {
  const { node, item, site, isInFlow } = way;
  const habits = habitsAround(tree, site?.holder ?? tree.root);
  const plain = node.kind === 'scalar' && node.style !== 'block' ? node.style : undefined;
  const isPlainDate = plain === 'plain' && isDate(tree.text.slice(node.body, node.end));
  return {
    habits,
    name: item ? nameBelow(habits.name, item) : '',
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
  const said = /^[|>][-+]?([1-9])/u.exec(text.slice(node.body, node.blockHeaderEnd))?.[1];
  const first = lines.find((line) => !isBlankLine(line)) ?? '';
  const column = said === undefined ? indentationOf(first) : itemColumn + Number(said);
  return {
    isFolded: text[node.body] === '>',
    step: Math.max(1, column - itemColumn),
    lines: lines.map((line) => dedent(line, column)),
  };
}

export function* writeOut(
  tree: YamlTree,
  pointer: Pointer,
  value: JsonValue,
): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || way.node.kind !== 'alias') return;
  const { target } = way.node;
  const body = target && copyOf(tree.text, target, way.isInFlow);
  if (body) {
    const habits = habitsAround(tree, way.site?.holder ?? tree.root);
    for (const { splices } of swapBody(tree, way, body, habits)) {
      const text = withoutAnchors(applySplices(tree.text, splices), tree.document, pointer);
      yield { splices: [inWhole(tree.text, text)] };
    }
  }
  yield* writeValue(tree, pointer, value);
}

function copyOf(text: string, target: YamlNode, isFlow: boolean): Body | undefined {
  if (isBlockCollection(target)) return isFlow ? undefined : carryBlock(text, target, target.end);
  const head = flowText(text, target, target.body);
  return head === undefined ? undefined : { head, lines: [] };
}

// An anchor in the copy would capture the aliases that follow.
function withoutAnchors(text: string, document: number, pointer: Pointer): string {
  const way = followPointer(parseTree(text, document).root, pointer);
  if (way.kind !== 'found') return text;
  const splices = [...nodesOf(way.node)].flatMap(({ anchor }) => {
    if (!anchor) return [];
    const { start, end } = anchor;
    return [text[end] === ' ' ? cut(start, end + 1) : cut(start - 1, end)];
  });
  return applySplices(text, splices);
}

export type Carried = {
  readonly lines: CarriedLines | undefined;
  readonly flow: string | undefined;
  readonly comments: readonly string[];
};

type CarriedLines = {
  readonly above: readonly string[];
  readonly isMember: boolean;
  readonly body: Body;
};

export function carryItem(tree: YamlTree, way: Found, losing: Span | undefined): Carried {
  const flow = flowText(tree.text, way.node);
  const comments = commentsOf(tree.text).filter(
    ({ offset }) => losing && offset >= losing.start && offset < losing.end,
  );
  const inFlow = flow === undefined ? undefined : flowLines(way, flow, comments);
  const lines = way.site && !way.isInFlow ? ownedLines(tree, way.site) : inFlow;
  return { lines, flow, comments: comments.map(({ text }) => text) };
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

function carryValue(text: string, item: Item, end: number): Body {
  const from = item.indicator ?? item.end;
  const { value } = item;
  const column = columnOf(text, item.start);
  if (!isBlockCollection(value)) return linesBelow(text, from, end, column);
  const shift = columnOf(text, value.body) - column;
  if (isOnLineOf(text, from, value.body)) return { ...carryBlock(text, value, end), shift };
  const { head, lines } = linesBelow(text, from, end, columnOf(text, value.body));
  return { head: head.trimEnd(), lines, nested: value.kind, shift };
}

function carryBlock(text: string, node: CollectionNode, end: number): Body {
  const { head, lines } = linesBelow(text, node.body, end, columnOf(text, node.body));
  return { head: '', lines: [head, ...lines], nested: node.kind };
}

function linesBelow(text: string, from: number, end: number, column: number): Body {
  const [head = '', ...lines] = linesBetween(text, from, end);
  return { head, lines: lines.map((line) => dedent(line, column)) };
}

function linesBetween(text: string, start: number, end: number): readonly string[] {
  return text.slice(start, end).split(/\r?\n/u);
}

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

// Undefined where a flow collection can't hold the text.
function flowText(text: string, node: YamlNode, start = node.start): string | undefined {
  const own = text.slice(start, node.end);
  if (node.kind === 'empty' || own.includes('\n')) return undefined;
  if (node.kind !== 'scalar') return own;
  const isOther = node.style === 'block' || (node.style === 'plain' && /[,[\]{}]/u.test(own));
  return isOther ? undefined : own;
}
