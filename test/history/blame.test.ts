import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { blamePlace, changesAt, findKeyPath } from '../../src/history/place.ts';
import { formatPointer, parsePointer } from '../../src/patch/pointer.ts';
import { standard, versionsOf } from './histories.ts';

const { arrays } = standard;
const id = { name: 'id', dataType: 'LONG' };
const amount = { name: 'amount', dataType: 'INT' };
const address = { name: 'address', dataType: 'STRUCT', children: [{ name: 'a.b', tags: ['pii'] }] };

const versions = versionsOf([
  { description: 'One.', schema: [id] },
  { description: 'Two.', schema: [id, amount], updatedBy: 'mira' },
  { description: 'Two.', schema: [id, { ...amount, dataType: 'LONG' }], updatedBy: 'zoe' },
  { schema: [{ ...amount, dataType: 'LONG' }, id, address], updatedBy: 'ada' },
]);

const places: readonly (readonly [string, string, JsonObject])[] = [
  ['what came whole', '/schema/{name=amount}/name', { kind: 'changed', version: '0.2' }],
  ['what was set', '/schema/{name=amount}/dataType', { version: '0.3', before: 'INT' }],
  ['what has something in it', '/schema/{name=amount}', { version: '0.3', before: amount }],
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

  test('is as old as the array where nobody has moved any', () => {
    const earlier = versions.slice(1);
    expect(blamePlace(earlier, { path: ['schema'], of: 'order' }, arrays)).toMatchObject({
      version: earlier[0],
    });
  });
});

test('what changed a place is told from what to what, newest first', () => {
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
