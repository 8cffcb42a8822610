/**
 * Places by key: `/schema/{name=amount}/dataType` means the same column at any index, so it holds
 * for other states of a document too, where `/schema/3/dataType` holds for one.
 */

import {
  canonicalJson,
  deepEqual,
  isArray,
  isObject,
  isScalar,
  type JsonArray,
  type JsonPrimitive,
  type JsonValue,
  parseJson,
} from '../core/json.ts';
import { childAt, type Pointer, valueAt } from './pointer.ts';

export type DiffOptions = {
  /**
   * Name of an array (of the member that holds it) → the members that together identify its
   * elements. By default `name`, else `id`, else `type` and `name`, else the whole element.
   */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  /** Names of arrays whose order means nothing; by default none. */
  readonly unordered?: readonly string[];
  /**
   * Moves an element over index 0 where its new path begins with the text of the old one, as
   * `/schema/10` does with `/schema/1`: some servers take that for a move into itself.
   */
  readonly avoidsPrefixMoves?: boolean;
};

export type Identities = { readonly live: readonly string[]; readonly desired: readonly string[] };

type Key = readonly string[];

const defaultKeys: readonly Key[] = [['name'], ['id'], ['type', 'name'], ['tagFQN']];

/**
 * By the first key that all elements of both arrays have and none shares with another of its array,
 * else by the first that both arrays know. An element without the key is identified by its whole
 * value, as it is where order means nothing, so that twins are alike.
 */
export function identify(
  arrays: { readonly live: JsonArray; readonly desired: JsonArray; readonly name: string },
  { keys, unordered = [] }: DiffOptions,
): Identities {
  const candidates = candidateKeys(arrays.name, keys);
  for (const key of candidates) {
    const live = uniqueKeys(arrays.live, key);
    const desired = live && uniqueKeys(arrays.desired, key);
    if (desired) return { live, desired };
  }
  const mayRepeat = !unordered.includes(arrays.name);
  const key = candidates.find(
    (each) => isKnown(each, arrays.live, mayRepeat) && isKnown(each, arrays.desired, mayRepeat),
  );
  const identityOf = (element: JsonValue): string =>
    (key && keyOf(element, key)) ?? `#=${canonicalJson(sortUnordered(element, unordered))}`;
  return { live: arrays.live.map(identityOf), desired: arrays.desired.map(identityOf) };
}

/** The keys that an element has, the preferred one first. */
export function keysOf(element: JsonValue, arrayName: string, { keys }: DiffOptions = {}) {
  return candidateKeys(arrayName, keys).flatMap((key) => {
    const values = keyValues(element, key);
    return values ? [key.map((member, at) => ({ member, value: values[at] ?? null }))] : [];
  });
}

export function isKey(identity: string): boolean {
  return !identity.startsWith('#=');
}

export function candidateKeys(arrayName: string, keys: DiffOptions['keys'] = {}): readonly Key[] {
  const configured = Object.hasOwn(keys, arrayName) ? keys[arrayName] : undefined;
  return configured ? [configured] : defaultKeys;
}

/** Undefined unless each element has the key, with values of its own. */
export function uniqueKeys(elements: JsonArray, key: Key): readonly string[] | undefined {
  const texts = new Set<string>();
  for (const element of elements) {
    const text = keyOf(element, key);
    if (text === undefined || texts.has(text)) return undefined;
    texts.add(text);
  }
  return [...texts];
}

function isKnown(key: Key, elements: JsonArray, mayRepeat: boolean): boolean {
  const found = elements.map((element) => keyOf(element, key)).filter((text) => text !== undefined);
  return found.length > 0 && (mayRepeat || new Set(found).size === found.length);
}

// A text is its own identity, the common case. Any other key, and a text that could be taken for
// one, becomes a list: the string "1" is not the number 1.
function keyOf(element: JsonValue, key: Key): string | undefined {
  const first = scalarAt(element, key[0] ?? '');
  if (key.length === 1 && typeof first === 'string' && !first.startsWith('#')) return first;
  const values = keyValues(element, key);
  return values && `#${JSON.stringify(values)}`;
}

function keyValues(element: JsonValue, key: Key): readonly JsonPrimitive[] | undefined {
  const values = key.map((member) => scalarAt(element, member));
  return values.every((value) => value !== undefined) ? values : undefined;
}

// Null and inherited members identify nothing.
function scalarAt(element: JsonValue, member: string): JsonPrimitive | undefined {
  if (!isObject(element) || !Object.hasOwn(element, member)) return undefined;
  const value = element[member];
  return value === null || typeof value === 'object' ? undefined : value;
}

