import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { prefixesOf } from '../../core/text.ts';
import { readDocuments } from '../read/document.ts';
import { diff } from '../../patch/diff.ts';
import { evaluate } from '../../patch/evaluate.ts';
import { uniqueKeys } from '../../patch/identity.ts';
import { formatPointer, parseIndex, valueAt } from '../../patch/pointer.ts';
import { addItem, moveItem, removeItem, writeValue } from './items.ts';
import { areApart, type Candidate } from './lines.ts';
import {
  type TextChange,
  type EditRefusal,
  firstProved,
  openState,
  proved,
  refusal,
  type State,
  tokensOf,
  unwritable,
  valueOf,
  whyRefused,
} from './state.ts';
import { followPointer } from './tree.ts';

/** The refusal, or the text with the patch of a diff made in it, changed only where that concerns it. */
export function editYaml(
  text: string,
  patch: readonly TextChange[],
  document = 0,
): { readonly kind: 'edited'; readonly text: string } | EditRefusal {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const own = text.slice(mark.length);
  const reading = readDocuments(own);
  const { errors = [] } = reading.documents[document] ?? {};
  const [error] = [...reading.errors, ...errors];
  if (error) return refusal(reading.lines.place(error.offset).line, error.message);
  if (!(document in reading.documents))
    return refusal(1, `The text has no document ${document + 1}.`);
  const state = openState(own, document, reading);
  const before = valueOf(state);
  const after = evaluate(before, patch);
  // Of many layers, one change for each field is left, which is edited as far as it takes few.
  const isSplit = hasManyLayers(patch, text) && isObject(before) && isObject(after);
  const result = applyPatch(state, isSplit ? memberParts(before, after, '') : patch);
  if (result.kind === 'refused') return result;
  // Each step is proved, but not that the steps are those of the patch.
  if (!deepEqual(valueOf(result), after)) return refusal(1, unwritable);
  return { kind: 'edited', text: mark + result.text };
}

function applyPatch(state: State, patch: readonly TextChange[]): State | EditRefusal {
  let current = state;
  for (const layer of layersOf(patch)) {
    const next = partByPart(current, layer) ?? applyLayer(current, layer);
    if (next.kind === 'refused') return next;
    current = next;
  }
  return current;
}

/** Changes within a layer can be made in any order; each depends on earlier layers only. */
function layersOf(patch: readonly TextChange[]): readonly (readonly TextChange[])[] {
  const layers: TextChange[][] = [];
  // By pointer, the number of layers taken by changes at it, and by those at or below it.
  const at = new Map<string, number>();
  const within = new Map<string, number>();
  let layer = 0;
  for (const [index, change] of patch.entries()) {
    // Adding, moving or removing an item shifts its siblings, so the scope is the holder.
    const scope = change.op === 'replace' ? change.path : holderOf(change.path);
    const prefixes = prefixesOf(scope);
    const above = prefixes.map((prefix) => at.get(prefix) ?? 0);
    if (!addsBehind(change, patch[index - 1])) layer = Math.max(within.get(scope) ?? 0, ...above);
    at.set(scope, layer + 1);
    for (const prefix of prefixes) within.set(prefix, Math.max(within.get(prefix) ?? 0, layer + 1));
    (layers[layer] ??= []).push(change);
  }
  return layers;
}

function holderOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

// Elements that are added from the first to the last leave each other's place as it is in the text.
function addsBehind(change: TextChange, former: TextChange | undefined): boolean {
  if (change.op !== 'add' || former?.op !== 'add') return false;
  const [index, before] = [indexIn(change.path), indexIn(former.path)];
  const isSameList = holderOf(change.path) === holderOf(former.path);
  return isSameList && index !== undefined && before !== undefined && index > before;
}

function indexIn(path: string): number | undefined {
  return parseIndex(path.slice(path.lastIndexOf('/') + 1));
}

// UTF-16 code units that the layers of one patch may read again, at some microseconds each.
const mostRead = 4_000_000;

// Allowed for a text of any length.
const fewestLayers = 20;

function hasManyLayers(patch: readonly TextChange[], text: string): boolean {
  const most = mostRead / (text.length + JSON.stringify(patch).length);
  return layersOf(patch).length > Math.max(fewestLayers, most);
}

function partByPart(state: State, layer: readonly TextChange[]): State | undefined {
  if (layer.length < 2) return undefined;
  const parts = layer.map((change) => partsIn(state, change));
  if (parts.every((each) => each === undefined)) return undefined;
  const next = applyPatch(
    state,
    layer.flatMap((change, index) => parts[index] ?? [change]),
  );
  return next.kind === 'state' ? next : undefined;
}

// In one step if possible, since each step parses the whole text; else in halves.
function applyLayer(state: State, layer: readonly TextChange[]): State | EditRefusal {
  const [first, ...others] = layer;
  if (!first) return state;
  const together = applyTogether(state, layer);
  if (together) return together;
  if (others.length === 0) return applyChange(state, first);
  const half = Math.ceil(layer.length / 2);
  const next = applyLayer(state, layer.slice(0, half));
  return next.kind === 'refused' ? next : applyLayer(next, layer.slice(half));
}

