import type { JsonObject, JsonValue } from '../../core/json.ts';
import { isList, isRecord, toNumber, uuid } from '../json.ts';

/** The values that fit a Java class; some are silently converted. */
export type Shape =
  | { readonly kind: 'text' | 'integer' | 'boolean' | 'uuid' | 'keptDate' | 'createDate' | 'any' }
  | { readonly kind: 'enum'; readonly java: string; readonly values: ReadonlySet<string> }
  | { readonly kind: 'list'; readonly of: Shape }
  | ObjectShape;

export type ObjectShape = {
  readonly kind: 'object';
  /** The Java class, as the JSON library's errors name it. */
  readonly java: string;
  /** In the order of the class, which some messages show. */
  readonly members: { readonly [name: string]: Shape };
  /** For absent members; null is no value, and gets no default. */
  readonly defaults?: JsonObject;
  readonly required?: readonly string[];
  readonly open?: true;
  readonly dropped?: readonly string[];
  /** Members of release 2.0. */
  readonly later?: readonly string[];
};

export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly at: Spot;
  /** The library fails here: at a value's start, or behind the value of an unknown member. */
  readonly noticed: 'start' | 'behind';

  constructor(reason: string, at: Spot, noticed: 'start' | 'behind' = 'start') {
    super(reason);
    this.at = at;
    this.noticed = noticed;
  }
}

export type Spot = {
  readonly path: readonly (string | number)[];
  readonly chain: readonly string[];
};

const root: Spot = { path: [], chain: [] };

/** Members in the order of the class, defaults set, nulls dropped. */
export function bindObject(shape: ObjectShape, value: JsonValue, at: Spot = root): JsonObject {
  if (!isRecord(value)) throw mismatch(shape.java, value, at);
  const bound: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(shape.members)) {
    const given = Object.hasOwn(value, name) ? value[name] : shape.defaults?.[name];
    if (given === undefined || given === null) continue;
    bound[name] = bind(member, given, into(at, name, `${shape.java}["${name}"]`));
  }
  const known = [...Object.keys(shape.members), ...(shape.dropped ?? [])];
  const others = Object.keys(value).filter((name) => !known.includes(name));
  const first = others.find((name) => !shape.later?.includes(name));
  if (first === undefined || shape.open)
    return { ...bound, ...Object.fromEntries(others.map((name) => [name, value[name] ?? null])) };
  const list = known.map((member) => `"${member}"`).join(', ');
  throw new ShapeError(
    `Unrecognized field "${first}" (class ${shape.java}), not marked as ignorable (${known.length} known properties: ${list}])`,
    into(at, first, `${shape.java}["${first}"]`),
    'behind',
  );
}

function into({ path, chain }: Spot, step: string | number, link: string): Spot {
  return { path: [...path, step], chain: [...chain, link] };
}

function bind(shape: Shape, value: JsonValue, at: Spot): JsonValue {
  switch (shape.kind) {
    case 'keptDate':
    case 'createDate':
      return bindDate(shape.kind, value, at);
    case 'uuid':
      if (typeof value === 'string' && uuid.test(value)) return value;
      throw mismatch('java.util.UUID', value, at);
    case 'enum':
      if (typeof value !== 'string') throw mismatch(shape.java, value, at);
      if (shape.values.has(value)) return value;
      throw new ShapeError(`Cannot construct instance of \`${shape.java}\`, problem: ${value}`, at);
    case 'list':
      if (!isList(value)) throw mismatch('java.util.ArrayList', value, at);
      return value.map((element, index) => {
        const spot = into(at, index, `java.util.ArrayList[${index}]`);
        return element === null ? null : bind(shape.of, element, spot);
      });
    case 'object':
      return bindObject(shape, value, at);
    default:
      return bindScalar(shape.kind, value, at);
  }
}

