import type { JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { swapInBlock } from './block.ts';
import { type Body, type Manner, writeBody } from './body.ts';
import { carryBlock, flowText } from './carried.ts';
import { swapInFlow } from './flow.ts';
import { type Habits, habitsAround, nameBelow } from './habits.ts';
import {
  applySplices,
  type Candidate,
  columnOf,
  dedent,
  indentationOf,
  inWhole,
  isBlankLine,
  nextLine,
  type Span,
  type Splice,
} from './lines.ts';
import { isBlockCollection, nodesOf, type Property, type YamlNode } from './node.ts';
import { type FormerBlock, isDate, type WishedStyle } from './scalar.ts';
import { followPointer, type Found, parseTree, reparseTree, type YamlTree } from './tree.ts';

/** Ways to write another value at a pointer, the best first. */
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
  if (tag) yield* withoutTag(tree, tag, (bare) => writeValue(bare, pointer, value));
}

/** Text of several lines may have to go without a block scalar. */
export function* bodiesOf(value: JsonValue, manner: Manner): Generator<Body> {
  const body = writeBody(value, manner);
  yield body;
  if (body.lines.length > 0) yield writeBody(value, { ...manner, isBlockless: true });
}

/** Another body in the place of a value. */
function* swapBody(tree: YamlTree, way: Found, body: Body, habits: Habits): Generator<Candidate> {
  if (way.isInFlow) yield swapInFlow(way, body.head);
  else yield* swapInBlock(tree, way, body, habits);
}

/** As the value was written that stands there. */
function mannerFor(tree: YamlTree, way: Found): Manner {
  const { node, item, site, isInFlow } = way;
  const habits = habitsAround(tree, site?.holder ?? tree.root);
  return {
    habits,
    name: item ? nameBelow(habits, item) : '',
    isMember: !item || item.key !== undefined,
    isFlow: isInFlow,
    style: styleOf(tree.text, node),
    former: formerBlock(tree.text, way),
  };
}

function styleOf(text: string, node: YamlNode): WishedStyle | undefined {
  if (node.kind !== 'scalar' || node.style === 'block') return undefined;
  const isPlainDate = node.style === 'plain' && isDate(text.slice(node.body, node.end));
  return isPlainDate ? 'date' : node.style;
}

function formerBlock(text: string, { node, item }: Found): FormerBlock | undefined {
  if (node.kind !== 'scalar' || node.style !== 'block') return undefined;
  const lines = text.slice(nextLine(text, node.blockHeaderEnd), node.end).split(/\r?\n/u);
  const itemColumn = item ? columnOf(text, item.start) : 0;
  // A number in the header says how far it is indented: its first line may begin with spaces.
  const said = /^[|>][-+]?([1-9])/u.exec(text.slice(node.body, node.blockHeaderEnd))?.[1];
  const first = lines.find((line) => !isBlankLine(line)) ?? '';
  const column = said === undefined ? indentationOf(first) : itemColumn + Number(said);
  return {
    isFolded: text[node.body] === '>',
    step: Math.max(1, column - itemColumn),
    lines: lines.map((line) => dedent(line, column)),
  };
}

/** The same in a text without a tag, which the new value may not fit. */
function* withoutTag(
  tree: YamlTree,
  { start, end: tagEnd }: Property,
  candidates: (tree: YamlTree) => Generator<Candidate>,
): Generator<Candidate> {
  const { text } = tree;
  const end = text[tagEnd] === ' ' ? tagEnd + 1 : tagEnd;
  const removal = { start, end, text: '' };
  const bare = reparseTree(applySplices(text, [removal]), tree);
  // Places in the text without the tag, as places in the text with it.
  const moved = (at: number): number => (at < start ? at : at + end - start);
  const shift = <Kind extends Span>(span: Kind): Kind => ({
    ...span,
    start: moved(span.start),
    end: moved(span.end),
  });
  for (const { splices, losing } of candidates(bare)) {
    yield { splices: [removal, ...splices.map(shift)], losing: losing && shift(losing) };
  }
}

/** Ways to write out in its place what an alias stands for, the best first. */
export function* writeOut(
  tree: YamlTree,
  pointer: Pointer,
  value: JsonValue,
): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || way.node.kind !== 'alias') return;
  const body = way.node.target && copyOf(tree.text, way.node.target, way.isInFlow);
  if (body) {
    const habits = habitsAround(tree, way.site?.holder ?? tree.root);
    for (const { splices } of swapBody(tree, way, body, habits)) {
      const text = withoutAnchors(applySplices(tree.text, splices), tree.document, pointer);
      yield { splices: [inWhole(tree.text, text)] };
    }
  }
  yield* writeValue(tree, pointer, value);
}

/** The text of a value without its own properties, if it may stand elsewhere as it is. */
function copyOf(text: string, target: YamlNode, isFlow: boolean): Body | undefined {
  if (isBlockCollection(target)) return isFlow ? undefined : carryBlock(text, target, target.end);
  const head = flowText(text, target, target.body);
  return head === undefined ? undefined : { head, lines: [] };
}

/** The anchors of a copy would take the aliases that follow away from the original. */
function withoutAnchors(text: string, document: number, pointer: Pointer): string {
  const way = followPointer(parseTree(text, document).root, pointer);
  if (way.kind !== 'found') return text;
  const splices = [...nodesOf(way.node)].flatMap((node) => anchorRemoval(text, node));
  return applySplices(text, splices);
}

function anchorRemoval(text: string, { anchor }: YamlNode): readonly Splice[] {
  if (!anchor) return [];
  const { start, end } = anchor;
  const isFollowed = text[end] === ' ';
  return [{ start: isFollowed ? start : start - 1, end: isFollowed ? end + 1 : end, text: '' }];
}
