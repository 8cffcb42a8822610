import { deepEqual, isArray, isObject } from '../../core/json.ts';
import { readDocuments } from '../read/document.ts';
import { evaluate, type Operation, type Patch, PatchError } from '../../patch/evaluate.ts';
import { valueAt } from '../../patch/pointer.ts';
import {
  elementAt,
  hasManyLayers,
  layersOf,
  partsOf,
  replacesMember,
  toChange,
  tokensOf,
  type ValueChange,
  type ValueMove,
  withFewLayers,
} from './change.ts';
import { addItem, moveItem, removeItem, renameKey, writeValue } from './items.ts';
import { areApart, type Candidate } from './lines.ts';
import {
  type EditRefusal,
  firstProved,
  lineOfPath,
  obstacleFor,
  openState,
  proved,
  refusal,
  type RemovedComment,
  type State,
  unwritable,
  valueOf,
  whyRefused,
} from './state.ts';
import { followPointer } from './tree.ts';

/** The patched text, and what a preview should also show. */
export type YamlEdit = {
  readonly kind: 'edited';
  readonly text: string;
  /** Comments that were removed with the values they belong to. */
  readonly removedComments: readonly RemovedComment[];
};

export type EditOptions = {
  /** The index of the document to edit, from 0. */
  readonly document?: number;
};

/**
 * Applies an RFC 6902 patch and changes only the lines that it concerns. The result is parsed
 * again: it holds exactly the patched value, or the edit is refused and nothing changes.
 */
export function editYaml(
  text: string,
  patch: Patch,
  { document = 0 }: EditOptions = {},
): YamlEdit | EditRefusal {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const own = text.slice(mark.length);
  const reading = readDocuments(own);
  const { errors = [] } = reading.documents[document] ?? {};
  const [error] = [...reading.errors, ...errors];
  if (error) return refusal(reading.lines.place(error.offset).line, error.message);
  if (!(document in reading.documents))
    return refusal(1, `The text has no document ${document + 1}.`);
  const state = openState(own, document, reading);
  const after = patched(state, patch);
  if (after.kind === 'refused') return after;
  const result = applyPatch(state, withFewLayers(patch, text, valueOf(state)));
  if (result.kind === 'refused') return result;
  // Each step is proved, but not that the steps are those of the patch.
  if (!deepEqual(valueOf(result), after.value)) return refusal(1, unwritable);
  return { kind: 'edited', text: mark + result.text, removedComments: result.removedComments };
}

function patched(state: State, patch: Patch) {
  try {
    return { kind: 'patched', value: evaluate(valueOf(state), patch) } as const;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return refusal(lineOfPath(state, patch[error.index]?.path ?? ''), error.message);
  }
}

function applyPatch(state: State, patch: Patch): State | EditRefusal {
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
  const together = applyTogether(state, layer);
  if (together) return together;
  if (others.length === 0) return applyOperation(state, first);
  const half = Math.ceil(layer.length / 2);
  const next = applyLayer(state, layer.slice(0, half));
  return next.kind === 'refused' ? next : applyLayer(next, layer.slice(half));
}

function applyTogether(state: State, layer: Patch): State | undefined {
  const candidates: Candidate[] = [];
  const added = new Map<string, number>();
  for (const operation of layer) {
    const place = operation.op === 'add' ? elementAt(operation.path) : undefined;
    const earlier = (place && added.get(place.list)) ?? 0;
    if (place) added.set(place.list, earlier + 1);
    // In the text, the elements that this layer adds in front of it are not there yet.
    const path = place && `${place.list}/${place.index - earlier}`;
    const best = bestCandidate(state, path === undefined ? operation : { ...operation, path });
    // A second step would not fit the text, which other operations change too.
    if (!best || best.second) return undefined;
    candidates.push(best);
  }
  if (!areApart(candidates)) return undefined;
  return proved(state, candidates, evaluate(valueOf(state), layer));
}

function applyOperation(state: State, operation: Operation): State | EditRefusal {
  const before = valueOf(state);
  const after = evaluate(before, [operation]);
  if (deepEqual(before, after)) return state;
  const change = toChange(before, operation);
  if (change.op === 'move') {
    const isWithin = deepEqual(
      tokensOf(change.from).slice(0, -1),
      tokensOf(change.path).slice(0, -1),
    );
    // A move within a list and a new name in a mapping keep the text; any other writes it anew.
    if (!isWithin || replacesMember(before, change.path)) return moveInTwo(state, change);
  }
  const obstacle = obstacleFor(state, change);
  if (obstacle) return obstacle;
  const parts = partsIn(state, change);
  const split = parts && applyPatch(state, parts);
  if (split?.kind === 'state') return split;
  // A collection that can't be edited item by item is written again, unless comments would be lost.
  const candidates = candidatesFor(state, change);
  const allowed = split
    ? candidates.map((candidate) => ({ ...candidate, losing: undefined }))
    : candidates;
  const next = firstProved(state, allowed, after);
  if (next) return next;
  if (split) return split;
  if (change.op === 'move') return moveInTwo(state, change);
  return whyRefused(state, change);
}

// Loses the text of the moved value: its comments and style.
function moveInTwo(state: State, { from, path }: ValueMove): State | EditRefusal {
  const value = valueAt(valueOf(state), tokensOf(from)) ?? null;
  return applyPatch(state, [
    { op: 'remove', path: from },
    { op: 'add', path, value },
  ]);
}

function partsIn(state: State, change: ValueChange): Patch | undefined {
  if (change.op !== 'replace' || !(isArray(change.value) || isObject(change.value)))
    return undefined;
  const pointer = tokensOf(change.path);
  const way = followPointer(state.tree().root, pointer);
  const former = valueAt(valueOf(state), pointer);
  if (way.kind !== 'found' || way.node.kind === 'alias' || former === undefined) return undefined;
  const parts = obstacleFor(state, change) ? undefined : partsOf(former, change.value, change.path);
  return parts && hasManyLayers(parts, state.text) ? undefined : parts;
}

function candidatesFor(state: State, change: ValueChange): IteratorObject<Candidate> {
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
      const value = valueAt(valueOf(state), from) ?? null;
      return isArray(valueAt(valueOf(state), from.slice(0, -1)))
        ? moveItem(tree, from, pointer, value)
        : renameKey(tree, from, pointer.at(-1) ?? '');
    }
  }
}

// The best text of an operation that takes one step.
function bestCandidate(state: State, operation: Operation): Candidate | undefined {
  if (operation.op === 'test') return { splices: [] };
  const change = toChange(valueOf(state), operation);
  if (change.op === 'move') return undefined;
  const pointer = tokensOf(change.path);
  if (change.op === 'replace') {
    const former = valueAt(valueOf(state), pointer) ?? null;
    if (deepEqual(former, change.value)) return { splices: [] };
    // A collection that replaces one of its own kind is edited item by item.
    if (partsOf(former, change.value, change.path)) return undefined;
  }
  const { kind } = followPointer(state.tree().root, pointer);
  const isOpen = kind === 'found' || (kind === 'absent' && change.op === 'add');
  if (!isOpen || obstacleFor(state, change)) return undefined;
  const [best] = candidatesFor(state, change);
  return best;
}
