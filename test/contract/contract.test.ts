import { expect, test } from 'vitest';
import { formatVersion, parseLiveContract } from '../../src/contract/contract.ts';
import { standardConventions } from '../../src/contract/conventions.ts';
import { deepestNesting, type JsonValue } from '../../src/core/json.ts';

test.for([
  [0.1, '0.1'],
  [1, '1.0'],
  [10, '10.0'],
  ['2', '2.0'],
  ['0.2', '0.2'],
] as const)('the version %j is written %s', ([version, text]) => {
  expect(formatVersion(version)).toBe(text);
});

test.for([
  { version: '0.1', fields: ['description'], next: ['0.2'] },
  { version: '0.2', fields: ['entityStatus'], next: ['1.0'] },
  { version: '0.2', fields: ['schema', 'schema'], next: ['1.0'] },
  { version: '0.1', fields: ['description', 'entityStatus'], next: ['0.2', '1.0'] },
  { version: '0.9', fields: ['sla'], next: ['1.0'] },
  { version: '1.2', fields: ['owners'], next: ['1.3'] },
  { version: '2.9', fields: ['schema'], next: ['3.0'] },
  { version: 'unheard of', fields: ['schema'], next: [] },
])('a change of $fields at $version leads to $next', ({ version, fields, next }) => {
  expect(standardConventions.predictVersions(version, fields)).toEqual(next);
});

test('a field that nests too deep is left out, also where only a deleted person does', () => {
  let deep: JsonValue = 'value';
  for (let level = 0; level < deepestNesting; level += 1) deep = [deep];
  const people = [{ name: 'alice', deleted: true, deep }, { name: 'bob' }];
  const owners = [{ name: 'carol', deleted: true }, { name: 'dave' }];
  expect(parseLiveContract({ id: '1', owners, reviewers: people })).toEqual({
    id: '1',
    document: { id: '1', owners: [{ name: 'dave' }] },
    tooDeep: ['reviewers'],
  });
});