function bindScalar(kind: 'text' | 'integer' | 'boolean' | 'any', value: JsonValue, at: Spot) {
  if (kind === 'any') return value;
  if (kind === 'integer') return bindInteger(value, at);
  if (kind === 'boolean') {
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') return value !== 0;
    if (typeof value === 'string' && /^(?:true|false)$/iu.test(value)) return /^t/iu.test(value);
    throw mismatch('java.lang.Boolean', value, at);
  }
  // PostgreSQL stores no lone surrogate: it comes back as a question mark.
  if (typeof value === 'string') return value.replaceAll(/\p{Surrogate}/gu, '?');
  if (!isRecord(value) && !isList(value)) return JSON.stringify(value);
  throw mismatch('java.lang.String', value, at);
}

function bindInteger(value: JsonValue, at: Spot): number {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d+\s*$/u.test(value) ? Number(value) : toNumber(value);
  if (number === undefined) throw mismatch('java.lang.Integer', value, at);
  if (number < 2 ** 31 && number >= -(2 ** 31)) return Math.trunc(number);
  const reason = `Numeric value (${number}) out of range of int (-2147483648 - 2147483647)`;
  throw new ShapeError(reason, at);
}

const createForms =
  '"yyyy-MM-dd\'T\'HH:mm:ss.SSSX", "yyyy-MM-dd\'T\'HH:mm:ss.SSS", "EEE, dd MMM yyyy HH:mm:ss zzz", "yyyy-MM-dd"';

function bindDate(kind: 'keptDate' | 'createDate', value: JsonValue, at: Spot): string {
  const isKept = kind === 'keptDate' && typeof value === 'string';
  const time = isKept ? parseKeptDate(value) : parseCreateDate(value);
  if (time !== undefined) {
    const milliseconds = ((time % 1000) + 1000) % 1000;
    const [seconds] = new Date(time).toISOString().split('.');
    return `${seconds}.${String(milliseconds).padStart(6, '0')}Z`;
  }
  if (typeof value !== 'string') throw mismatch('java.util.Date', value, at);
  throw new ShapeError(
    `Cannot deserialize value of type \`java.util.Date\` from String "${value}": not a valid representation (error: Failed to parse Date value '${value}': Cannot parse date "${value}": not compatible with any of standard forms (${createForms}))`,
    at,
  );
}

function mismatch(java: string, value: JsonValue, at: Spot): ShapeError {
  const failed = `Cannot deserialize value of type \`${java}\` from`;
  if (typeof value === 'string')
    return new ShapeError(`${failed} String "${value}": not a valid \`${java}\` value`, at);
  const [kind, token] = kindOf(value);
  return new ShapeError(`${failed} ${kind} value (token \`JsonToken.${token}\`)`, at);
}

function kindOf(value: JsonValue): readonly [string, string] {
  if (isList(value)) return ['Array', 'START_ARRAY'];
  if (isRecord(value)) return ['Object', 'START_OBJECT'];
  if (typeof value === 'boolean') return ['Boolean', `VALUE_${String(value).toUpperCase()}`];
  return Number.isInteger(value)
    ? ['Integer', 'VALUE_NUMBER_INT']
    : ['Floating-point', 'VALUE_NUMBER_FLOAT'];
}

// The form in which the server stores and patches dates. It reads the digits after the point as a
// number of milliseconds: `.5` is five of them, and `.123456` two minutes and more.
const keptForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{1,9})Z$/u;

export function parseKeptDate(text: string): number | undefined {
  const [, seconds = '', fraction = ''] = keptForm.exec(text) ?? [];
  const time = Date.parse(`${seconds}Z`) + Number(fraction);
  return Number.isNaN(time) ? undefined : time;
}

const createPatterns = [
  /^\d{4}-\d\d-\d\d$/u,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/u,
  /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \w+$/u,
];

// Epoch milliseconds; a create request takes more forms than a patch.
function parseCreateDate(value: JsonValue): number | undefined {
  if (typeof value !== 'string') return Number.isInteger(value) ? Number(value) : undefined;
  // A time without a zone is UTC.
  const text = /T[\d:.]+$/u.test(value) ? `${value}Z` : value;
  const time = createPatterns.some((form) => form.test(text)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
