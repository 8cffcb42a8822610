import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { blamePlace, changesAt, findKeyPath, narrowHistory } from '../../src/history/place.ts';
import { formatPointer, parsePointer } from '../../src/patch/pointer.ts';
import { at, standard, versionsOf } from './histories.ts';

const { arrays } = standard;
const id = { name: 'id', dataType: 'LONG' };
const amount = { name: 'amount', dataType: 'INT' };
const long = { ...amount, dataType: 'LONG' };
const address = { name: 'address', dataType: 'STRUCT', children: [{ name: 'a.b', tags: ['pii'] }] };

const versions = versionsOf([
  { description: 'One.', schema: [id] },
  { description: 'Two.', schema: [id, amount], updatedBy: 'mira' },
  { description: 'Two.', schema: [id, long], updatedBy: 'zoe' },
  { schema: [long, id, address], updatedBy: 'ada' },
]);

const places: readonly (readonly [string, string, JsonObject])[] = [
  ['what came whole', '/schema/{name=amount}/name', { kind: 'changed', version: '0.2' }],
  ['what was set', '/schema/{name=amount}/dataType', { version: '0.3', before: 'INT' }],
  ['what has something in it', '/schema/{name=amount}', { version: '0.3', before: amount }],
  ['what has elements that moved', '/schema', { version: '0.4', before: [id, long] }],
  ['what moved since', '/schema/{name=id}/dataType', { kind: 'first-known', version: '0.1' }],
  ['what was taken away', '/description', { version: '0.4', before: 'Two.' }],
  ['what has never been', '/sla/timezone', { kind: 'never-set' }],
  ['what came in a container', '/schema/{name=address}/children/{name=a.b}', { version: '0.4' }],
];

test.each(places)('blame for %s', (_, place, expected) => {
  const blame = blamePlace(versions, { path: parsePointer(place) ?? [], of: 'value' }, arrays);
  const version = 'version' in blame ? { version: blame.version.version } : {};
  expect({ ...blame, ...version }).toMatchObject(expected);
});

describe('the order of elements', () => {
  test('is of the version that moved one', () => {
    expect(blamePlace(versions, { path: ['schema'], of: 'order' }, arrays)).toEqual({
      kind: 'changed',
      version: versions[0],
    });
  });

  test('is as old as the array if no element has moved', () => {
    const earlier = versions.slice(1);
    expect(blamePlace(earlier, { path: ['schema'], of: 'order' }, arrays)).toMatchObject({
      version: earlier[0],
    });
  });
});

test('the changes of a place are listed with both values, newest first', () => {
  const changes = [...changesAt(versions, ['description'], arrays)];
  expect(changes.map(({ version, ...values }) => ({ user: version.user, ...values }))).toEqual([
    { user: 'ada', before: 'Two.' },
    { user: 'mira', before: 'One.', after: 'Two.' },
  ]);
});

const names: readonly (readonly [string, string | undefined])[] = [
  ['description', '/description'],
  ['schema.amount', '/schema/{name=amount}'],
  ['schema[amount].dataType', '/schema/{name=amount}/dataType'],
  ['schema[1 id].dataType', '/schema/{name=id}/dataType'],
  [
    'schema.address.children.a.b.tags.pii',
    '/schema/{name=address}/children/{name=a.b}/tags/{=pii}',
  ],
  ['/schema/{name=amount}/dataType', '/schema/{name=amount}/dataType'],
  ['schema.nothing', undefined],
  ['/nothing', undefined],
  ['', undefined],
];

test.each(names)('the place "%s" is %s', (text, expected) => {
  const path = findKeyPath(
    text,
    versions.map(({ state }) => state),
    arrays,
  );
  expect(path && formatPointer(path)).toBe(expected);
});

/** `0.2 description; schema[amount]`, newest first; `*` is the first version that is known. */
function narrowed(query: { place?: string; limit?: number; since?: number }) {
  const sourced = versions.map((version) => ({
    version,
    provenance: { kind: 'unknown' } as const,
  }));
  const history = { contract: 'orders', id: 'c1', unrecorded: [], versions: sourced };
  const shown = narrowHistory(history, { limit: 20, ...query }, arrays);
  const lines = shown?.versions.map(({ version, changes, isFirst }) =>
    [`${version.version}${isFirst ? '*' : ''}`, ...changes.map(({ label }) => label)].join(' '),
  );
  return shown && { place: shown.place, lines, older: shown.older };
}

test.for<[string, Parameters<typeof narrowed>[0], object | undefined]>([
  [
    'is whole',
    {},
    {
      older: 0,
      lines: [
        '0.4 description schema[amount] schema[address]',
        '0.3 schema[amount].dataType',
        '0.2 description schema[amount]',
        '0.1*',
      ],
    },
  ],
  [
    'has no more versions than the limit',
    { limit: 1 },
    { older: 3, lines: ['0.4 description schema[amount] schema[address]'] },
  ],
  ['has those since a time', { since: at(2) }, { older: 2 }],
  [
    'of a place has the versions that change it, none of them marked as the first',
    { place: 'schema.amount' },
    {
      place: 'schema[amount]',
      older: 0,
      lines: ['0.3 schema[amount].dataType', '0.2 schema[amount]'],
    },
  ],
  [
    'of a removed place says so',
    { place: 'description', limit: 1 },
    { older: 1, lines: ['0.4 description'] },
  ],
  ['of a place that no version has is none', { place: 'sla' }, undefined],
])('a history %s', ([, query, expected]) => {
  const found = narrowed(query);
  if (expected) expect(found).toMatchObject(expected);
  else expect(found).toBeUndefined();
});
