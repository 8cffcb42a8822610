import {
  canonicalJson,
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';

/** Names of the arrays (of the members that hold them) whose order means nothing. */
export type Unordered = readonly string[];

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
export function textInAnyOrder(value: JsonValue, unordered: Unordered): string {
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