function applyTogether(state: State, layer: readonly TextChange[]): State | undefined {
  const candidates: Candidate[] = [];
  const added = new Map<string, number>();
  for (const change of layer) {
    const index = change.op === 'add' ? indexIn(change.path) : undefined;
    const list = holderOf(change.path);
    const earlier = added.get(list) ?? 0;
    if (index !== undefined) added.set(list, earlier + 1);
    // In the text, the elements that this layer adds in front of it are not there yet.
    const path = index === undefined ? change.path : `${list}/${index - earlier}`;
    const best = bestCandidate(state, { ...change, path });
    // A second step would not fit the text, which other changes alter too.
    if (!best || best.second) return undefined;
    candidates.push(best);
  }
  if (!areApart(candidates)) return undefined;
  return proved(state, candidates, evaluate(valueOf(state), layer));
}

function applyChange(state: State, change: TextChange): State | EditRefusal {
  const before = valueOf(state);
  const after = evaluate(before, [change]);
  if (deepEqual(before, after)) return state;
  const parts = partsIn(state, change);
  const itemByItem = parts && applyPatch(state, parts);
  if (itemByItem?.kind === 'state') return itemByItem;
  // A collection that can't be edited item by item is written again, unless comments would be lost.
  const candidates = candidatesFor(state, change);
  const allowed = itemByItem
    ? candidates.map((candidate) => ({ ...candidate, losing: undefined }))
    : candidates;
  const next = firstProved(state, allowed, after);
  if (next) return next;
  if (itemByItem) return itemByItem;
  if (change.op !== 'move') return whyRefused(state, change);
  // Loses the text of the moved value: its comments and style.
  const { from, path } = change;
  const value = valueAt(before, tokensOf(from)) ?? null;
  return applyPatch(state, [
    { op: 'remove', path: from },
    { op: 'add', path, value },
  ]);
}

function partsIn(state: State, change: TextChange): readonly TextChange[] | undefined {
  if (change.op !== 'replace' || !(isArray(change.value) || isObject(change.value)))
    return undefined;
  const pointer = tokensOf(change.path);
  const way = followPointer(state.tree().root, pointer);
  const former = valueAt(valueOf(state), pointer);
  if (way.kind !== 'found' || way.node.kind === 'alias' || former === undefined) return undefined;
  const parts = partsOf(former, change.value, change.path);
  return parts && hasManyLayers(parts, state.text) ? undefined : parts;
}

/**
 * Edits a collection item by item, so that unchanged items keep their text. Undefined if either
 * value is empty, the kinds differ, or nothing of a list stays.
 */
function partsOf(former: JsonValue, value: JsonValue, path: string) {
  if (isNone(former) || isNone(value)) return undefined;
  if (isObject(former) && isObject(value)) return memberParts(former, value, path);
  return isArray(former) && isArray(value) ? elementParts(former, value, path) : undefined;
}

function isNone(value: JsonValue): boolean {
  return (isArray(value) || isObject(value)) && Object.keys(value).length === 0;
}

// Additions come before removals: a mapping that becomes empty would lose its style.
function memberParts(former: JsonObject, value: JsonObject, path: string): readonly TextChange[] {
  const at = (key: string): string => path + formatPointer([key]);
  const written = Object.entries(value).flatMap(([key, member]): TextChange[] => {
    if (!Object.hasOwn(former, key)) return [{ op: 'add', path: at(key), value: member }];
    return deepEqual(former[key], member) ? [] : [{ op: 'replace', path: at(key), value: member }];
  });
  const removed = Object.keys(former).filter((key) => !Object.hasOwn(value, key));
  return [...written, ...removed.map((key): TextChange => ({ op: 'remove', path: at(key) }))];
}

function elementParts(former: JsonArray, value: JsonArray, path: string) {
  const key = keyOf(former, value);
  const edits = diff(former, value, key === undefined ? {} : { keys: { '': [key] } });
  const changes = edits.map(({ operation }): TextChange => {
    const moved = { ...operation, path: path + operation.path };
    return 'from' in moved ? { ...moved, from: path + moved.from } : moved;
  });
  const removals = changes.filter(({ op }) => op === 'remove').length;
  return removals < former.length ? changes : undefined;
}

// Only where neither `name` nor `id` identifies the elements.
function keyOf(former: JsonArray, value: JsonArray): string | undefined {
  const [first] = former;
  const isUsual = [['name'], ['id']].some((key) => uniqueKeys(former, key));
  if (!isObject(first) || isUsual) return undefined;
  return Object.keys(first).find(
    (member) => uniqueKeys(former, [member]) && uniqueKeys(value, [member]),
  );
}

function candidatesFor(state: State, change: TextChange): IteratorObject<Candidate> {
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
      return moveItem(tree, from, pointer, valueAt(valueOf(state), from) ?? null);
    }
  }
}

// The best text of a change that takes one step.
function bestCandidate(state: State, change: TextChange): Candidate | undefined {
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
  const [best] = isOpen ? candidatesFor(state, change) : [];
  return best;
}
