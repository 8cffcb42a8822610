import { deepEqual, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { evaluate } from '../../patch/evaluate.ts';
import type { Operation, Patch } from '../../patch/operation.ts';
import { type Pointer, valueAt } from '../../patch/pointer.ts';
import {
  hasManyLayers,
  inTwo,
  isScalarReplacement,
  isScalarValue,
  layersOf,
  partsOf,
  replacesMember,
  toChange,
  tokensOf,
  type ValueChange,
  type ValueMove,
} from './change.ts';
import {
  bestCandidate,
  candidatesFor,
  type EditRefusal,
  inLineSplice,
  obstacleFor,
  refusal,
  whyRefused,
} from './candidates.ts';
import { addItem } from './items.ts';
import { areApart, type Candidate } from './lines.ts';
import { isBlockCollection } from './compose.ts';
import { firstProved, originOf, proved, type State, valueOf, withNotice } from './state.ts';
import { followPointer } from './tree.ts';
import { writeOut, writeValue } from './write-value.ts';

export function applyPatch(state: State, patch: Patch): State | EditRefusal {
  let current = state;
  for (const layer of layersOf(patch)) {
    const next = partByPart(current, layer) ?? applyLayer(current, layer);
    if (next.kind === 'refused') return next;
    current = next;
  }
  return current;
}

function partByPart(state: State, layer: Patch): State | undefined {
  if (layer.length < 2) return undefined;
  const parts = layer.map((operation) => partsIn(state, toChange(valueOf(state), operation)));
  if (parts.every((each) => each === undefined)) return undefined;
  const next = applyPatch(
    state,
    layer.flatMap((operation, index) => parts[index] ?? [operation]),
  );
  return next.kind === 'state' ? next : undefined;
}

// In one step if possible, since each step parses the whole text; else in halves.
function applyLayer(state: State, layer: Patch): State | EditRefusal {
  const [first, ...others] = layer;
  if (!first) return state;
  if (others.length === 0) return applyOperation(state, first);
  const together = applyTogether(state, layer);
  if (together) return together;
  const half = Math.ceil(layer.length / 2);
  const next = applyLayer(state, layer.slice(0, half));
  return next.kind === 'refused' ? next : applyLayer(next, layer.slice(half));
}

function applyTogether(state: State, layer: Patch): State | undefined {
  const candidates: Candidate[] = [];
  for (const operation of layer) {
    const best = bestCandidate(state, operation);
    if (!best) return undefined;
    candidates.push(best);
  }
  if (!areApart(state.text, candidates)) return undefined;
  return proved(state, candidates, evaluate(valueOf(state), layer));
}

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
  // Writes out aliases on the path, so that the anchor's value does not change.
  const source = change.op === 'move' ? clearWay(state, tokensOf(change.from)) : state;
  const cleared = source.kind === 'refused' ? source : clearWay(source, tokensOf(change.path));
  if (cleared.kind === 'refused') return cleared;
  return overrideMerged(cleared, change, after) ?? applyChange(cleared, change, after);
}

function stepsOf(state: State, move: ValueMove): Patch | undefined {
  const value = valueOf(state);
  const { from, path } = move;
  const isMerged = [from, path].some(
    (pointer) => followPointer(state.tree().root, tokensOf(pointer)).kind === 'merged',
  );
  if (isMerged) return inTwo(value, move);
  if (!replacesMember(value, path)) return undefined;
  // The target is removed first, unless it contains the source.
  return from.startsWith(`${path}/`) ? inTwo(value, move) : [{ op: 'remove', path }, move];
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
  if (!next) return refusal(line, `The alias ${name} can't be expanded here: expand it yourself.`);
  const message = `The alias ${name} is expanded, because only this use of it changes.`;
  return clearWay(withNotice(next, line, message), pointer);
}

// A key from a merge is overridden next to the merge; it can't be removed.
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
    return refusal(line, `The key ${name} comes from this merge (<<): remove it there yourself.`);
  }
  const next = firstProved(state, addItem(state.tree(), key, { value }), after);
  if (!next) return whyRefused(state, change);
  return withNotice(next, line, `The key ${name} overrides the value from this merge (<<).`);
}

function applyChange(state: State, change: ValueChange, after: JsonValue): State | EditRefusal {
  const obstacle = obstacleFor(state, change);
  if (obstacle) return obstacle;
  const parts = partsIn(state, change);
  const split = parts && applyPatch(state, parts);
  if (split?.kind === 'state') return split;
  const next = firstProved(state, candidatesFor(state, change), after);
  if (next) return next;
  if (change.op === 'move') return applyPatch(state, inTwo(valueOf(state), change));
  return firstProved(state, holderAnew(state, change, after), after) ?? whyRefused(state, change);
}

// Writes the flow collection around a change again: `[a: 1]` has no braces for a second key.
function holderAnew(state: State, change: ValueChange, after: JsonValue): Iterable<Candidate> {
  const holder = tokensOf(change.path).slice(0, -1);
  const way = followPointer(state.tree().root, holder);
  const value = valueAt(after, holder);
  if (way.kind !== 'found' || value === undefined || isBlockCollection(way.node)) return [];
  return writeValue(state.tree(), holder, value).map(({ splices }) => ({ splices }));
}

function partsIn(state: State, change: ValueChange): Patch | undefined {
  if (change.op !== 'replace' || isScalarValue(change.value)) return undefined;
  const pointer = tokensOf(change.path);
  const way = followPointer(state.tree().root, pointer);
  const former = valueAt(valueOf(state), pointer);
  if (way.kind !== 'found' || way.node.kind === 'alias' || former === undefined) return undefined;
  const parts = obstacleFor(state, change) ? undefined : partsOf(former, change.value, change.path);
  return parts && hasManyLayers(parts, state.text) ? undefined : parts;
}
