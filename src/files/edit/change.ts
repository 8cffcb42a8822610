import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { diff } from '../../patch/diff.ts';
import { uniqueKeys } from '../../patch/identity.ts';
import type { Operation, Patch } from '../../patch/operation.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../../patch/pointer.ts';

/** An operation on a document that changes something; `add` adds what was not there. */
export type ValueChange = Exclude<Operation, { readonly op: 'copy' | 'test' }>;
export type ValueMove = Extract<Operation, { readonly op: 'move' }>;

export function tokensOf(pointer: string): Pointer {
  return parsePointer(pointer) ?? [];
}

/** An operation that applies to a document, in fewer words. */
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

/** Whether a member gets another name in its mapping. */
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

/** Whether an operation puts a scalar where something stands. */
export function isScalarReplacement(operation: Operation): operation is Replacement {
  return operation.op === 'replace' && isScalarValue(operation.value);
}

export function isScalarValue(value: JsonValue | undefined): boolean {
  return value !== undefined && !isArray(value) && !isObject(value);
}
