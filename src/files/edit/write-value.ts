import type { JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { FormerBlock } from './block-scalar.ts';
import { type Body, type Manner, writeBody } from './body.ts';
import { type Habits, habitsAround, nameBelow } from './habits.ts';
import type { Property } from './node.ts';
import { swapInBlock, swapInFlow } from './swap.ts';
import { columnOf, dedent, indentationOf, isBlank, nextLine } from './lines.ts';
import { applySplices, type Candidate, type Span } from './splice.ts';
import { reparseTree, type YamlTree } from './tree.ts';
import { followPointer, type Found } from './way.ts';

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
export function* swapBody(
  tree: YamlTree,
  way: Found,
  body: Body,
  habits: Habits,
): Generator<Candidate> {
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
    style: node.kind === 'scalar' && node.style !== 'block' ? node.style : undefined,
    former: formerBlock(tree.text, way),
  };
}

function formerBlock(text: string, { node, item }: Found): FormerBlock | undefined {
  if (node.kind !== 'scalar' || node.style !== 'block') return undefined;
  const lines = text.slice(nextLine(text, node.blockHeaderEnd), node.end).split(/\r?\n/u);
  const column = indentationOf(lines.find((line) => !isBlank(line)) ?? '');
  return {
    isFolded: text[node.body] === '>',
    step: Math.max(1, column - (item ? columnOf(text, item.start) : 0)),
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