/** `name` is that of the member that holds them. */
export function equalInAnyOrder(
  a: JsonValue,
  b: JsonValue,
  unordered: readonly string[],
  name?: string,
): boolean {
  if (deepEqual(a, b)) return true;
  return deepEqual(sortUnordered(a, unordered, name), sortUnordered(b, unordered, name));
}

function sortUnordered(value: JsonValue, unordered: readonly string[], name?: string): JsonValue {
  if (unordered.length === 0) return value;
  if (isObject(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([member, own]) => [member, sortUnordered(own, unordered, member)]),
    );
  }
  if (!isArray(value)) return value;
  const elements = value.map((element) => sortUnordered(element, unordered));
  const isUnordered = name !== undefined && unordered.includes(name);
  return isUnordered ? elements.map(canonicalJson).toSorted() : elements;
}

/**
 * A pointer with elements by their key, `{name=amount}`, scalars by themselves, `{=pii}`, and only
 * elements without either by index. Written and parsed as a pointer.
 */
export type KeyPath = Pointer;

/** Tokens of absent places stay. */
export function keyPathOf(pointer: Pointer, document: JsonValue, options: DiffOptions = {}) {
  let parent: JsonValue | undefined = document;
  let arrayName = '';
  const path: string[] = [];
  for (const token of pointer) {
    const child: JsonValue | undefined = parent === undefined ? undefined : childAt(parent, token);
    if (isArray(parent) && child !== undefined)
      path.push(elementToken(parent, Number(token), arrayName, options));
    else path.push(token);
    if (!isArray(parent)) arrayName = token;
    parent = child;
  }
  return path;
}

/** Undefined where the document has no such place, or two. */
export function pointerOf(path: KeyPath, document: JsonValue): Pointer | undefined {
  const pointer: string[] = [];
  let parent: JsonValue | undefined = document;
  for (const token of path) {
    const conditions = isArray(parent) ? parseConditions(token) : undefined;
    const own = conditions && isArray(parent) ? onlyIndex(parent, conditions)?.toString() : token;
    if (own === undefined || parent === undefined) return undefined;
    parent = childAt(parent, own);
    if (parent === undefined) return undefined;
    pointer.push(own);
  }
  return pointer;
}

export function valueByKey(document: JsonValue, path: KeyPath): JsonValue | undefined {
  const pointer = pointerOf(path, document);
  return pointer && valueAt(document, pointer);
}

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

export function elementToken(
  array: JsonArray,
  index: number,
  arrayName: string,
  options: DiffOptions = {},
): string {
  const element = array[index] ?? null;
  const itself = isScalar(element) ? [[{ value: element }]] : [];
  const only = [...keysOf(element, arrayName, options), ...itself].find(
    (conditions) => onlyIndex(array, conditions) !== undefined,
  );
  return only ? formatConditions(only) : String(index);
}

type Condition = { readonly member?: string; readonly value: JsonPrimitive };

function onlyIndex(array: JsonArray, conditions: readonly Condition[]): number | undefined {
  const isMet = (element: JsonValue): boolean =>
    conditions.every(({ member, value }) => {
      if (member === undefined) return element === value;
      return isObject(element) && childAt(element, member) === value;
    });
  const found = array.findIndex(isMet);
  return found >= 0 && found === array.findLastIndex(isMet) ? found : undefined;
}

function formatConditions(conditions: readonly Condition[]): string {
  const pairs = conditions.map(({ member, value }) => {
    const isText = typeof value === 'string' && !json.test(value);
    const text = isText ? formatText(value) : JSON.stringify(value);
    return `${member === undefined ? '' : formatText(member)}=${text}`;
  });
  return `{${pairs.join(',')}}`;
}

// Texts that look like JSON are quoted: the text "5" differs from the number 5.
const json = /^(?:["\d-]|(?:true|false|null)$)/u;

function formatText(text: string): string {
  return /^[^"{},=]+$/u.test(text) ? text : JSON.stringify(text);
}

const condition = /("(?:[^"\\]|\\.)*"|[^"{},=]*)=("(?:[^"\\]|\\.)*"|[^"{},=]+)(,(?!\})|\}$)/uy;

function parseConditions(token: string): readonly Condition[] | undefined {
  if (!token.startsWith('{')) return undefined;
  const conditions: Condition[] = [];
  condition.lastIndex = 1;
  while (condition.lastIndex < token.length) {
    const [, member = '', value = '', end] = condition.exec(token) ?? [];
    if (end === undefined) return undefined;
    const name = member.startsWith('"') ? String(parseValue(member)) : member;
    conditions.push({ ...(member !== '' && { member: name }), value: parseValue(value) });
  }
  return conditions.length === 0 ? undefined : conditions;
}

function parseValue(text: string): JsonPrimitive {
  const value = json.test(text) ? parseJson(text) : undefined;
  return value !== undefined && isScalar(value) ? value : text;
}
