import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { prefixesOf } from '../../core/text.ts';
import { diff } from '../../patch/diff.ts';
import { evaluate, type Operation, type Patch } from '../../patch/evaluate.ts';
import { uniqueKeys } from '../../patch/identity.ts';
import {
  formatPointer,
  parseIndex,
  parsePointer,
  type Pointer,
  valueAt,
} from '../../patch/pointer.ts';

/** Excludes copies and tests; `add` never replaces. */
export type ValueChange = Exclude<Operation, { readonly op: 'copy' | 'test' }>;
export type ValueMove = Extract<Operation, { readonly op: 'move' }>;

export function tokensOf(pointer: string): Pointer {
  return parsePointer(pointer) ?? [];
}

export function toChange(document: JsonValue, operation: Operation): ValueChange {
  if (operation.op === 'remove' || operation.op === 'replace' || operation.op === 'move')
    return operation;
  const { path } = operation;
  const value =
    operation.op === 'copy'
      ? (valueAt(document, tokensOf(operation.from)) ?? null)
      : operation.value;
  return { op: replacesMember(document, path) ? 'replace' : 'add', path, value };
}

/** RFC 6902 §4.1: `add` replaces a member that exists. */
export function replacesMember(document: JsonValue, path: string): boolean {
  const pointer = tokensOf(path);
  const holder = valueAt(document, pointer.slice(0, -1));
  return pointer.length === 0 || (isObject(holder) && valueAt(document, pointer) !== undefined);
}

/**
 * Edits a collection item by item, so that unchanged items keep their text. Undefined if either
 * value is empty, the kinds differ, or nothing of a list stays.
 */
export function partsOf(former: JsonValue, value: JsonValue, path: string): Patch | undefined {
  if (isNone(former) || isNone(value)) return undefined;
  if (isObject(former) && isObject(value)) return memberParts(former, value, path);
  return isArray(former) && isArray(value) ? elementParts(former, value, path) : undefined;
}

function isNone(value: JsonValue): boolean {
  return (isArray(value) || isObject(value)) && Object.keys(value).length === 0;
}

// Additions come before removals: a mapping that becomes empty would lose its style.
function memberParts(former: JsonObject, value: JsonObject, path: string): Patch {
  const at = (key: string): string => path + formatPointer([key]);
  const written = Object.entries(value).flatMap(([key, member]): Operation[] => {
    if (!Object.hasOwn(former, key)) return [{ op: 'add', path: at(key), value: member }];
    return deepEqual(former[key], member) ? [] : [{ op: 'replace', path: at(key), value: member }];
  });
  const removed = Object.keys(former).filter((key) => !Object.hasOwn(value, key));
  return [...written, ...removed.map((key): Operation => ({ op: 'remove', path: at(key) }))];
}

function elementParts(former: JsonArray, value: JsonArray, path: string): Patch | undefined {
  const key = keyOf(former, value);
  const edits = diff(former, value, key === undefined ? {} : { keys: { '': [key] } });
  const operations = edits.map(({ operation }): Operation => {
    const moved = { ...operation, path: path + operation.path };
    return 'from' in moved ? { ...moved, from: path + moved.from } : moved;
  });
  const removals = operations.filter(({ op }) => op === 'remove').length;
  return removals < former.length ? operations : undefined;
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

/** Operations within a layer can be applied in any order; each depends on earlier layers only. */
export function layersOf(patch: Patch): readonly Patch[] {
  const layers: Operation[][] = [];
  // By pointer, the number of layers taken by operations at it, and by those at or below it.
  const at = new Map<string, number>();
  const within = new Map<string, number>();
  let layer = 0;
  for (const [index, operation] of patch.entries()) {
    const scopes = scopesOf(operation);
    const above = scopes.flatMap(prefixesOf).map((prefix) => at.get(prefix) ?? 0);
    if (!addsBehind(operation, patch[index - 1]))
      layer = Math.max(...above, ...scopes.map((scope) => within.get(scope) ?? 0));
    for (const scope of scopes) {
      at.set(scope, layer + 1);
      for (const prefix of prefixesOf(scope))
        within.set(prefix, Math.max(within.get(prefix) ?? 0, layer + 1));
    }
    (layers[layer] ??= []).push(operation);
  }
  return layers;
}

// Elements that are added from the first to the last leave each other's place as it is in the text.
function addsBehind(operation: Operation, former: Operation | undefined): boolean {
  if (operation.op !== 'add' || former?.op !== 'add') return false;
  const [place, before] = [elementAt(operation.path), elementAt(former.path)];
  return place !== undefined && place.list === before?.list && place.index > before.index;
}

export function elementAt(path: string) {
  const pointer = tokensOf(path);
  const index = parseIndex(pointer.at(-1) ?? '');
  return index === undefined ? undefined : { list: formatPointer(pointer.slice(0, -1)), index };
}

// UTF-16 code units that the layers of one patch may read again, at some microseconds each.
const mostRead = 4_000_000;

// Allowed for a text of any length.
const fewestLayers = 20;

export function hasManyLayers(patch: Patch, text: string): boolean {
  const layers = layersOf(patch).length;
  if (layers <= fewestLayers) return false;
  return layers > mostRead / (text.length + JSON.stringify(patch).length);
}

/** Of so many layers, one for each field is left, which is edited as far as it takes few. */
export function withFewLayers(patch: Patch, text: string, value: JsonValue): Patch {
  if (!hasManyLayers(patch, text)) return patch;
  const after = evaluate(value, patch);
  return isObject(value) && isObject(after) ? memberParts(value, after, '') : patch;
}

// Adding or removing an item shifts its siblings, so the scope is the holder.
function scopesOf(operation: Operation): readonly string[] {
  const { op, path } = operation;
  if (op === 'replace' || op === 'test') return [path];
  if (op === 'move') return [holderOf(operation.from), holderOf(path)];
  return op === 'copy' ? [operation.from, holderOf(path)] : [holderOf(path)];
}

function holderOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}
