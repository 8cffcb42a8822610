import {
  canonicalJson,
  isObject,
  type JsonArray,
  type JsonPrimitive,
  type JsonValue,
} from '../json.ts';
import type { DiffOptions } from './edit.ts';

/** Two arrays under the name of the member that holds them. */
export type NamedArrays = {
  readonly live: JsonArray;
  readonly desired: JsonArray;
  readonly name: string;
};

/** What identifies each element, as text: the same for two elements when one is taken for the other. */
export type Identities = { readonly live: readonly string[]; readonly desired: readonly string[] };

/** The members that together identify an element. */
type Key = readonly string[];

const defaultKeys: readonly Key[] = [['name'], ['id'], ['type', 'name']];

/**
 * Identities by the first key that all elements of both arrays have and none shares with another
 * of its array, else by the first that both arrays know. Where an element lacks the key, its whole
 * value identifies it.
 */
export function identify(arrays: NamedArrays, { keys }: DiffOptions): Identities {
  const candidates = candidateKeys(arrays.name, keys);
  const unique = candidates
    .values()
    .filter((key) => sidesOf(arrays).every((side) => side.every((each) => keyValues(each, key))))
    .map((key) => identifyBy(key, arrays))
    .find((identities) => sidesOf(identities).every(isFreeOfDuplicates));
  return (
    unique ??
    identifyBy(
      candidates.find((key) => isKnown(key, arrays)),
      arrays,
    )
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

/** Whether an identity is an element's key, and not its whole value. */
export function isKey(identity: string): boolean {
  return identity.startsWith('#');
}

function candidateKeys(arrayName: string, keys: DiffOptions['keys'] = {}): readonly Key[] {
  const configured = Object.hasOwn(keys, arrayName) ? keys[arrayName] : undefined;
  return configured ? [configured] : defaultKeys;
}

function sidesOf<Side>({ live, desired }: { live: Side; desired: Side }): readonly Side[] {
  return [live, desired];
}

function isKnown(key: Key, arrays: NamedArrays): boolean {
  return sidesOf(arrays).every((side) => side.some((each) => keyValues(each, key)));
}

function isFreeOfDuplicates(identities: readonly string[]): boolean {
  return new Set(identities).size === identities.length;
}

function identifyBy(key: Key | undefined, { live, desired }: NamedArrays): Identities {
  const identityOf = (element: JsonValue): string => {
    const values = key && keyValues(element, key);
    // The string "1" is not the number 1. No canonical JSON starts with "#".
    return values ? `#${JSON.stringify(values)}` : canonicalJson(element);
  };
  return { live: live.map(identityOf), desired: desired.map(identityOf) };
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
