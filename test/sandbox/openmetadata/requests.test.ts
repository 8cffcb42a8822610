/** What none of the recorded stories in `traces/` tells. */

import { request as sendRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import type { Sent } from './http.ts';
import { create, everybody, idOf, makeContract, serve } from './served.ts';

const json = { 'content-type': 'application/json' };
const bomb = gzipSync(Buffer.alloc(11 * 1024 * 1024, ' ')).toString('base64');

test.each<[string, string, string, Partial<Sent>, number]>([
  ['a list of what is unknown', 'GET', '?include=some', {}, 400],
  ['a list from two cursors', 'GET', '?after=YQ&before=YQ', {}, 400],
  ['a list from no cursor', 'GET', '?after=garbage', {}, 500],
  ['a list with all fields', 'GET', '?fields=*', {}, 200],
  ['a page for a browser', 'GET', '', { headers: { accept: 'text/html' } }, 406],
  ['a patch of a list', 'PATCH', '', {}, 405],
  ['a creation from nothing', 'POST', '', { bodyText: '', headers: json }, 500],
  ['a creation from broken JSON', 'POST', '', { bodyText: '{', headers: json }, 400],
  [
    'a body that unzips beyond the limit',
    'POST',
    '',
    { bodyBase64: bomb, headers: { ...json, 'content-encoding': 'gzip' } },
    500,
  ],
])('%s', async (_, method, query, sent, status) => {
  const served = await serve();
  expect((await served.ask(method, `/dataContracts${query}`, sent)).status).toBe(status);
});

test.each<[string, JsonObject, number]>([
  ['more than the limit', { description: 'x'.repeat(10 * 1024 * 1024) }, 413],
  ['a NUL', { description: 'a\0b' }, 500],
  ['a custom property that is not defined', { extension: { colour: 'blue' } }, 400],
])('a creation with %s is refused', async (_, content, status) => {
  expect((await create(await serve(), content)).status).toBe(status);
});

test.each<[string, string, JsonValue, string]>([
  ['email', 'ada@example.com', null, ''],
  ['email', 'ada', null, ': must be at least 6 characters long'],
  ['email', 'ada at example', null, ': does not match the regex pattern'],
  ['time-cp', '23:59:00', 'HH:mm:ss', ''],
  ['time-cp', '24:00:00', 'HH:mm:ss', ''],
  ['time-cp', '24:00:01', 'HH:mm:ss', 'is not as per defined format HH:mm:ss'],
  ['time-cp', '12:60:00', 'HH:mm:ss', 'is not as per defined format HH:mm:ss'],
  ['date-cp', '2026-13-01', 'yyyy-MM-dd', 'is not as per defined format yyyy-MM-dd'],
  ['date-cp', '1 May 2026', 'd MMMM yyyy', ''],
])(
  'a property of the type %s takes %s (%j), or refuses it: %s',
  async (type, value, config, reason) => {
    const properties = [{ name: 'level', description: '', type, config: { config } }];
    const served = await serve({ seed: { ...everybody, properties } });
    const { status, body } = await create(served, { extension: { level: value } });
    expect(status).toBe(reason === '' ? 201 : 400);
    expect(String(body.message)).toContain(reason === '' ? 'undefined' : reason);
  },
);

test('a topic and a pipeline belong to a service', async () => {
  const served = await serve();
  for (const [type, service] of [
    ['topics', 'messagingServices'],
    ['pipelines', 'pipelineServices'],
  ]) {
    const made = await served.ask('POST', `/services/${service}`, {
      body: { name: `own-${type}` },
    });
    expect(made.status).toBe(201);
    const alone = await served.ask('POST', `/${type}`, { body: { name: 'orders' } });
    expect(alone.body.message).toBe('[query param service must not be null]');
    const body = { name: 'orders', service: `own-${type}` };
    const { body: asset } = await served.ask('POST', `/${type}`, { body });
    expect(asset.fullyQualifiedName).toBe(`own-${type}.orders`);
    const entity = { id: asset.id, type: String(type).slice(0, -1) };
    const contract = await served.ask('POST', '/dataContracts', { body: { name: 'c', entity } });
    expect(contract.status).toBe(201);
  }
});

test('who has left is found with include=all, also by name, and owns what the seed gave', async () => {
  const gone = { name: 'gone', deleted: true };
  const entity = { type: 'table', fullyQualifiedName: 'shop.sales.web.orders' };
  const contracts = [{ name: 'orders', entity, owners: [{ type: 'user', name: 'gone' }] }];
  const served = await serve({ seed: { ...everybody, users: [gone], contracts } });
  expect((await served.ask('GET', '/users/name/gone')).status).toBe(404);
  const { body } = await served.ask('GET', '/users/name/gone?include=all');
  expect(body).toMatchObject({ name: 'gone', deleted: true });
  const list = await served.ask('GET', '/dataContracts?fields=owners');
  expect(list.body.data).toMatchObject([{ owners: [{ name: 'gone', deleted: true }] }]);
});

test('values are bent into what the class wants', async () => {
  const { body } = await create(await serve(), {
    displayName: 7,
    description: 'a\ud800b',
    sla: { maxLatency: { value: '5', unit: 'hour' }, retention: { period: 2.9, unit: 'day' } },
    semantics: [{ name: 'r', description: 'd', rule: '{}', enabled: 'false' }],
    effectiveFrom: '2026-01-01T02:00:00+02:00',
  });
  expect(body).toMatchObject({
    displayName: '7',
    description: 'a?b',
    sla: { maxLatency: { value: 5 }, retention: { period: 2 } },
    semantics: [{ enabled: false }],
    effectiveFrom: Date.UTC(2026, 0, 1),
  });
});

test('a patch may not delete, nor make a table an owner, nor leave the type of an owner out', async () => {
  const served = await serve();
  const contract = await makeContract(served);
  const id = await idOf(served, 'tables', 'shop.sales.web.orders');
  const statusOf = async (path: string, value: JsonObject | boolean | readonly JsonObject[]) =>
    (await contract.patch([{ op: 'add', path, value: value as JsonObject }])).status;
  expect(await statusOf('/deleted', true)).toBe(400);
  expect(await statusOf('/owners', [{ type: 'table', id }])).toBe(400);
  expect(await statusOf('/reviewers', [{ type: 'table', id }])).toBe(400);
  expect(await statusOf('/owners', [{ id }])).toBe(500);
  expect(await statusOf('/owners', [{ type: 'user', id: '7' }])).toBe(500);
  // What is no user of that id, or nothing, is dropped.
  expect(await statusOf('/owners', [{ type: 'user', id }])).toBe(200);
  expect(await statusOf('/owners', [{}])).toBe(200);
});

test('OPTIONS lists the methods, HEAD returns the headers', async () => {
  const served = await serve();
  const { path } = await makeContract(served);
  const { allow = '' } = (await served.ask('OPTIONS', path)).headers;
  expect(allow.split(',').toSorted()).toEqual(['DELETE', 'GET', 'OPTIONS', 'PATCH']);
  const head = await served.ask('HEAD', path);
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(head.headers.etag).toMatch(/^"[\da-f]{16}"$/u);
});

test('a request that breaks off does no harm', async () => {
  const served = await serve();
  await new Promise((resolve) => {
    const headers = { 'content-length': 100 };
    const request = sendRequest(`${served.url}/v1/dataContracts`, { method: 'POST', headers });
    request.on('error', resolve);
    request.write('{', () => request.destroy(new Error('gone')));
  });
  expect((await served.ask('GET', '/dataContracts')).status).toBe(200);
});
