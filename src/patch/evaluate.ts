import { SyncError } from '../core/errors.ts';
import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { add, existing, type Fail, move, remove, replace } from './change.ts';
import type { Operation, Patch } from './operation.ts';
import { parsePointer, type Pointer } from './pointer.ts';

/** A patch that is malformed or does not apply; the message never shows the document. */
export class PatchError extends SyncError {
  override readonly name: string = 'PatchError';
  /** Which operation, from 0; -1 where the patch as a whole is at fault. */
  readonly index: number;

  constructor(index: number, message: string) {
    super('patch-failed', message);
    this.index = index;
  }
}

/**
 * The document after the patch, by the letter of RFC 6902 §5: either every operation applies or
 * this throws a PatchError. The input is never changed.
 */
export function evaluate(document: JsonValue, patch: Patch): JsonValue {
  let current = document;
  for (const [index, operation] of patch.entries()) {
    current = apply(current, operation, (reason) => {
      const { op, path } = operation;
      throw new PatchError(index, `Operation ${index} (${op} ${path}) does not apply: ${reason}.`);
    });
  }
  return current;
}

function apply(document: JsonValue, operation: Operation, fail: Fail): JsonValue {
  const path = tokensOf(operation.path, fail);
  switch (operation.op) {
    case 'add':
      return add(document, path, operation.value, fail);
    case 'remove':
      return remove(document, path, fail);
    case 'replace':
      return replace(document, path, operation.value, fail);
    case 'move':
      return move(document, tokensOf(operation.from, fail), path, fail);
    case 'copy':
      return add(document, path, existing(document, tokensOf(operation.from, fail), fail), fail);
    case 'test':
      return test(document, path, operation.value, fail);
  }
}

/** RFC 6902 §4.6. */
function test(document: JsonValue, path: Pointer, value: JsonValue, fail: Fail): JsonValue {
  if (deepEqual(existing(document, path, fail), value)) return document;
  return fail('another value stands there');
}

function tokensOf(text: string, fail: Fail): Pointer {
  return parsePointer(text) ?? fail(`"${text}" is not a JSON Pointer`);
}

/** A patch out of JSON from elsewhere; members that RFC 6902 does not define are ignored (§4). */
export function parsePatch(value: JsonValue): Patch {
  if (!isArray(value)) throw new PatchError(-1, 'A JSON Patch is an array of operations.');
  return value.map((item, index) =>
    parseOperation(item, (reason) => {
      throw new PatchError(index, `Operation ${index} is malformed: ${reason}.`);
    }),
  );
}

function parseOperation(item: JsonValue, fail: Fail): Operation {
  if (!isObject(item)) return fail('it is not an object');
  const { op } = item;
  const path = pointerMember(item, 'path', fail);
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return { op, path, value: member(item, 'value', fail) };
    case 'remove':
      return { op, path };
    case 'move':
    case 'copy':
      return { op, from: pointerMember(item, 'from', fail), path };
    default:
      return fail('"op" is not one of add, remove, replace, move, copy, test');
  }
}

function pointerMember(item: JsonObject, name: 'path' | 'from', fail: Fail): string {
  const text = member(item, name, fail);
  if (typeof text !== 'string') return fail(`"${name}" is not a string`);
  return parsePointer(text) ? text : fail(`"${name}" is not a JSON Pointer`);
}

/** Inherited members are none: an object without `value` must not find one on a prototype. */
function member(item: JsonObject, name: string, fail: Fail): JsonValue {
  const value = Object.hasOwn(item, name) ? item[name] : undefined;
  return value === undefined ? fail(`"${name}" is missing`) : value;
}
