import type { JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { Candidate } from './block.ts';
import { writeValue } from './candidates.ts';
import { carryBlock } from './carried.ts';
import { habitsAround } from './habits.ts';
import { flowText } from './move.ts';
import { swapInBlock, swapInFlow } from './swap.ts';
import { applySplices } from './text.ts';
import { type AliasNode, nodesOf, parseTree, type YamlNode, type YamlTree } from './tree.ts';
import { followPointer, type Found } from './way.ts';

/** Ways to write out what an alias stands for in its place, the best first. */
export function* writeOut(
  tree: YamlTree,
  pointer: Pointer,
  value: JsonValue,
): Generator<Candidate> {
  const way = followPointer(tree.root, pointer);
  if (way.kind !== 'found' || way.node.kind !== 'alias') return;
  for (const { text } of copies(tree, way, way.node)) {
    yield { text: withoutAnchors(text, tree.document, pointer) };
  }
  yield* writeValue(tree, pointer, value);
}

function* copies(tree: YamlTree, way: Found, { target }: AliasNode): Generator<Candidate> {
  if (!target) return;
  const { text } = tree;
  const isBlock = (target.kind === 'map' || target.kind === 'seq') && target.style === 'block';
  const flow = flowText(text, { ...target, start: target.body });
  if (way.isInFlow && flow !== undefined) yield swapInFlow(tree, way, flow);
  if (way.isInFlow) return;
  const body = isBlock
    ? carryBlock(text, target, target.end)
    : { head: text.slice(target.body, target.end), lines: [] };
  const habits = habitsAround(tree, way.site?.holder ?? tree.root);
  yield* swapInBlock(tree, way, body, habits);
}

/** The anchors of a copy would take the aliases that follow away from the original. */
function withoutAnchors(text: string, document: number, pointer: Pointer): string {
  const tree = parseTree(text, document);
  const way = tree && followPointer(tree.root, pointer);
  if (way?.kind !== 'found') return text;
  const splices = [...nodesOf(way.node)].flatMap((node) => anchorSplice(text, node));
  return applySplices(text, splices);
}

function anchorSplice(
  text: string,
  { anchor }: YamlNode,
): readonly { start: number; end: number; text: string }[] {
  if (!anchor) return [];
  const { start, end } = anchor;
  const isFollowed = text[end] === ' ';
  return [{ start: isFollowed ? start : start - 1, end: isFollowed ? end + 1 : end, text: '' }];
}
