import { isArray, isObject, type JsonValue } from '../../../src/core/json.ts';
import { toText } from '../../../src/sandbox/json.ts';

/** What the placeholders of a trace stand for, by their names: bound where they are first seen. */
export type Bindings = Map<string, string | number>;

/** `$$` a dollar, `$t1` a time, `$x.id` an id, `$etag1` and `$cursor1` opaque texts, `$base` an address. */
const placeholder = /\$(\$|base|[a-z]\w*\.id|(?:t|cursor|etag)\d+)/gu;

/** What a request sends in the place of its placeholders. */
export function fill(value: JsonValue, bound: Bindings): JsonValue {
  if (isArray(value)) return value.map((element) => fill(element, bound));
  if (isObject(value)) return fillObject(value, bound);
  if (typeof value !== 'string') return value;
  const [, time] = /^\$(t\d+)$/u.exec(value) ?? [];
  if (time !== undefined) return valueOf(time, bound);
  return value.replaceAll(placeholder, (_, name: string) =>
    name === '$' ? '$' : String(valueOf(name, bound)),
  );
}

function fillObject(object: { readonly [member: string]: JsonValue }, bound: Bindings): JsonValue {
  const { $repeat: repeated } = object;
  if (isArray(repeated)) return toText(repeated[0]).repeat(Number(repeated[1]));
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, fill(member, bound)]),
  );
}

function valueOf(name: string, bound: Bindings): string | number {
  const value = bound.get(name);
  if (value === undefined) throw new Error(`$${name} is used before an answer has bound it.`);
  return value;
}

export type Difference = string;

/** How an answer is compared: members that are not listed may be refused. */
type Mode = 'exact' | 'listed members';

type Place = { readonly mode?: Mode; readonly at?: string };

/** Where an answer is another than the trace says; binds what is seen for the first time. */
export function compare(
  expected: JsonValue,
  actual: JsonValue | undefined,
  bound: Bindings,
  { mode = 'exact', at = '' }: Place = {},
): readonly Difference[] {
  if (isArray(expected)) return compareLists(expected, actual, bound, { mode, at });
  if (isObject(expected)) return compareObjects(expected, actual, bound, { mode, at });
  const agrees =
    typeof expected === 'string' ? isMatch(expected, actual, bound) : expected === actual;
  return agrees ? [] : [differs(at, expected, actual)];
}

function compareLists(
  expected: readonly JsonValue[],
  actual: JsonValue | undefined,
  bound: Bindings,
  { mode, at }: Required<Place>,
): readonly Difference[] {
  if (!isArray(actual) || actual.length !== expected.length) return [differs(at, expected, actual)];
  return expected.flatMap((element, index) =>
    compare(element, actual[index], bound, { mode, at: `${at}/${index}` }),
  );
}

function compareObjects(
  expected: { readonly [member: string]: JsonValue },
  actual: JsonValue | undefined,
  bound: Bindings,
  { mode, at }: Required<Place>,
): readonly Difference[] {
  const { $json: inside } = expected;
  if (inside !== undefined && typeof actual === 'string') {
    return compare(inside, JSON.parse(actual), bound, { mode, at: `${at}(json)` });
  }
  if (!isObject(actual)) return [differs(at, expected, actual)];
  const surplus = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name));
  return [
    ...Object.entries(expected).flatMap(([name, member]) =>
      compare(member, actual[name], bound, { mode, at: `${at}/${name}` }),
    ),
    ...(mode === 'exact' ? surplus.map((name) => `${at}/${name} is not in the trace`) : []),
  ];
}

function differs(at: string, expected: JsonValue, actual: JsonValue | undefined): Difference {
  return `${at || '/'}: expected ${JSON.stringify(expected)}, not ${JSON.stringify(actual)}`;
}

function isMatch(expected: string, actual: JsonValue | undefined, bound: Bindings): boolean {
  const [, time] = /^\$(t\d+)$/u.exec(expected) ?? [];
  if (time !== undefined) return typeof actual === 'number' && isBound(time, actual, bound);
  if (typeof actual !== 'string') return false;
  // The server gives some lists in its messages no order.
  if (unordered.test(expected)) return sorted(known(expected, bound)) === sorted(actual);
  const names = [...expected.matchAll(placeholder)].map(([, name = '']) => name);
  const found = patternOf(expected).exec(actual)?.slice(1);
  return found !== undefined && names.every((name, i) => isBound(name, found[i] ?? '', bound));
}

function isBound(name: string, value: string | number, bound: Bindings): boolean {
  if (name === '$') return value === '$';
  const typed = /^t\d/u.test(name) ? Number(value) : value;
  if (!bound.has(name)) bound.set(name, typed);
  return bound.get(name) === typed;
}

/** The text with a group for each placeholder. */
function patternOf(expected: string): RegExp {
  let source = '';
  let end = 0;
  for (const { 0: all, 1: name = '', index } of expected.matchAll(placeholder)) {
    source += `${escaped(expected.slice(end, index))}(${formOf(name)})`;
    end = index + all.length;
  }
  return new RegExp(`^${source}${escaped(expected.slice(end))}$`, 'su');
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}

function formOf(name: string): string {
  if (name === '$') return '\\$';
  if (name === 'base') return 'https?://[^\\s"]+?';
  if (name.endsWith('.id')) return '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
  if (/^t\d/u.test(name)) return '\\d{13}';
  return name.startsWith('etag') ? '[\\dA-Za-z]+' : '[^\\s"]+?';
}

function known(expected: string, bound: Bindings): string {
  return expected.replaceAll(placeholder, (all, name: string) =>
    name === '$' ? '$' : String(bound.get(name) ?? all),
  );
}

const unordered = /^\[query param .*, |operations \[.*, |known properties: /su;

function sorted(message: string): string {
  return message.replaceAll(
    /(^\[|operations \[|known properties: )(.*?)(?=\]|\))/gsu,
    (_, head: string, list: string) => head + list.split(/, ?/u).toSorted().join(', '),
  );
}
