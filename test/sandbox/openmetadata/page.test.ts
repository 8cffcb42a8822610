import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/core/json.ts';
import { create, idOf, makeContract, serve } from './served.ts';

const jsonPatch = { 'content-type': 'application/json-patch+json' };
const minutes = 60_000;

/** One request each on a fresh contract: the status, and what the answer holds. */
test.for<[string, JsonValue, number, string]>([
  ['an array that is no list of operations', 7, 500, 'Failed to parse JsonPatch'],
  [
    'a test of what an absent member is not',
    [{ op: 'test', path: '/displayName', value: null }],
    500,
    'An exception with message',
  ],
  [
    'a replacement of what is absent',
    [{ op: 'replace', path: '/displayName', value: 'x' }],
    500,
    'An exception with message',
  ],
  [
    'a leading zero in an index',
    [{ op: 'replace', path: '/schema/01/dataType', value: 'DOUBLE' }],
    200,
    '"DOUBLE"',
  ],
  [
    'a status that is none',
    [{ op: 'add', path: '/entityStatus', value: 'Active' }],
    500,
    'Failed to convert JsonValue',
  ],
  [
    'an unknown member of a column',
    [{ op: 'add', path: '/schema/0/colour', value: 'x' }],
    500,
    'Failed to convert JsonValue',
  ],
  [
    'an unknown member of the sla',
    [{ op: 'add', path: '/sla', value: { colour: 'x' } }],
    200,
    '"colour":"x"',
  ],
  ['tags of the contract', [{ op: 'add', path: '/tags', value: [] }], 200, '"version":0.1'],
  ['its deletion', [{ op: 'add', path: '/deleted', value: true }], 400, 'deleted'],
  [
    'terms of use as text',
    [{ op: 'add', path: '/termsOfUse', value: 'x' }],
    500,
    'Failed to convert JsonValue',
  ],
  [
    'a mere date',
    [{ op: 'add', path: '/effectiveFrom', value: '2026-01-01' }],
    500,
    'Failed to convert JsonValue',
  ],
  [
    'a fraction for a whole number',
    [{ op: 'add', path: '/sla', value: { retention: { period: 2.9, unit: 'day' } } }],
    200,
    '"period":2,',
  ],
  [
    'a number beyond 32 bits',
    [{ op: 'add', path: '/sla', value: { retention: { period: 2 ** 40, unit: 'day' } } }],
    500,
    'Failed to convert JsonValue',
  ],
  [
    'an owner by name',
    [{ op: 'add', path: '/owners', value: [{ type: 'user', name: 'ada' }] }],
    200,
    '"owners":[]',
  ],
  [
    'an owner by qualified name',
    [{ op: 'add', path: '/owners', value: [{ type: 'user', fullyQualifiedName: 'ada' }] }],
    200,
    '"name":"ada"',
  ],
  [
    'an owner without a type',
    [{ op: 'add', path: '/owners', value: [{ id: '7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55' }] }],
    500,
    'An exception with message',
  ],
  [
    'another id',
    [{ op: 'replace', path: '/id', value: '7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55' }],
    200,
    '"version":0.1',
  ],
  [
    'a column twice',
    [{ op: 'copy', from: '/schema/0', path: '/schema/-' }],
    400,
    'Duplicate column names',
  ],
  [
    'a column in another case',
    [{ op: 'replace', path: '/schema/0/name', value: 'ID' }],
    400,
    'do not exist in the table: ID',
  ],
  ['no change at all', [], 200, '"version":0.1'],
])('a patch with %s', async ([, body, status, says]) => {
  const served = await serve();
  const schema = ['id', 'amount'].map((name) => ({ name, dataType: 'INT' }));
  const { body: made } = await create(served, { description: 'Old.', schema });
  const answer = await served.ask('PATCH', `/dataContracts/${made.id}`, {
    body,
    headers: jsonPatch,
  });
  expect(`${answer.status} ${answer.text}`).toContain(says);
  expect(answer.status).toBe(status);
});

test('If-Match with a weak tag, in a list, and any, let a patch through; another does not', async () => {
  const served = await serve();
  const contract = await makeContract(served, { description: 'Old.' });
  const patch = (tag: string, value: string) =>
    contract.patch([{ op: 'add', path: '/description', value }], 'admin', { 'if-match': tag });
  const statuses = [
    await patch('W/"0.1"', 'a'),
    await patch('"nope", W/"0.2"', 'b'),
    await patch('*', 'c'),
    await patch('W/"0.3"', 'd'),
    await patch('W/"0.40"', 'e'),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 412, 412]);
  expect((await contract.read()).version).toBe(0.4);
});

test('an edit under If-Match is no part of a session, and the one after it is', async () => {
  const served = await serve();
  const contract = await makeContract(served, { description: 'Old.' });
  const edit = async (value: string, headers = {}) =>
    (await contract.patch([{ op: 'add', path: '/description', value }], 'admin', headers)).body
      .version;
  expect(await edit('a')).toBe(0.2);
  expect(await edit('b', { 'if-match': '*' })).toBe(0.3);
  served.pass(9 * minutes);
  expect(await edit('c')).toBe(0.3);
  served.pass(11 * minutes);
  expect(await edit('d')).toBe(0.4);
});

test('a permission is missed before the contract is, and a tag after both', async () => {
  const served = await serve();
  const path = '/dataContracts/7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55';
  const body = [{ op: 'add', path: '/entityStatus', value: 'Draft' }];
  const headers = { ...jsonPatch, 'if-match': '"nope"' };
  expect((await served.ask('PATCH', path, { body, headers }, 'zoe')).status).toBe(403);
  expect((await served.ask('PATCH', path, { body, headers })).status).toBe(404);
});

test('a creation needs the id of its asset, and one that is there', async () => {
  const served = await serve();
  const post = async (entity: JsonValue) =>
    (await served.ask('POST', '/dataContracts', { body: { name: 'c', entity } })).status;
  const id = await idOf(served, 'tables', 'shop.sales.web.orders');
  expect(await post({ type: 'table', fullyQualifiedName: 'shop.sales.web.orders' })).toBe(400);
  expect(await post({ id })).toBe(400);
  expect(await post({ id: '7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55', type: 'table' })).toBe(404);
  expect(await post({ id, type: 'user' })).toBe(400);
  expect(await post({ id, type: 'table' })).toBe(201);
  expect(await post({ id, type: 'table' })).toBe(400);
});
