import { deepEqual } from '../../core/json.ts';
import type { Operation } from '../../patch/operation.ts';
import { valueAt } from '../../patch/pointer.ts';
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
import { spliceInLine } from './one-line.ts';
import { obstacleFor } from './refusal.ts';
import { type State, valueOf } from './state.ts';
import { followPointer } from './tree.ts';
import { writeValue } from './write-value.ts';

/** The texts that a change may lead to, the best first. */
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

/** The best text for an operation that nothing is in the way of; undefined for all others. */
export function bestCandidate(state: State, operation: Operation): Candidate | undefined {
  if (operation.op === 'test') return { splices: [], isInLine: true };
  const inLine = isScalarReplacement(operation) && inLineSplice(state, operation);
  if (inLine) return { splices: [inLine], isInLine: true };
  const change = toChange(valueOf(state), operation);
  switch (change.op) {
    case 'replace':
      return replacementCandidate(state, change);
    case 'add':
    case 'remove':
      return itemCandidate(state, change);
    case 'move':
      return undefined;
  }
}

/** The splice for a text that stays on the line of its key or dash. */
export function inLineSplice(state: State, { path, value }: Replacement): Splice | undefined {
  if (typeof value !== 'string') return undefined;
  const { text, document } = state;
  return spliceInLine(text, { document, pointer: tokensOf(path), value });
}

/** A collection in the place of another of its kind is for others to edit item by item. */
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

function itemCandidate(state: State, change: ValueChange): Candidate | undefined {
  if (!isOpen(state, change, change.op === 'remove' ? ['found'] : ['found', 'absent'])) {
    return undefined;
  }
  const [best] = candidatesFor(state, change);
  return best;
}

/** Whether neither an alias, nor a merge, nor anything that asks for a person is on the way. */
function isOpen(state: State, change: ValueChange, kinds: readonly string[]): boolean {
  const way = followPointer(state.tree().root, tokensOf(change.path));
  return kinds.includes(way.kind) && obstacleFor(state, change) === undefined;
}
