import type { JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { Body } from './body.ts';
import { carryBlock } from './carried.ts';
import { habitsAround } from './habits.ts';
import { flowText } from './move.ts';
import { isBlockCollection, nodesOf, type YamlNode } from './node.ts';
import { applySplices, type Candidate, inWhole, type Splice } from './splice.ts';
import { parseTree, type YamlTree } from './tree.ts';
import { followPointer } from './way.ts';
import { swapBody, writeValue } from './write-value.ts';

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
