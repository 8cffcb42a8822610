import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { diff } from '../../patch/diff.ts';
import { evaluate } from '../../patch/evaluate.ts';
import { uniqueKeys } from '../../patch/identity.ts';
import type { Operation, Patch } from '../../patch/operation.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../../patch/pointer.ts';

/** An operation on a document that changes something; `add` adds what was not there. */
export type ValueChange = Exclude<Operation, { readonly op: 'copy' | 'test' }>;
export type ValueMove = Extract<Operation, { readonly op: 'move' }>;

export function tokensOf(pointer: string): Pointer {
  return parsePointer(pointer) ?? [];
}

export function toChange(document: JsonValue, operation: Operation): ValueChange {
  if (operation.op === 'remove' || operation.op === 'replace' || operation.op === 'move') {
    return operation;
  }
  const { path } = operation;
  const value = operation.op === 'copy' ? existing(document, operation.from) : operation.value;
  return { op: replacesMember(document, path) ? 'replace' : 'add', path, value };
}

function existing(document: JsonValue, pointer: string): JsonValue {
  return valueAt(document, tokensOf(pointer)) ?? null;
}

/** Whether adding at a pointer replaces what is there (RFC 6902 §4.1). */
export function replacesMember(document: JsonValue, path: string): boolean {
  const pointer = tokensOf(path);
  const holder = valueAt(document, pointer.slice(0, -1));
  return pointer.length === 0 || (isObject(holder) && valueAt(document, pointer) !== undefined);
}

export function isRename(document: JsonValue, { from, path }: ValueMove): boolean {
  const [source, target] = [tokensOf(from).slice(0, -1), tokensOf(path).slice(0, -1)];
  return deepEqual(source, target) && isObject(valueAt(document, source));
}

/** A move as two operations, without the text that the value had. */
export function inTwo(document: JsonValue, { from, path }: ValueMove): Patch {
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value: existing(document, from) },
  ];
}

/**
 * The operations that change one collection into another item by item, so that all items that stay
 * keep their text; undefined where one of the two is no such collection, or is empty.
 */
export function partsOf(former: JsonValue, value: JsonValue, path: string): Patch | undefined {
  if (isNone(former) || isNone(value)) return undefined;
  if (isObject(former) && isObject(value)) return memberParts(former, value, path);
  return isArray(former) && isArray(value) ? elementParts(former, value, path) : undefined;
}

function isNone(value: JsonValue): boolean {
  return (isArray(value) || isObject(value)) && Object.keys(value).length === 0;
}

/** What is new comes before what goes: a mapping that is empty in between would lose its style. */
function memberParts(former: JsonObject, value: JsonObject, path: string): Patch {
  const at = (key: string): string => path + formatPointer([key]);
  const written = Object.entries(value).flatMap(([key, member]): Operation[] => {
    if (!Object.hasOwn(former, key)) return [{ op: 'add', path: at(key), value: member }];
    const isSame = deepEqual(former[key], member);
    return isSame ? [] : [{ op: 'replace', path: at(key), value: member }];
  });
  const removed = Object.keys(former).filter((key) => !Object.hasOwn(value, key));
  return [...written, ...removed.map((key): Operation => ({ op: 'remove', path: at(key) }))];
}

function elementParts(former: JsonArray, value: JsonArray, path: string): Patch {
  const key = keyOf(former, value);
  const edits = diff(former, value, key === undefined ? {} : { keys: { '': [key] } });
  const operations = edits.map(({ operation }) => below(path, operation));
  const removals = operations.filter(({ op }) => op === 'remove').length;
  return removals < former.length ? operations : inOrder(former, value, path);
}

/** A member that tells the elements apart, where the usual ones do not: of one value one is edited. */
function keyOf(former: JsonArray, value: JsonArray): string | undefined {
  const [first] = former;
  const isUsual = [['name'], ['id']].some((key) => uniqueKeys(former, key));
  if (!isObject(first) || isUsual) return undefined;
  return Object.keys(first).find(
    (member) => uniqueKeys(former, [member]) && uniqueKeys(value, [member]),
  );
}

