/**
 * RFC 6902 by the letter. Each operation makes a new document of the old one, and shares with it
 * all that the operation does not change.
 */

import fastJsonPatch from 'fast-json-patch';
import { SyncError } from '../core/diagnostic.ts';
import { deepEqual, isArray, isObject, type JsonValue } from '../core/json.ts';
import { type DiffOptions, equalInAnyOrder } from './identity.ts';
import {
  childAt,
  formatPointer,
  parseIndex,
  parsePointer,
  type Pointer,
  valueAt,
} from './pointer.ts';

/** One operation of a JSON Patch (RFC 6902 §4); `path` and `from` are JSON Pointers (RFC 6901). */
export type Operation =
  | { readonly op: 'add'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'move'; readonly from: string; readonly path: string }
  | { readonly op: 'copy'; readonly from: string; readonly path: string }
  | { readonly op: 'test'; readonly path: string; readonly value: JsonValue };

/** Operations in the order in which they are applied (RFC 6902 §3). */
export type Patch = readonly Operation[];

/** Malformed, or does not apply; the message never shows the document. */
export class PatchError extends SyncError {
  override readonly name: string = 'PatchError';
  /** The operation's index, from 0; -1 if the patch as a whole is at fault. */
  readonly index: number;

  constructor(index: number, message: string) {
    super('patch-failed', message);
    this.index = index;
  }
}

/**
 * RFC 6902 §5: either every operation applies, or this throws a PatchError. The input stays as it
 * was.
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
      existing(document, path, fail);
      if (path.length === 0) return operation.value;
      return changeParent(document, path, fail, (parent, token) =>
        withChild(parent, token, operation.value),
      );
    case 'move':
      return move(document, tokensOf(operation.from, fail), path, fail);
    case 'copy':
      return add(document, path, existing(document, tokensOf(operation.from, fail), fail), fail);
    case 'test':
      if (deepEqual(existing(document, path, fail), operation.value)) return document;
      return fail('another value stands there');
  }
}

function tokensOf(text: string, fail: Fail): Pointer {
  return parsePointer(text) ?? fail(`"${text}" is not a JSON Pointer`);
}

type Fail = (reason: string) => never;

// RFC 6902 §4.1.
function add(document: JsonValue, path: Pointer, value: JsonValue, fail: Fail): JsonValue {
  if (path.length === 0) return value;
  return changeParent(document, path, fail, (parent, token) => {
    if (isObject(parent)) return { ...parent, [token]: value };
    if (!isArray(parent)) return fail('its path leads into a scalar');
    const index = token === '-' ? parent.length : parseIndex(token);
    if (index === undefined) return fail('an array index is made of digits, or is "-"');
    if (index > parent.length) return fail('the index is past the end of the array');
    return parent.toSpliced(index, 0, value);
  });
}

// RFC 6902 §4.2.
function remove(document: JsonValue, path: Pointer, fail: Fail): JsonValue {
  existing(document, path, fail);
  if (path.length === 0) return fail('a document cannot be removed whole');
  return changeParent(document, path, fail, (parent, token) => {
    if (isArray(parent)) return parent.toSpliced(Number(token), 1);
    if (!isObject(parent)) return parent;
    return Object.fromEntries(Object.entries(parent).filter(([member]) => member !== token));
  });
}

// RFC 6902 §4.4: nothing moves into a part of itself.
function move(document: JsonValue, from: Pointer, path: Pointer, fail: Fail): JsonValue {
  const value = existing(document, from, fail);
  const startsWithFrom = from.every((token, depth) => token === path[depth]);
  if (startsWithFrom && from.length === path.length) return document;
  if (startsWithFrom) return fail('a value cannot move into itself');
  return add(remove(document, from, fail), path, value, fail);
}

function existing(document: JsonValue, path: Pointer, fail: Fail): JsonValue {
  const value = valueAt(document, path);
  return value === undefined ? fail(`nothing stands at "${formatPointer(path)}"`) : value;
}

function changeParent(
  node: JsonValue,
  path: Pointer,
  fail: Fail,
  change: (parent: JsonValue, token: string) => JsonValue,
): JsonValue {
  const [token = '', ...rest] = path;
  if (rest.length === 0) return change(node, token);
  const child = childAt(node, token);
  if (child === undefined) return fail('the parent of its path does not exist');
  return withChild(node, token, changeParent(child, rest, fail, change));
}

function withChild(parent: JsonValue, token: string, value: JsonValue): JsonValue {
  if (isArray(parent)) return parent.with(Number(token), value);
  return isObject(parent) ? { ...parent, [token]: value } : parent;
}

/**
 * Throws a PatchError unless two independent evaluators, ours and fast-json-patch, turn live into
 * desired.
 */
export function prove(
  live: JsonValue,
  desired: JsonValue,
  patch: Patch,
  { unordered = [] }: DiffOptions = {},
): void {
  for (const run of [evaluate, evaluateElsewhere]) {
    if (!equalInAnyOrder(run(live, patch), desired, unordered))
      throw new PatchError(-1, 'The patch applies, but it does not lead to the desired document.');
  }
}

// structuredClone would make a plain object of a number that is no double.
function copyOf(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map((item) => copyOf(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}

// fast-json-patch changes its input, and keeps parts of the patch for the result.
function evaluateElsewhere(live: JsonValue, patch: Patch): JsonValue {
  try {
    const operations = patch.map((operation) =>
      'value' in operation ? { ...operation, value: copyOf(operation.value) } : { ...operation },
    );
    return fastJsonPatch.applyPatch(copyOf(live), operations, true).newDocument;
  } catch (error) {
    // Its messages contain the whole document.
    const name = error instanceof Error ? error.name : 'error';
    throw new PatchError(-1, `fast-json-patch refuses the patch: ${name}.`);
  }
}
