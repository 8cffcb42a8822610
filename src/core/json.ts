export type JsonPrimitive = string | number | boolean | null | InexactNumber;
export type JsonArray = readonly JsonValue[];
export type JsonObject = { readonly [member: string]: JsonValue };
export type JsonValue = JsonPrimitive | JsonArray | JsonObject;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof InexactNumber)
  );
}

export function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

export function isScalar(value: JsonValue): value is JsonPrimitive {
  return !isObject(value) && !isArray(value);
}

export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text, numberKeeper(text));
  } catch {
    return undefined;
  }
}

/** Undefined where every number fits a double: parsing with a reviver is slow. */
export function numberKeeper(text: string): typeof keepNumber | undefined {
  return mayRound.test(text) ? keepNumber : undefined;
}

// 16 digits or more, or an exponent beyond 99: a double holds all other numbers.
const mayRound = /(?<=(?:^|[:,[\s])-?)\d(?:[\d.]{15}|[\d.]*e[-+]?\d{3})/iu;

// ES2026 gives a reviver a scalar's text; TypeScript's library lacks it.
export function keepNumber(_key: string, value: JsonValue, context?: { source?: string }) {
  const text = context?.source;
  const isRounded = typeof value === 'number' && text !== undefined && !isExact(text, value);
  return isRounded ? new InexactNumber(text) : value;
}

/** RFC 6902 §4.6: the order of object members does not count. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isArray(a)) return isArray(b) && equalArrays(a, b);
  if (isObject(a)) return isObject(b) && equalObjects(a, b);
  return a instanceof InexactNumber && b instanceof InexactNumber && a.canonical === b.canonical;
}

function equalArrays(a: JsonArray, b: JsonArray): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (!deepEqual(a[index], b[index])) return false;
  }
  return true;
}

// `for … in` takes half the time of `Object.keys`, and every plan compares every contract.
function equalObjects(a: JsonObject, b: JsonObject): boolean {
  let surplus = 0;
  for (const member in a) {
    // Only this member of those that b inherits is no function, and a function equals no JSON value.
    if (member === '__proto__' && !Object.hasOwn(b, member)) return false;
    if (!deepEqual(memberOf(a, member), memberOf(b, member))) return false;
    surplus += 1;
  }
  for (const _ in b) surplus -= 1;
  return surplus === 0;
}

// A function of its own: in the loop V8 would specialize `object[member]` again whenever a shape
// changes.
function memberOf(object: JsonObject, member: string): JsonValue | undefined {
  return object[member];
}

/** Members in code-unit order, no white space (RFC 8785 §3.2). */
export function canonicalJson(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Order by UTF-16 code units: the same in every locale (RFC 8785 §3.2.3). */
export function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** For lists that people read: `table_2` comes before `table_10`. */
export function compareNames(a: string, b: string): number {
  return compareCodeUnits(sortKey(a), sortKey(b)) || compareCodeUnits(a, b);
}

/** Sorts by code units as `compareNames` does. */
export function sortKey(name: string): string {
  return name.replaceAll(/\d+/gu, (digits) => digits.padStart(20, '0'));
}

/** Comparing, showing and writing take stack for each level. */
export const deepestNesting = 100;

export function isTooDeep(value: JsonValue | undefined, levels = deepestNesting): boolean {
  if (isArray(value)) {
    if (levels === 0) return true;
    for (const element of value) if (isTooDeep(element, levels - 1)) return true;
  } else if (isObject(value)) {
    if (levels === 0) return true;
    for (const member in value) {
      const held = memberOf(value, member);
      if (typeof held === 'object' && isTooDeep(held, levels - 1)) return true;
    }
  }
  return false;
}

export function isEmpty(value: JsonValue | undefined): boolean {
  return isNothing(value) || (isArray(value) && value.length === 0);
}

export function isNothing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/**
 * Without the members that are undefined, as `exactOptionalPropertyTypes` wants them absent; the
 * argument itself where none is. For members that the program names: it assigns them, which no
 * `__proto__` of a document survives.
 */
export function defined<Members extends object>(members: Members): Defined<Members>;
export function defined(members: Readonly<Record<string, unknown>>): object {
  let isWhole = true;
  for (const name in members) isWhole &&= members[name] !== undefined;
  if (isWhole) return members;
  const kept: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

type Defined<Members> = {
  [name in keyof Members as undefined extends Members[name] ? never : name]: Members[name];
} & {
  [name in keyof Members as undefined extends Members[name] ? name : never]?: Members[name] &
    ({} | null);
};

// ES2026: Node has `rawJSON`, TypeScript's library does not.
const json: Partial<JSON> & { readonly rawJSON?: (text: string) => unknown } = JSON;

/** A number of a JSON text that no double holds. It is compared and shown by its digits. */
export class InexactNumber {
  readonly text: string;
  /** The same text for equal numbers. */
  readonly canonical: string;

  constructor(text: string) {
    this.text = text;
    this.canonical = canonicalNumber(text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): unknown {
    return json.rawJSON?.(this.text);
  }
}

export function isExact(text: string, value: number): boolean {
  const read = String(value);
  return text === read || canonicalNumber(text) === canonicalNumber(read);
}

const decimal = /^(?<sign>[-+]?)(?<whole>\d*)(?:\.(?<fraction>\d*))?(?:e(?<exponent>[-+]?\d+))?$/iu;

function canonicalNumber(text: string): string {
  const { sign, whole = '', fraction = '', exponent = '0' } = decimal.exec(text)?.groups ?? {};
  const digits = `${whole}${fraction}`.replace(/^0+/u, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return decimal.test(text) ? '0' : text;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign === '-' ? '-' : ''}${digits.slice(0, end)}e${power}`;
}
