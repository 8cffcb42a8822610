/** JSON value types, deep equality and canonical text. */

export type JsonPrimitive = string | number | boolean | null;
export type JsonArray = readonly JsonValue[];
export type JsonObject = { readonly [member: string]: JsonValue };
export type JsonValue = JsonPrimitive | JsonArray | JsonObject;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Equality of JSON values (RFC 6902 §4.6): the order of object members does not count. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isArray(a)) return isArray(b) && equalArrays(a, b);
  return isObject(a) && isObject(b) && equalObjects(a, b);
}

function equalArrays(a: JsonArray, b: JsonArray): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (!deepEqual(a[index], b[index])) return false;
  }
  return true;
}

/** Walked by every plan over every contract: `for … in` takes half the time of lists of keys. */
function equalObjects(a: JsonObject, b: JsonObject): boolean {
  let surplus = 0;
  for (const member in a) {
    // What b merely inherits is a function, which equals no JSON value; except for this one.
    if (member === '__proto__' && !Object.hasOwn(b, member)) return false;
    if (!deepEqual(memberOf(a, member), memberOf(b, member))) return false;
    surplus += 1;
  }
  for (const _ in b) surplus -= 1;
  return surplus === 0;
}

/**
 * Apart from the loop over the members: there V8 takes `object[member]` for a load that it must
 * specialize, and does so again and again once an object has changed its shape under way.
 */
function memberOf(object: JsonObject, member: string): JsonValue | undefined {
  return object[member];
}

/** The one text of a JSON value: members in code-unit order, no white space (RFC 8785 §3.2). */
export function canonicalJson(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isObject(value)) return `{${canonicalMembers(value).join(',')}}`;
  return JSON.stringify(value);
}

function canonicalMembers(object: JsonObject): string[] {
  return Object.entries(object)
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
    .map(([key, value]) => `${JSON.stringify(key)}:${canonicalJson(value)}`);
}

/** Order by UTF-16 code units: the same in every locale (RFC 8785 §3.2.3). */
export function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Levels of nesting, twice what files may have: what goes deeper is compared by nobody, since comparing
 * takes stack for each, most of all by code that V8 has not compiled yet.
 */
export const deepestCompared = 200;

/** Whether a value is nested deeper than what is compared. */
export function isTooDeep(value: JsonValue | undefined, levels = deepestCompared): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (isArray(value)) {
    for (const element of value) if (isTooDeep(element, levels - 1)) return true;
  } else {
    for (const member in value) if (isTooDeep(memberOf(value, member), levels - 1)) return true;
  }
  return false;
}

/** Nothing, or a list of nothing. */
export function isEmpty(value: JsonValue | undefined): boolean {
  return isNothing(value) || (isArray(value) && value.length === 0);
}

/** Absent or null. */
export function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
