import { deepEqual, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { evaluate } from '../../patch/evaluate.ts';
import type { Operation, Patch } from '../../patch/operation.ts';
import { type Pointer, valueAt } from '../../patch/pointer.ts';
import {
  inTwo,
  isRename,
  isScalarReplacement,
  isScalarValue,
  partsOf,
  piecesOf,
  type Replacement,
  replacesMember,
  toChange,
  tokensOf,
  type ValueChange,
  type ValueMove,
} from './change.ts';
import { addItem, moveItem, removeItem, renameKey } from './items.ts';
import type { Candidate, Splice } from './lines.ts';
import { isBlockCollection } from './node.ts';
import { spliceInLine } from './one-line.ts';
import { obstacleFor, type EditRefusal, refusal, whyRefused } from './refusal.ts';
import { firstProved, originOf, type State, valueOf, withNotice } from './state.ts';
import { followPointer } from './tree.ts';
import { writeOut, writeValue } from './write-value.ts';

/** The text after operations that apply, one after the other. */
export function applyPatch(state: State, patch: Patch): State | EditRefusal {
  let current = state;
  for (const piece of piecesOf(patch)) {
    const next = replaceTogether(current, piece) ?? applyEach(current, piece);
    if (next.kind === 'refused') return next;
    current = next;
  }
  return current;
}

function applyEach(state: State, patch: Patch): State | EditRefusal {
  let current = state;
  for (const operation of patch) {
    const next = applyOperation(current, operation);
    if (next.kind === 'refused') return next;
    current = next;
  }
  return current;
}

/** An operation that changes no value changes no byte. */
function applyOperation(state: State, operation: Operation): State | EditRefusal {
  const before = valueOf(state);
  const after = evaluate(before, [operation]);
  if (deepEqual(before, after)) return state;
  const inLine = isScalarReplacement(operation) && inLineSplice(state, operation);
  const quick = inLine && firstProved(state, [{ splices: [inLine], isInLine: true }], after);
  if (quick) return quick;
  const change = toChange(before, operation);
  const steps = change.op === 'move' ? stepsOf(state, change) : undefined;
  if (steps) return applyPatch(state, steps);
  const cleared = clearWays(state, change);
  if (cleared.kind === 'refused') return cleared;
  return overrideMerged(cleared, change, after) ?? applyChange(cleared, change, after);
}

/** A move in steps, where it is more than lines that go elsewhere. */
function stepsOf(state: State, move: ValueMove): Patch | undefined {
  const value = valueOf(state);
  const { from, path } = move;
  const isMerged = [from, path].some(
    (pointer) => followPointer(state.tree().root, tokensOf(pointer)).kind === 'merged',
  );
  if (isMerged) return inTwo(value, move);
  if (!replacesMember(value, path)) return undefined;
  // What is there goes first, unless what moves is a part of it.
  return from.startsWith(`${path}/`) ? inTwo(value, move) : [{ op: 'remove', path }, move];
}

/** Aliases on the way to what changes are written out: what they stand for stays as it is. */
function clearWays(state: State, change: ValueChange): State | EditRefusal {
  const cleared = change.op === 'move' ? clearWay(state, tokensOf(change.from)) : state;
  return cleared.kind === 'refused' ? cleared : clearWay(cleared, tokensOf(change.path));
}

function clearWay(state: State, pointer: Pointer): State | EditRefusal {
  const way = followPointer(state.tree().root, pointer);
  if (way.kind !== 'alias') return state;
  const at = pointer.slice(0, way.depth);
  const value = valueOf(state);
  const candidates = writeOut(state.tree(), at, valueAt(value, at) ?? null);
  const next = firstProved(state, candidates, value);
  const line = originOf(state, way.node.start);
  const name = quote(state.text.slice(way.node.body, way.node.end));
  if (!next) return refusal(line, `The alias ${name} can't be expanded here: expand it by hand.`);
  const message = `The alias ${name} is expanded, because only this use of it changes.`;
  return clearWay(withNotice(next, line, message), pointer);
}

/** A key that a merge brings in is written anew, next to the merge; it cannot be taken away. */
function overrideMerged(
  state: State,
  change: ValueChange,
  after: JsonValue,
): State | EditRefusal | undefined {
  const pointer = tokensOf(change.path);
  const way = followPointer(state.tree().root, pointer);
  if (way.kind !== 'merged') return undefined;
  const key = pointer.slice(0, way.depth + 1);
  const name = quote(key.at(-1) ?? '');
  const line = originOf(state, way.merge.start);
  const value = valueAt(after, key);
  if (value === undefined) {
    return refusal(line, `The key ${name} comes from this merge (<<): remove it there by hand.`);
  }
  const next = firstProved(state, addItem(state.tree(), key, { value }), after);
  if (!next) return whyRefused(state, change);
  return withNotice(next, line, `The key ${name} overrides the value from this merge (<<).`);
}

function applyChange(state: State, change: ValueChange, after: JsonValue): State | EditRefusal {
  const obstacle = obstacleFor(state, change);
  if (obstacle) return obstacle;
  const next = inParts(state, change) ?? firstProved(state, candidatesFor(state, change), after);
  if (next) return next;
  if (change.op === 'move') return applyPatch(state, inTwo(valueOf(state), change));
  return firstProved(state, holderAnew(state, change, after), after) ?? whyRefused(state, change);
}

/** The flow collection around a change, written anew: `[a: 1]` has no braces for a second key. */
function holderAnew(state: State, change: ValueChange, after: JsonValue): Iterable<Candidate> {
  const holder = tokensOf(change.path).slice(0, -1);
  const way = followPointer(state.tree().root, holder);
  const value = valueAt(after, holder);
  if (way.kind !== 'found' || value === undefined || isBlockCollection(way.node)) return [];
  return writeValue(state.tree(), holder, value).map(({ splices }) => ({ splices }));
}

/** A collection in the place of another of its kind is edited item by item. */
function inParts(state: State, change: ValueChange): State | undefined {
  if (change.op !== 'replace') return undefined;
  const pointer = tokensOf(change.path);
  const way = followPointer(state.tree().root, pointer);
  const former = valueAt(valueOf(state), pointer);
  if (way.kind !== 'found' || way.node.kind === 'alias' || former === undefined) return undefined;
  const parts = partsOf(former, change.value, change.path);
  const next = parts && applyPatch(state, parts);
  return next?.kind === 'state' ? next : undefined;
}

/** The texts that a change may lead to, the best first. */
function candidatesFor(state: State, change: ValueChange): Iterable<Candidate> {
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

/**
 * Replaces scalars by scalars in one step, since none is in the way of another: each step reads the
 * whole text again. Undefined where one of them needs more than that.
 */
function replaceTogether(state: State, patch: Patch): State | undefined {
  if (patch.length < 2) return undefined;
  const splices: Splice[] = [];
  let isInLine = true;
  for (const operation of patch) {
    if (!isScalarReplacement(operation)) return undefined;
    const inLine = inLineSplice(state, operation);
    const own = inLine ? [inLine] : scalarSplices(state, operation);
    if (!own) return undefined;
    isInLine &&= inLine !== undefined;
    splices.push(...own);
  }
  return firstProved(state, [{ splices, isInLine }], evaluate(valueOf(state), patch));
}

function inLineSplice(state: State, { path, value }: Replacement): Splice | undefined {
  if (typeof value !== 'string') return undefined;
  const { text, document } = state;
  return spliceInLine(text, { document, pointer: tokensOf(path), value });
}

function scalarSplices(state: State, operation: Replacement): readonly Splice[] | undefined {
  const pointer = tokensOf(operation.path);
  const former = valueAt(valueOf(state), pointer);
  const tree = state.tree();
  if (former === operation.value) return [];
  const isOther =
    !isScalarValue(former) ||
    followPointer(tree.root, pointer).kind !== 'found' ||
    obstacleFor(state, operation) !== undefined;
  const [best] = isOther ? [] : writeValue(tree, pointer, operation.value);
  return best?.splices;
}
