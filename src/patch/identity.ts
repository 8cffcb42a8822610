import {
  canonicalJson,
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../core/json.ts';
import type { DiffOptions } from './operation.ts';

/** Two arrays under the name of the member that holds them. */
export type NamedArrays = {
  readonly live: JsonArray;
  readonly desired: JsonArray;
  readonly name: string;
};

/** What identifies each element, as text: the same for two elements when one is taken for the other. */
export type Identities = { readonly live: readonly string[]; readonly desired: readonly string[] };

/** The members that together identify an element. */
export type Key = readonly string[];

const defaultKeys: readonly Key[] = [['name'], ['id'], ['type', 'name']];

/**
 * Identities by the first key that all elements of both arrays have and none shares with another
 * of its array, else by the first that both arrays know. Where an element lacks the key, its whole
 * value identifies it, as it does where the order means nothing, so that twins are alike.
 */
export function identify(arrays: NamedArrays, { keys, unordered = [] }: DiffOptions): Identities {
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
    (key && keyOf(element, key)) ?? `#=${textInAnyOrder(element, unordered)}`;
  return { live: arrays.live.map(identityOf), desired: arrays.desired.map(identityOf) };
}

/** What identifies an element to a reader, if anything but its whole value does: `order_id`. */
export function elementKey(
  element: JsonValue,
  arrayName: string,
  options: DiffOptions = {},
): string | undefined {
  return keyMembers(element, arrayName, options)
    ?.map(([, value]) => value)
    .join(' ');
}

/** The members by which an element is identified, with their values; undefined where it has no key. */
export function keyMembers(
  element: JsonValue,
  arrayName: string,
  { keys }: DiffOptions = {},
): readonly (readonly [member: string, value: JsonPrimitive])[] | undefined {
  for (const key of candidateKeys(arrayName, keys)) {
    const values = keyValues(element, key);
    if (values) return key.map((member, index) => [member, values[index] ?? null]);
  }
  return undefined;
}

/** Whether an identity is an element's key, and not its whole value. */
export function isKey(identity: string): boolean {
  return !identity.startsWith('#=');
}

/** The keys that may identify the elements of an array, most telling first. */
export function candidateKeys(arrayName: string, keys: DiffOptions['keys'] = {}): readonly Key[] {
  const configured = Object.hasOwn(keys, arrayName) ? keys[arrayName] : undefined;
  return configured ? [configured] : defaultKeys;
}

/** Undefined unless all elements have the key, and each another one. */
export function uniqueKeys(elements: JsonArray, key: Key): readonly string[] | undefined {
  const texts: string[] = [];
  for (const element of elements) {
    const text = keyOf(element, key);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return new Set(texts).size === texts.length ? texts : undefined;
}

function isKnown(key: Key, elements: JsonArray, mayRepeat: boolean): boolean {
  const found = elements.map((element) => keyOf(element, key)).filter((text) => text !== undefined);
  return found.length > 0 && (mayRepeat || new Set(found).size === found.length);
}

/**
 * A text is its own identity: that is the common case, and its hash is known. Any other key, and a
 * text that could be taken for one, is written as a list; so the string "1" is not the number 1.
 */
function keyOf(element: JsonValue, key: Key): string | undefined {
  const first = scalarAt(element, key[0] ?? '');
  if (key.length === 1 && typeof first === 'string' && !first.startsWith('#')) return first;
  const values = keyValues(element, key);
  return values && `#${JSON.stringify(values)}`;
}

/** The element's own scalars at the key's members; undefined unless all of them are there. */
export function keyValues(element: JsonValue, key: Key): readonly JsonPrimitive[] | undefined {
  const values: JsonPrimitive[] = [];
  for (const member of key) {
    const value = scalarAt(element, member);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** Null identifies nothing, and neither does what an element merely inherits. */
function scalarAt(element: JsonValue, member: string): JsonPrimitive | undefined {
  if (!isObject(element) || !Object.hasOwn(element, member)) return undefined;
  const value = element[member];
  return value === null || typeof value === 'object' ? undefined : value;
}

type Unordered = readonly string[];

/** Equality but for the order of unordered arrays; `name` is the member's that holds the values. */
export function equalInAnyOrder(
  a: JsonValue,
  b: JsonValue,
  unordered: Unordered,
  name = '',
): boolean {
  if (deepEqual(a, b)) return true;
  return deepEqual(sortUnordered(a, unordered, name), sortUnordered(b, unordered, name));
}

/** The one text of all values that are equal but for the order of unordered arrays in them. */
function textInAnyOrder(value: JsonValue, unordered: Unordered): string {
  return canonicalJson(sortUnordered(value, unordered));
}

/** Only to be compared: the elements of an unordered array become their texts. */
function sortUnordered(value: JsonValue, unordered: Unordered, name = ''): JsonValue {
  if (unordered.length === 0) return value;
  if (isObject(value)) return sortMembers(value, unordered);
  if (!isArray(value)) return value;
  const elements = value.map((element) => sortUnordered(element, unordered));
  return unordered.includes(name) ? elements.map(canonicalJson).toSorted() : elements;
}

function sortMembers(object: JsonObject, unordered: Unordered): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, sortUnordered(value, unordered, name)]),
  );
}
