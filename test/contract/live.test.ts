import { expect, test } from 'vitest';
import { parseLiveContract } from '../../src/contract/contract.ts';
import { deepestNesting, type JsonValue } from '../../src/core/json.ts';

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
