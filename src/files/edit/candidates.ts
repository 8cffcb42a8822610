import { deepEqual } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import type { Operation } from '../../patch/operation.ts';
import { type Pointer, valueAt } from '../../patch/pointer.ts';
import {
  isRename,
  isScalarReplacement,
  isScalarValue,
  partsOf,
  type Replacement,
  toChange,
  tokensOf,
  type ValueChange,
} from './change.ts';
import { addItem, moveItem, removeItem, renameKey } from './items.ts';
import type { Candidate, Splice } from './lines.ts';
import { type AliasNode, isBlockCollection, nodesOf, type YamlNode } from './compose.ts';
import { spliceInLine } from './scalar.ts';
import { originOf, type State, valueOf } from './state.ts';
import { followPointer, type Found } from './tree.ts';
import { writeValue } from './write-value.ts';

export function candidatesFor(state: State, change: ValueChange): Iterable<Candidate> {
  const tree = state.tree();
  const pointer = tokensOf(change.path);
  switch (change.op) {
    case 'add':
      return addItem(tree, pointer, change);
    case 'replace':
      return writeValue(tree, pointer, change.value);
    case 'remove':
      return removeItem(tree, pointer);
    case 'move': {
      const from = tokensOf(change.from);
      const value = valueOf(state);
      return isRename(value, change)
        ? renameKey(tree, from, pointer.at(-1) ?? '')
        : moveItem(tree, from, pointer, valueAt(value, from) ?? null);
    }
  }
}

export function bestCandidate(state: State, operation: Operation): Candidate | undefined {
  if (operation.op === 'test') return { splices: [], isInLine: true };
  const inLine = isScalarReplacement(operation) && inLineSplice(state, operation);
  if (inLine) return { splices: [inLine], isInLine: true };
  const change = toChange(valueOf(state), operation);
  if (change.op === 'replace') return replacementCandidate(state, change);
  const kinds = change.op === 'remove' ? ['found'] : ['found', 'absent'];
  if (change.op === 'move' || !isOpen(state, change, kinds)) return undefined;
  const [best] = candidatesFor(state, change);
  return best;
}

export function inLineSplice(state: State, { path, value }: Replacement): Splice | undefined {
  if (typeof value !== 'string') return undefined;
  const { text, document } = state;
  return spliceInLine(text, { document, pointer: tokensOf(path), value });
}

// A collection that replaces one of its own kind is edited item by item (`partsOf`).
function replacementCandidate(state: State, change: Replacement): Candidate | undefined {
  const former = valueAt(valueOf(state), tokensOf(change.path)) ?? null;
  if (deepEqual(former, change.value)) return { splices: [] };
  if (partsOf(former, change.value, change.path) || !isOpen(state, change, ['found'])) {
    return undefined;
  }
  const [best] = candidatesFor(state, change);
  const isOfScalars = isScalarValue(former) && isScalarValue(change.value);
  return best && isOfScalars ? { splices: best.splices } : best;
}

function isOpen(state: State, change: ValueChange, kinds: readonly string[]): boolean {
  const way = followPointer(state.tree().root, tokensOf(change.path));
  return kinds.includes(way.kind) && obstacleFor(state, change) === undefined;
}

/** Why the text was left unchanged, with a line that counts from 1. */
export type EditRefusal = {
  readonly kind: 'refused';
  readonly line: number;
  readonly reason: string;
};

export function refusal(line: number, reason: string): EditRefusal {
  return { kind: 'refused', line, reason };
}

export function obstacleFor(state: State, change: ValueChange): EditRefusal | undefined {
  const way = followPointer(state.tree().root, sourceOf(change));
  if (way.kind !== 'found' || !way.item) return undefined;
  const { key, indicator, start } = way.item;
  if (key?.isExplicit && indicator === undefined) {
    return refusal(
      originOf(state, start),
      `The key ${quote(key.text ?? '')} has no colon: write "key:" instead of "? key".`,
    );
  }
  if (change.op !== 'replace' || !isCommented(way.node)) return undefined;
  const what = key ? `the key ${quote(key.text ?? '')}` : 'the dash';
  return refusal(
    originOf(state, way.node.start),
    `A comment between ${what} and its value is in the way: move it above.`,
  );
}

// Comments between a key and a block collection belong to its first item.
function isCommented(node: YamlNode): boolean {
  return node.isCommented && node.kind !== 'empty' && !isBlockCollection(node);
}

export function whyRefused(state: State, change: ValueChange): EditRefusal {
  const shared = sharedAnchor(state, placesOnWay(state, sourceOf(change)));
  if (!shared?.target?.anchor) {
    const line = lineOfPath(state, change.op === 'move' ? change.from : change.path);
    return refusal(line, "contract-sync can't write this change here: make it yourself.");
  }
  const { text, start } = shared.target.anchor;
  const user = originOf(state, shared.start);
  return refusal(
    originOf(state, start),
    `Line ${user} also uses the anchor ${quote(text)}: edit both yourself.`,
  );
}

function sourceOf(change: ValueChange): Pointer {
  return tokensOf(change.op === 'move' ? change.from : change.path);
}

/** If the path is absent, the line of its nearest ancestor. */
export function lineOfPath(state: State, path: string): number {
  const place = placesOnWay(state, tokensOf(path)).at(-1);
  return originOf(state, place?.item?.start ?? place?.node.start ?? 0);
}

function placesOnWay({ tree }: State, pointer: Pointer): readonly Found[] {
  return [...Array(pointer.length + 1).keys()]
    .map((length) => followPointer(tree().root, pointer.slice(0, length)))
    .filter((way) => way.kind === 'found');
}

function sharedAnchor({ tree }: State, way: readonly Found[]): AliasNode | undefined {
  const { root, aliases } = tree();
  const inside = new Set(nodesOf(way.at(-1)?.node ?? root));
  const nodes = way.flatMap(({ item, node }) => (item?.key ? [item.key.node, node] : [node]));
  const concerned = new Set([...nodes, ...inside]);
  return aliases.find((alias) => !inside.has(alias) && alias.target && concerned.has(alias.target));
}
