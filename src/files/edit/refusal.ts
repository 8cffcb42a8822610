import { quote } from '../../core/text.ts';
import type { Operation } from '../../patch/operation.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { toChange, tokensOf, type ValueChange } from './change.ts';
import { errorsIn, type State, valueOf } from './state.ts';
import {
  followPointer,
  type Found,
  isBlockCollection,
  isCollection,
  nodesOf,
  type YamlNode,
} from './tree.ts';

/** Why the text was left unchanged, with a line that counts from 1. */
export type EditRefusal = {
  readonly kind: 'refused';
  readonly line: number;
  readonly reason: string;
};

export function refusal(line: number, reason: string): EditRefusal {
  return { kind: 'refused', line, reason };
}

export const unwritable = "contract-sync can't write this change here: make it yourself.";

export function obstacleFor(state: State, change: ValueChange): EditRefusal | undefined {
  const way = followPointer(state.tree().root, sourceOf(change));
  if (way.kind !== 'found' || !way.item) return undefined;
  const { key, indicator, start } = way.item;
  if (key?.isExplicit && indicator === undefined) {
    const written = `The key ${quote(key.text ?? '')} has no colon`;
    return refusal(state.lineOf(start), `${written}: write "key:" instead of "? key".`);
  }
  const { node } = way;
  if (change.op !== 'replace' || !isCommented(node)) return undefined;
  const what = key ? `the key ${quote(key.text ?? '')}` : 'the dash';
  const reason = `A comment between ${what} and its value is in the way: move it above.`;
  return refusal(state.lineOf(node.start), reason);
}

// Comments between a key and a block collection belong to its first item.
function isCommented(node: YamlNode): boolean {
  return node.isCommented && node.kind !== 'empty' && !isBlockCollection(node);
}

export function whyRefused(state: State, change: ValueChange): EditRefusal {
  const way = placesOnWay(state, sourceOf(change));
  const { root, aliases } = state.tree();
  const inside = new Set(nodesOf(way.at(-1)?.node ?? root));
  const nodes = way.flatMap(({ item, node }) => (item?.key ? [item.key.node, node] : [node]));
  const concerned = new Set([...nodes, ...inside]);
  const shared = aliases.find(
    (alias) => !inside.has(alias) && alias.target && concerned.has(alias.target),
  );
  if (!shared?.target?.anchor) {
    const line = lineOfPath(state, change.op === 'move' ? change.from : change.path);
    return refusal(line, unwritable);
  }
  const { text, start } = shared.target.anchor;
  const user = state.lineOf(shared.start);
  const reason = `Line ${user} also uses the anchor ${quote(text)}: edit both yourself.`;
  return refusal(state.lineOf(start), reason);
}

function sourceOf(change: ValueChange): Pointer {
  return tokensOf(change.op === 'move' ? change.from : change.path);
}

// If the path is absent, the line of its nearest ancestor.
export function lineOfPath(state: State, path: string): number {
  const place = placesOnWay(state, tokensOf(path)).at(-1);
  return state.lineOf(place?.item?.start ?? place?.node.start ?? 0);
}

function placesOnWay({ tree }: State, pointer: Pointer): readonly Found[] {
  return [...Array(pointer.length + 1).keys()]
    .map((length) => followPointer(tree().root, pointer.slice(0, length)))
    .filter((way) => way.kind === 'found');
}

// What JSON can't hold is in the text alone: a value that is written from JSON would lose it.
export function lossBy(state: State, operation: Operation): EditRefusal | undefined {
  if (errorsIn(state).length === 0 || operation.op === 'test') return undefined;
  const { root } = state.tree();
  if (operation.op === 'copy') {
    const way = followPointer(root, tokensOf(operation.from));
    const source = way.kind === 'merged' ? way.merge.value : 'node' in way ? way.node : root;
    const loss = lossIn(state, source);
    if (loss) return loss;
  }
  if (toChange(valueOf(state), operation).op !== 'replace') return undefined;
  const way = followPointer(root, tokensOf(operation.path));
  const isWritten = way.kind === 'found' && isCollection(way.node);
  return isWritten ? lossIn(state, way.node) : undefined;
}

export function lossIn(state: State, node: YamlNode): EditRefusal | undefined {
  const errors = errorsIn(state);
  if (errors.length === 0) return undefined;
  const targets = [...nodesOf(node)].map((each) => (each.kind === 'alias' ? each.target : each));
  const error = errors.find(({ offset }) =>
    targets.some((each) => each && offset >= each.start && offset < each.end),
  );
  if (!error) return undefined;
  const reason = `${error.message} A rewrite would lose it: edit it yourself.`;
  return refusal(state.lineOf(error.offset), reason);
}