function below(path: string, operation: Operation): Operation {
  const moved = { ...operation, path: path + operation.path };
  return moved.op === 'move' || moved.op === 'copy' ? { ...moved, from: path + moved.from } : moved;
}

/** Element by element, where no element stays: a sequence is not empty in between either. */
function inOrder(former: JsonArray, value: JsonArray, path: string): Patch {
  const written = value.map((item, index): Operation => {
    const op = index < former.length ? 'replace' : 'add';
    return { op, path: `${path}/${index}`, value: item };
  });
  const surplus = former
    .slice(value.length)
    .map((): Operation => ({ op: 'remove', path: `${path}/${value.length}` }));
  return [...written, ...surplus];
}

export type Replacement = Extract<Operation, { readonly op: 'replace' }>;

export function isScalarReplacement(operation: Operation): operation is Replacement {
  return operation.op === 'replace' && isScalarValue(operation.value);
}

export function isScalarValue(value: JsonValue | undefined): boolean {
  return value !== undefined && !isArray(value) && !isObject(value);
}

/**
 * A patch in layers: what is in one layer comes to the same in any order, and what has to come after
 * something is in a later layer than that.
 */
export function layersOf(patch: Patch): readonly Patch[] {
  const layers: Operation[][] = [];
  const reached: Reached = { at: new Map(), within: new Map() };
  for (const operation of patch) {
    const scopes = scopesOf(operation);
    const layer = Math.max(...scopes.map((scope) => firstFree(scope, reached)));
    for (const scope of scopes) occupy(scope, layer, reached);
    (layers[layer] ??= []).push(operation);
  }
  return layers;
}

/** Characters that are read again for the layers of one patch: some microseconds each. */
const mostRead = 1_000_000;

/** However long the text is. */
const fewestLayers = 20;

/** Whether a patch has more layers than the text, as it grows by it, can be read again for. */
export function hasManyLayers(patch: Patch, text: string): boolean {
  const layers = layersOf(patch).length;
  if (layers <= fewestLayers) return false;
  return layers > mostRead / (text.length + JSON.stringify(patch).length);
}

/** The patch, of which fields that change in too many layers are replaced as a whole. */
export function withFewLayers(patch: Patch, text: string, value: JsonValue): Patch {
  if (!hasManyLayers(patch, text)) return patch;
  const after = evaluate(value, patch);
  const byField = Map.groupBy(patch, ({ path }) => fieldOf(path));
  return [...byField].flatMap(([field, own]): Patch => {
    const isOwn = own.every((each) => !('from' in each) || fieldOf(each.from) === field);
    const [before, wanted] = [value, after].map((each) => valueAt(each, tokensOf(field)));
    if (!isOwn || !hasManyLayers(own, text) || before === undefined || wanted === undefined) {
      return own;
    }
    return [{ op: 'replace', path: field, value: wanted }];
  });
}

function fieldOf(path: string): string {
  return path.split('/', 2).join('/');
}

/** For each pointer, the number of layers that its own operations, or those at or below it, need. */
type Reached = {
  readonly at: Map<string, number>;
  readonly within: Map<string, number>;
};

/** What an operation changes or looks at: an item that comes or goes shifts its siblings. */
function scopesOf(operation: Operation): readonly string[] {
  const { path } = operation;
  switch (operation.op) {
    case 'replace':
    case 'test':
      return [path];
    case 'add':
    case 'remove':
      return [holderOf(path)];
    case 'move':
      return [holderOf(operation.from), holderOf(path)];
    case 'copy':
      return [operation.from, holderOf(path)];
  }
}

function holderOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

function firstFree(scope: string, { at, within }: Reached): number {
  const above = prefixesOf(scope).map((prefix) => at.get(prefix) ?? 0);
  return Math.max(within.get(scope) ?? 0, ...above);
}

function occupy(scope: string, layer: number, { at, within }: Reached): void {
  at.set(scope, layer + 1);
  for (const prefix of prefixesOf(scope)) {
    within.set(prefix, Math.max(within.get(prefix) ?? 0, layer + 1));
  }
}

function prefixesOf(pointer: string): readonly string[] {
  const tokens = pointer.split('/');
  return tokens.map((_, index) => tokens.slice(0, index + 1).join('/'));
}
