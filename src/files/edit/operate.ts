import { deepEqual, isObject, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { evaluate } from '../../patch/evaluate.ts';
import type { Operation, Patch } from '../../patch/operation.ts';
import { childAt, parsePointer, type Pointer, valueAt } from '../../patch/pointer.ts';
import { writeOut } from './alias.ts';
import type { Candidate } from './block.ts';
import { addItem, removeItem, renameKey, writeValue } from './candidates.ts';
import { moveItem } from './move.ts';
import { partsOf } from './parts.ts';
import { obstacleFor, type Refusal, refusal, whyRefused } from './refusal.ts';
import { firstProved, originOf, type State, valueOf, withNotice } from './state.ts';
import { followPointer } from './way.ts';

/** The text after one operation; an operation that changes no value changes no byte. */
export function applyOperation(state: State, operation: Operation): State | Refusal {
  const before = valueOf(state);
  const after = evaluate(before, [operation]);
  if (deepEqual(before, after)) return state;
  const change = toChange(before, operation);
  const steps = change.op === 'move' ? stepsOf(state, change) : undefined;
  if (steps) return applyAll(state, steps);
  const cleared = clearWays(state, change);
  if (cleared.kind === 'refused') return cleared;
  return overrideMerged(cleared, change, after) ?? applyChange(cleared, change, after);
}

/** One operation after the other. */
export function applyAll(state: State, patch: Patch): State | Refusal {
  let current = state;
  for (const operation of patch) {
    const next = applyOperation(current, operation);
    if (next.kind === 'refused') return next;
    current = next;
  }
  return current;
}

function tokensOf(pointer: string): Pointer {
  return parsePointer(pointer) ?? [];
}

/** An operation that changes something; `add` adds what was not there. */
type Change = Exclude<Operation, { readonly op: 'copy' | 'test' }>;
type Move = Extract<Operation, { readonly op: 'move' }>;

/** An operation on a document where it applies, and changes something. */
function toChange(document: JsonValue, operation: Operation): Change {
  if (operation.op === 'remove' || operation.op === 'replace' || operation.op === 'move') {
    return operation;
  }
  const { path } = operation;
  const value =
    operation.op === 'copy'
      ? (valueAt(document, tokensOf(operation.from)) ?? null)
      : operation.value;
  return { op: isThere(document, tokensOf(path)) ? 'replace' : 'add', path, value };
}

/** Whether adding at a pointer replaces something (RFC 6902 §4.1). */
function isThere(document: JsonValue, pointer: Pointer): boolean {
  const parent = valueAt(document, pointer.slice(0, -1));
  return pointer.length === 0 || (isObject(parent) && valueAt(document, pointer) !== undefined);
}

/** Aliases on the way to what changes are written out: what they stand for stays as it is. */
function clearWays(state: State, operation: Change): State | Refusal {
  const ways = operation.op === 'move' ? [operation.from, operation.path] : [operation.path];
  let current: State = state;
  for (const pointer of ways.map(tokensOf)) {
    const cleared = clearWay(current, pointer);
    if (cleared.kind === 'refused') return cleared;
    current = cleared;
  }
  return current;
}

function clearWay(state: State, pointer: Pointer): State | Refusal {
  const way = followPointer(state.tree.root, pointer);
  if (way.kind !== 'alias') return state;
  const alias = pointer.slice(0, way.depth);
  const value = valueAt(valueOf(state), alias) ?? null;
  const line = originOf(state, way.node.start);
  const name = quote(state.tree.text.slice(way.node.body, way.node.end));
  const next = firstProved(state, writeOut(state.tree, alias, value), valueOf(state));
  if (!next) return refusal(line, `The alias ${name} can't be written out here: do it by hand.`);
  const message = `The alias ${name} is written out, because only this use of it changes.`;
  return clearWay(withNotice(next, line, message), pointer);
}

/** A key that a merge brings in is written anew, next to the merge; it cannot be taken away. */
function overrideMerged(
  state: State,
  change: Change,
  after: JsonValue,
): State | Refusal | undefined {
  const pointer = tokensOf(change.path);
  const way = followPointer(state.tree.root, pointer);
  if (way.kind !== 'merged') return undefined;
  const key = pointer.slice(0, way.depth + 1);
  const name = quote(key.at(-1) ?? '');
  const line = originOf(state, way.merge.start);
  const value = valueAt(after, key);
  if (value === undefined) {
    return refusal(line, `The key ${name} comes from this merge (<<): remove it there by hand.`);
  }
  const next = firstProved(state, addItem(state.tree, key, { value }), after);
  if (!next) return whyRefused(state, change);
  return withNotice(next, line, `The key ${name} overrides what this merge (<<) brings in.`);
}

/** A move in steps, where it is more than lines that go elsewhere. */
function stepsOf(state: State, move: Move): Patch | undefined {
  const { from, path } = move;
  const [source, target] = [from, path].map((pointer) =>
    followPointer(state.tree.root, tokensOf(pointer)),
  );
  if (source?.kind === 'merged' || target?.kind === 'merged') return valueSteps(state, move);
  if (!isThere(valueOf(state), tokensOf(path))) return undefined;
  // What is there goes first, unless what moves is a part of it.
  return from.startsWith(`${path}/`) ? valueSteps(state, move) : [{ op: 'remove', path }, move];
}

function valueSteps(state: State, move: Move): Patch {
  return [
    { op: 'remove', path: move.from },
    { op: 'add', path: move.path, value: movedValue(state, move) },
  ];
}

function movedValue(state: State, { from }: Move): JsonValue {
  return valueAt(valueOf(state), tokensOf(from)) ?? null;
}

/** Whether a member gets another name in its mapping, which has no such member. */
function isRename(state: State, { from, path }: Move): boolean {
  const [source, target] = [tokensOf(from), tokensOf(path)];
  const holder = valueAt(valueOf(state), source.slice(0, -1));
  const isSameHolder = deepEqual(source.slice(0, -1), target.slice(0, -1));
  return isSameHolder && isObject(holder) && childAt(holder, target.at(-1) ?? '') === undefined;
}

function applyChange(state: State, change: Change, after: JsonValue): State | Refusal {
  const obstacle = obstacleFor(state, change);
  if (obstacle) return obstacle;
  const next = inParts(state, change) ?? firstProved(state, candidatesFor(state, change), after);
  if (next) return next;
  return change.op === 'move'
    ? applyAll(state, valueSteps(state, change))
    : whyRefused(state, change);
}

/** A collection in the place of another of its kind is edited item by item. */
function inParts(state: State, change: Change): State | undefined {
  if (change.op !== 'replace') return undefined;
  const pointer = tokensOf(change.path);
  const way = followPointer(state.tree.root, pointer);
  const former = valueAt(valueOf(state), pointer);
  if (way.kind !== 'found' || way.node.kind === 'alias' || former === undefined) return undefined;
  const parts = partsOf(former, change.value, change.path);
  const next = parts && applyAll(state, parts);
  return next?.kind === 'going' ? next : undefined;
}

function candidatesFor(state: State, change: Change): Iterable<Candidate> {
  const { tree } = state;
  const pointer = tokensOf(change.path);
  switch (change.op) {
    case 'add':
      return addItem(tree, pointer, change);
    case 'replace':
      return writeValue(tree, pointer, change.value, valueAt(valueOf(state), pointer));
    case 'remove':
      return removeItem(tree, pointer);
    case 'move':
      return isRename(state, change)
        ? renameKey(tree, tokensOf(change.from), pointer.at(-1) ?? '')
        : moveItem(tree, tokensOf(change.from), pointer, movedValue(state, change));
  }
}
