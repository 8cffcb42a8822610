import fc from 'fast-check';
import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../src/core/json.ts';
import { childAt, type Pointer, valueAt } from '../../src/patch/pointer.ts';

/** Names that break pointers, prototypes and index arithmetic when they are treated carelessly. */
const oddNames = [
  '',
  '~',
  '/',
  '-',
  '0',
  '1',
  '01',
  '~1',
  'a/b',
  'é',
  '😀',
  'constructor',
  'toString',
];
const names = [...oddNames, 'name', 'id', 'type', 'tags', 'children'];

const scalar = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, 1, -1, '', '1', 'a', 'b', 'ü'),
  fc.integer({ min: -3, max: 12 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);

const name = fc.constantFrom(...names);

function trees(elementNames: typeof name): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      scalar,
      fc.array(tie('tree'), { maxLength: 7 }),
      fc.dictionary(elementNames, tie('tree'), { maxKeys: 6, noNullPrototype: true }),
    ),
  })).tree;
}

/** Any JSON, some of its arrays with keyed elements. */
export const documents = trees(name);

/** JSON in which no element has a key. */
export const keylessDocuments = trees(fc.constantFrom(...oddNames, 'tags', 'children'));

/** Elements of one array: few keys and few values, so that two arrays share and repeat them. */
const elements = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', '1'),
    value: fc.integer({ min: 0, max: 3 }),
    text: fc.constantFrom('short', 'a text that is long enough to be worth keeping'),
    children: fc.array(fc.record({ name: fc.constantFrom('x', 'y', 'z'), value: fc.nat(2) })),
  },
  { requiredKeys: [] },
);

/** An object with arrays of keyed, keyless and scalar elements. */
export const contracts: fc.Arbitrary<JsonObject> = fc.record({
  schema: fc.array(elements, { maxLength: 12 }),
  owners: fc.array(elements, { maxLength: 5 }),
  tags: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 9 }),
  sla: fc.record({ interval: fc.nat(2), unit: fc.constantFrom('day', 'hour') }),
});

/** A change at any place of any document: `where` and `to` choose among what is there. */
type Mutation = {
  readonly kind: 'set' | 'remove' | 'insert' | 'move';
  readonly where: number;
  readonly to: number;
  readonly value: JsonValue;
};

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('set', 'remove', 'insert', 'move'),
  where: fc.nat(),
  to: fc.nat(),
  value: fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: elements }),
});

/** Two documents, most of the time the second one being the first after a few changes. */
export function pairsOf(source: fc.Arbitrary<JsonValue>): fc.Arbitrary<[JsonValue, JsonValue]> {
  const edited = fc
    .tuple(source, fc.array(mutation, { minLength: 1, maxLength: 5 }))
    .map(([live, mutations]): [JsonValue, JsonValue] => [live, mutations.reduce(mutate, live)]);
  return fc.oneof(
    { weight: 3, arbitrary: edited },
    { weight: 1, arbitrary: fc.tuple(source, source) },
  );
}

function mutate(document: JsonValue, { kind, where, to, value }: Mutation): JsonValue {
  const places = containersOf(document);
  const place = places[where % places.length];
  if (!place) return value;
  const container = valueAt(document, place) ?? null;
  return withValueAt(document, place, change(container, { kind, where, to, value }));
}

function change(container: JsonValue, mutation: Mutation): JsonValue {
  if (isArray(container)) return changeArray(container, mutation);
  return isObject(container) ? changeObject(container, mutation) : mutation.value;
}

function changeArray(array: JsonArray, { kind, where, to, value }: Mutation): JsonArray {
  const index = where % (array.length + 1);
  if (kind === 'insert' || index === array.length) return array.toSpliced(index, 0, value);
  if (kind === 'set') return array.with(index, value);
  const rest = array.toSpliced(index, 1);
  if (kind === 'remove') return rest;
  return rest.toSpliced(to % (rest.length + 1), 0, array[index] ?? null);
}

function changeObject(object: JsonObject, { kind, where, to, value }: Mutation): JsonObject {
  const members = Object.keys(object);
  const member = members[where % (members.length + 1)] ?? 'a';
  const rest = Object.entries(object).filter(([each]) => each !== member);
  if (kind === 'remove') return Object.fromEntries(rest);
  const moved = kind === 'move' ? (object[member] ?? value) : value;
  const target = kind === 'set' ? member : (names[to % names.length] ?? '');
  return Object.fromEntries([...rest, [target, moved]]);
}

function containersOf(value: JsonValue, place: Pointer = []): Pointer[] {
  if (typeof value !== 'object' || value === null) return [];
  const tokens = Object.keys(value);
  return [
    place,
    ...tokens.flatMap((token) => containersOf(childAt(value, token) ?? null, [...place, token])),
  ];
}

function withValueAt(document: JsonValue, [token, ...rest]: Pointer, value: JsonValue): JsonValue {
  if (token === undefined) return value;
  const child = withValueAt(childAt(document, token) ?? null, rest, value);
  if (isArray(document)) return document.with(Number(token), child);
  return isObject(document) ? { ...document, [token]: child } : child;
}

/** The same document with the members of each object in the opposite order. */
export function withMembersReversed(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(withMembersReversed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([member, child]) => [
    member,
    withMembersReversed(child),
  ]);
  return Object.fromEntries(members.toReversed()) as JsonObject;
}

/** The same document with the elements of each array of these names in the opposite order. */
export function withArraysReversed(
  value: JsonValue,
  arrayNames: readonly string[],
  within = '',
): JsonValue {
  if (isArray(value)) {
    const items = value.map((element) => withArraysReversed(element, arrayNames));
    return arrayNames.includes(within) ? items.toReversed() : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, child]) => [
      member,
      withArraysReversed(child, arrayNames, member),
    ]),
  );
}
