/**
 * Places by key: `/schema/{name=amount}/dataType` means the same column at any index, so it
 * holds for other states of a document too, where `/schema/3/dataType` holds for one.
 */

import {
  isArray,
  isObject,
  parseJson,
  type JsonArray,
  type JsonPrimitive,
  type JsonValue,
} from '../core/json.ts';
import { candidateKeys, keyValues } from './identity.ts';
import type { DiffOptions } from './operation.ts';
import { childAt, type Pointer, valueAt } from './pointer.ts';

/**
 * A pointer in which an element of an array goes by its key, `{name=amount}`; a scalar by itself,
 * `{=pii}`; and only what nothing tells from its neighbours by its index. As text it is written
 * and parsed as any pointer is.
 */
export type KeyPath = Pointer;

/** The path by key of what a pointer names in a document; what is not there keeps its tokens. */
export function keyPathOf(
  pointer: Pointer,
  document: JsonValue,
  options: DiffOptions = {},
): KeyPath {
  let parent: JsonValue | undefined = document;
  let arrayName = '';
  return pointer.map((token) => {
    const [array, name] = [parent, arrayName];
    parent = parent === undefined ? undefined : childAt(parent, token);
    if (!isArray(array)) arrayName = token;
    const isElement = isArray(array) && parent !== undefined;
    return isElement ? elementToken(array, Number(token), name, options) : token;
  });
}

/** Where a path by key leads in a document; undefined where it has no such place, or has two. */
export function pointerOf(path: KeyPath, document: JsonValue): Pointer | undefined {
  const pointer: string[] = [];
  let parent: JsonValue | undefined = document;
  for (const token of path) {
    const own = isArray(parent) ? indexOf(token, parent) : token;
    if (own === undefined || parent === undefined) return undefined;
    parent = childAt(parent, own);
    if (parent === undefined) return undefined;
    pointer.push(own);
  }
  return pointer;
}

/** The value at a path by key; undefined where the document has no such place, or has two. */
export function valueByKey(document: JsonValue, path: KeyPath): JsonValue | undefined {
  const pointer = pointerOf(path, document);
  return pointer && valueAt(document, pointer);
}

/** A path as a person reads it: `schema[amount].dataType`. */
export function labelKeyPath(path: KeyPath): string {
  let label = '';
  for (const token of path) {
    const conditions = parseConditions(token);
    if (conditions) label += `[${conditions.map(({ value }) => value).join(' ')}]`;
    else if (label !== '' && /^\d+$/u.test(token)) label += `[${token}]`;
    else label += label === '' ? token : `.${token}`;
  }
  return label;
}

/** The token by which an element differs from all others of its array. */
export function elementToken(
  array: JsonArray,
  index: number,
  arrayName: string,
  { keys }: DiffOptions = {},
): string {
  const element = array[index] ?? null;
  for (const key of candidateKeys(arrayName, keys)) {
    const values = keyValues(element, key);
    if (!values) continue;
    const conditions = key.map((member, at) => ({ member, value: values[at] ?? null }));
    if (isOnlyOne(array, conditions)) return formatConditions(conditions);
  }
  if (!isScalar(element)) return String(index);
  const conditions = [{ value: element }];
  return isOnlyOne(array, conditions) ? formatConditions(conditions) : String(index);
}

/** A member of an element and its value; without a member, the element itself. */
type Condition = { readonly member?: string; readonly value: JsonPrimitive };

function isScalar(value: JsonValue): value is JsonPrimitive {
  return !isObject(value) && !isArray(value);
}

function isOnlyOne(array: JsonArray, conditions: readonly Condition[]): boolean {
  return onlyIndex(array, conditions) !== undefined;
}

/** The index of the one element that meets the conditions; undefined where none does, or two do. */
function onlyIndex(array: JsonArray, conditions: readonly Condition[]): number | undefined {
  let found: number | undefined;
  for (let index = 0; index < array.length; index += 1) {
    if (!meets(array[index] ?? null, conditions)) continue;
    if (found !== undefined) return undefined;
    found = index;
  }
  return found;
}

function meets(element: JsonValue, conditions: readonly Condition[]): boolean {
  for (const { member, value } of conditions) {
    if (member !== undefined && !isObject(element)) return false;
    const own = member === undefined ? element : childAt(element, member);
    if (own !== value) return false;
  }
  return true;
}

/** The index, as a token, of the one element that a token means. */
function indexOf(token: string, array: JsonArray): string | undefined {
  const conditions = parseConditions(token);
  if (!conditions) return token;
  const index = onlyIndex(array, conditions);
  return index === undefined ? undefined : String(index);
}

function formatConditions(conditions: readonly Condition[]): string {
  const pairs = conditions.map(
    ({ member, value }) =>
      `${member === undefined ? '' : formatText(member)}=${formatValue(value)}`,
  );
  return `{${pairs.join(',')}}`;
}

/** Only such a text is JSON: so the text "5" is in quotes, and the number 5 is not. */
const json = /^(?:["\d-]|(?:true|false|null)$)/u;

function formatValue(value: JsonPrimitive): string {
  return typeof value === 'string' && !json.test(value) ? formatText(value) : JSON.stringify(value);
}

function formatText(text: string): string {
  return /^[^"{},=]+$/u.test(text) ? text : JSON.stringify(text);
}

const condition = /("(?:[^"\\]|\\.)*"|[^"{},=]*)=("(?:[^"\\]|\\.)*"|[^"{},=]+)(,(?!\})|\}$)/uy;

/** What a token asks of an element; undefined where it is a name or an index. */
function parseConditions(token: string): readonly Condition[] | undefined {
  if (!token.startsWith('{')) return undefined;
  const conditions: Condition[] = [];
  condition.lastIndex = 1;
  while (condition.lastIndex < token.length) {
    const [, member = '', value = '', end] = condition.exec(token) ?? [];
    if (end === undefined) return undefined;
    conditions.push({
      ...(member !== '' && { member: parseText(member) }),
      value: parseValue(value),
    });
  }
  return conditions.length === 0 ? undefined : conditions;
}

function parseValue(text: string): JsonPrimitive {
  const value = json.test(text) ? parseJson(text) : undefined;
  return value !== undefined && isScalar(value) ? value : text;
}

function parseText(text: string): string {
  return text.startsWith('"') ? String(parseValue(text)) : text;
}
