import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import { merge as mergePlaces } from '../../src/patch/merge.ts';
import { formatPointer } from '../../src/patch/pointer.ts';
import { rounds } from '../support/rounds.ts';

const scalar = fc.constantFrom<JsonValue>('a', 'b', 1, null);
const column = fc.record(
  { dataType: scalar, constraint: fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }) },
  { requiredKeys: [] },
);
const names = ['p', 'q', 'r', 's'] as const;
const schema = fc
  .tuple(...names.map(() => fc.option(column, { nil: undefined })))
  .map((found) => found.flatMap((each, at) => (each ? [{ name: names[at] ?? '', ...each }] : [])));
const document: fc.Arbitrary<JsonObject> = fc.record(
  {
    description: scalar,
    schema,
    tags: fc.subarray(['t', 'u', 'v']),
    sla: fc.record({ a: scalar, b: scalar }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

function merge(base: JsonObject, file: JsonObject, live: JsonObject) {
  const { merged, apart } = mergePlaces(base, file, live);
  const asked = apart.filter(({ isAsked }) => isAsked);
  return { merged, conflicts: [...new Set(asked.map(({ path }) => formatPointer(path)))] };
}

/** Place by key → scalar, or the kind of what stands there. Its own words, not those of the merge. */
function placesOf(value: JsonValue, path = ''): Map<string, JsonValue> {
  const children: [string, JsonValue][] = isArray(value)
    ? value.map((each) => [JSON.stringify(isObject(each) ? each['name'] : each), each])
    : isObject(value)
      ? Object.entries(value)
      : [];
  const own: JsonValue = isArray(value) ? '[]' : isObject(value) ? '{}' : value;
  const below = children.flatMap(([token, child]) => [...placesOf(child, `${path}/${token}`)]);
  return new Map([[path, own], ...below]);
}

/** Whether a place as the merge tells it, `/schema/{name=p}`, is the place `/schema/"p"` or above it. */
function covers(conflict: string, place: string): boolean {
  const own = conflict.replaceAll(/\{(?:name)?=(\w+)\}/gu, '"$1"');
  return `${place}/`.startsWith(`${own}/`);
}

test('a place that only the file has changed is as the file has it, any other as it is live', () => {
  fc.assert(
    fc.property(document, document, document, (base, file, live) => {
      const { merged, conflicts } = merge(base, file, live);
      const [b, f, l, m] = [base, file, live, merged].map((each) => placesOf(each));
      for (const place of new Set([b, f, l, m].flatMap((each) => [...(each?.keys() ?? [])]))) {
        const isConflict = conflicts.some((each) => covers(each, place));
        const isFile = isConflict || b?.get(place) !== f?.get(place);
        expect([place, m?.get(place)]).toEqual([place, (isFile ? f : l)?.get(place)]);
      }
    }),
    { numRuns: rounds(500) },
  );
});

test('a conflict is a place that both have changed, and not alike', () => {
  fc.assert(
    fc.property(document, document, document, (base, file, live) => {
      const [b, f, l] = [base, file, live].map((each) => placesOf(each));
      for (const conflict of merge(base, file, live).conflicts) {
        const within = [...new Set([b, f, l].flatMap((each) => [...(each?.keys() ?? [])]))].filter(
          (place) => covers(conflict, place),
        );
        expect(within.some((place) => b?.get(place) !== f?.get(place))).toBe(true);
        expect(within.some((place) => b?.get(place) !== l?.get(place))).toBe(true);
      }
    }),
    { numRuns: rounds(250) },
  );
});

test('without an edit of the catalog the merge is the file, and without a change of the file it is live', () => {
  fc.assert(
    fc.property(document, document, (one, other) => {
      expect(merge(one, other, one)).toEqual({ merged: other, conflicts: [] });
      expect(merge(one, one, other)).toEqual({ merged: other, conflicts: [] });
      expect(merge(one, other, other)).toEqual({ merged: other, conflicts: [] });
    }),
  );
});

const list = (...keys: string[]) => ({ schema: keys.map((name) => ({ name })) });

test.for<[string, JsonObject, JsonObject, JsonObject, JsonObject, string[]?]>([
  [
    'stands behind what it stands behind in the file, in front of what was added by hand',
    list('a', 'b'),
    list('a', 'b', 'new'),
    list('a', 'b', 'hand'),
    list('a', 'b', 'new', 'hand'),
  ],
  [
    'stands first if the file puts it first',
    list('a'),
    list('new', 'a'),
    list('a', 'hand'),
    list('new', 'a', 'hand'),
  ],
  [
    'that the file reorders keeps what was added by hand in its place',
    list('a', 'b'),
    list('b', 'a'),
    list('a', 'hand', 'b'),
    list('b', 'a', 'hand'),
  ],
  [
    'that was reordered by hand stays so',
    list('a', 'b'),
    list('a', 'b', 'c'),
    list('b', 'a'),
    list('b', 'c', 'a'),
  ],
  [
    'that both have reordered is a conflict',
    list('a', 'b', 'c'),
    list('c', 'a', 'b'),
    list('b', 'a', 'c'),
    list('c', 'a', 'b'),
    ['/schema'],
  ],
  [
    'that is removed by the file and edited by hand is a conflict',
    { schema: [{ name: 'a', x: 1 }] },
    { schema: [] },
    { schema: [{ name: 'a', x: 2 }] },
    { schema: [] },
    ['/schema/{name=a}'],
  ],
  [
    'without keys is one place',
    { rules: [{ x: 1 }, { x: 1 }] },
    { rules: [{ x: 2 }] },
    { rules: [{ x: 3 }] },
    { rules: [{ x: 2 }] },
    ['/rules'],
  ],
])('an element of an array %s', ([, base, file, live, merged, conflicts = []]) => {
  expect(merge(base, file, live)).toEqual({ merged, conflicts });
});

const kept = { winner: 'live', isKept: () => true } as const;
const behind = { winner: 'live', isBehind: () => true } as const;
const steps = (...names: readonly string[]): JsonObject => ({
  steps: names.map((name) => ({ do: name })),
});

test.for<[string, Parameters<typeof mergePlaces>[3], ...JsonObject[]]>([
  [
    'keeps a value of the base that the file changes, where live keeps it',
    kept,
    { description: 'a' },
    { description: 'b' },
    { description: 'a' },
    { description: 'a' },
  ],
  [
    'takes the value of the file where live has that of the base, and need not keep it',
    { winner: 'live', isKept: () => false },
    { description: 'a' },
    { description: 'b' },
    { description: 'a' },
    { description: 'b' },
  ],
  [
    'takes the value of the file where live is behind',
    behind,
    { description: 'a' },
    { description: 'b' },
    { description: 'c' },
    { description: 'b' },
  ],
  [
    'treats what the base lacks as one place, where live wins',
    { winner: 'live' },
    {},
    { sla: { a: 1 } },
    { sla: { b: 2 } },
    { sla: { b: 2 } },
  ],
  [
    'treats a list without keys as one place, where live wins',
    { winner: 'live' },
    steps('a'),
    steps('a', 'b'),
    steps('a', 'c'),
    steps('a', 'c'),
  ],
  [
    'joins a list without keys by its values, where the file wins',
    {},
    steps('a'),
    steps('a', 'b'),
    steps('a', 'c'),
    steps('a', 'b', 'c'),
  ],
  [
    'leaves the order of an unordered list as it is live',
    { unordered: ['tags'] },
    { tags: ['t', 'u'] },
    { tags: ['u', 't', 'v'] },
    { tags: ['t', 'u', 'w'] },
    { tags: ['t', 'v', 'u', 'w'] },
  ],
])('a merge %s', ([, options, base = {}, file = {}, live = {}, merged]) => {
  expect(mergePlaces(base, file, live, options).merged).toEqual(merged);
});
