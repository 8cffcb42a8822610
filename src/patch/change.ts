/**
 * The four changes that RFC 6902 knows, each as a function from document to document. The input
 * stays as it was, and the result shares with it whatever does not lie on the way to the change.
 */

import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { childAt, formatPointer, parseIndex, type Pointer, valueAt } from './pointer.ts';

/** Ends the evaluation: the reason is half a sentence and never shows the document. */
export type Fail = (reason: string) => never;

type ChangeChild = (parent: JsonValue, token: string) => JsonValue;

/** A new member or element, or another value for a member that is there (RFC 6902 §4.1). */
export function add(document: JsonValue, path: Pointer, value: JsonValue, fail: Fail): JsonValue {
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

/** RFC 6902 §4.2. */
export function remove(document: JsonValue, path: Pointer, fail: Fail): JsonValue {
  existing(document, path, fail);
  if (path.length === 0) return fail('a document cannot be removed whole');
  return changeParent(document, path, fail, withoutChild);
}

/** RFC 6902 §4.3. */
export function replace(
  document: JsonValue,
  path: Pointer,
  value: JsonValue,
  fail: Fail,
): JsonValue {
  existing(document, path, fail);
  if (path.length === 0) return value;
  return changeParent(document, path, fail, (parent, token) => withChild(parent, token, value));
}

/** RFC 6902 §4.4: nothing moves into a part of itself. */
export function move(document: JsonValue, from: Pointer, path: Pointer, fail: Fail): JsonValue {
  const value = existing(document, from, fail);
  const startsWithFrom = from.every((token, depth) => token === path[depth]);
  if (startsWithFrom && from.length === path.length) return document;
  if (startsWithFrom) return fail('a value cannot move into itself');
  return add(remove(document, from, fail), path, value, fail);
}

/** The value at a pointer that has to name one (RFC 6902 §4.2 to §4.6). */
export function existing(document: JsonValue, path: Pointer, fail: Fail): JsonValue {
  const value = valueAt(document, path);
  return value === undefined ? fail(`nothing stands at "${formatPointer(path)}"`) : value;
}

/** Copies the containers on the way to the path's parent. */
function changeParent(node: JsonValue, path: Pointer, fail: Fail, change: ChangeChild): JsonValue {
  const [token = '', ...rest] = path;
  if (rest.length === 0) return change(node, token);
  const child = childAt(node, token);
  if (child === undefined) return fail('the parent of its path does not exist');
  return withChild(node, token, changeParent(child, rest, fail, change));
}

/** For a child that exists: its parent is a container. */
function withChild(parent: JsonValue, token: string, value: JsonValue): JsonValue {
  if (isArray(parent)) return parent.with(Number(token), value);
  return isObject(parent) ? { ...parent, [token]: value } : parent;
}

/** For a child that exists. */
function withoutChild(parent: JsonValue, token: string): JsonValue {
  if (isArray(parent)) return parent.toSpliced(Number(token), 1);
  if (!isObject(parent)) return parent;
  return Object.fromEntries(Object.entries(parent).filter(([member]) => member !== token));
}
