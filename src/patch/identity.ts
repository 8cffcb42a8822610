import {
  canonicalJson,
  isObject,
  type JsonArray,
  type JsonPrimitive,
  type JsonValue,
} from '../json.ts';
import type { DiffOptions } from './edit.ts';

/** The members that together identify an element of an array. */
export type Key = readonly string[];

/** Two arrays under the name of the member that holds them. */
export type NamedArrays = {
  readonly live: JsonArray;
  readonly desired: JsonArray;
  readonly name: string;
};

const defaultKeys: readonly Key[] = [['name'], ['id'], ['type', 'name']];

/**
 * The key of a pair of arrays: the first that all elements of both have and none shares with
 * another of its side, else the first that both sides know. Undefined where there is none: an
 * element is then identified by its whole value.
 */
export function chooseKey(
  { live, desired, name }: NamedArrays,
  { keys }: DiffOptions,
): Key | undefined {
  const candidates = candidateKeys(name, keys);
  return (
    candidates.find((key) => identifiesAll(live, key) && identifiesAll(desired, key)) ??
    candidates.find((key) => identifiesSome(live, key) && identifiesSome(desired, key))
  );
}

/** What identifies an element to a reader, if anything but its whole value does: `order_id`. */
export function elementKey(
  element: JsonValue,
  arrayName: string,
  { keys }: DiffOptions = {},
): string | undefined {
  for (const key of candidateKeys(arrayName, keys)) {
    const values = keyValues(element, key);
    if (values) return values.join(' ');
  }
  return undefined;
}

/**
 * An element as text, the same for two elements exactly when they are taken for one: by its key,
 * in which the string "1" is not the number 1, or by its whole value where it lacks the key.
 */
export function identityOf(element: JsonValue, key: Key | undefined): string {
  const values = key && keyValues(element, key);
  // No canonical JSON starts with "#".
  return values ? `#${JSON.stringify(values)}` : canonicalJson(element);
}

/** Whether the element has the key, and is not identified by its whole value. */
export function hasKey(element: JsonValue, key: Key | undefined): boolean {
  return key !== undefined && keyValues(element, key) !== undefined;
}

function candidateKeys(arrayName: string, keys: DiffOptions['keys'] = {}): readonly Key[] {
  const configured = Object.hasOwn(keys, arrayName) ? keys[arrayName] : undefined;
  return configured ? [configured] : defaultKeys;
}

function identifiesAll(elements: JsonArray, key: Key): boolean {
  const identities = new Set<string>();
  for (const element of elements) {
    if (!hasKey(element, key)) return false;
    identities.add(identityOf(element, key));
  }
  return identities.size === elements.length;
}

function identifiesSome(elements: JsonArray, key: Key): boolean {
  return elements.some((element) => hasKey(element, key));
}

/** The element's own scalars at the key's members; undefined unless all of them are there. */
function keyValues(element: JsonValue, key: Key): JsonPrimitive[] | undefined {
  if (!isObject(element)) return undefined;
  const values: JsonPrimitive[] = [];
  for (const member of key) {
    const value = Object.hasOwn(element, member) ? element[member] : undefined;
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    values.push(value);
  }
  return values;
}
