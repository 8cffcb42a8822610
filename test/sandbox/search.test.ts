import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { listed, orders, send, serve } from './served.ts';

const seed = [
  orders,
  { name: 'invoices', description: 'Straße ÄRGER 100%' },
  { name: 'gone orders', deleted: true },
];

function search(sandbox: Sandbox, q: string, index = 'dataContract') {
  const query = new URLSearchParams({ q, index }).toString();
  return send(sandbox, `/v1/search/query?${query}`);
}

test('a search answers with the contracts found, and how many there are', async () => {
  const sandbox = await serve({ seed });
  const { status, body } = await search(sandbox, 'SALES.public');
  expect(status).toBe(200);
  expect(body).toEqual({ hits: { total: { value: 1 }, hits: [{ _source: listed(orders) }] } });
});

test.each([
  ['order', ['orders']],
  ['one row', ['orders']],
  ['ärger', ['invoices']],
  ['100%', ['invoices']],
  ['', ['invoices', 'orders']],
  ['_', ['orders']],
  ['nowhere', []],
])('a search for "%s" finds %j', async (q, names) => {
  const sandbox = await serve({ seed });
  const { body } = await search(sandbox, q, 'all');
  const found = body.hits.hits.map((hit: { _source: { name: string } }) => hit._source.name);
  expect(found).toEqual(names);
});

test('a search shows a hundred contracts at most, and counts them all', async () => {
  const many = Array.from({ length: 120 }, (_, index) => ({ name: `contract ${index}` }));
  const sandbox = await serve({ seed: many });
  const { body } = await search(sandbox, 'contract');
  expect(body.hits.hits).toHaveLength(100);
  expect(body.hits.total.value).toBe(120);
});

test('a search of an unknown index is not found', async () => {
  const sandbox = await serve({ seed });
  expect((await search(sandbox, 'orders', 'table_search_index')).status).toBe(404);
});

test.each(['?q=orders', '?index=all', ''])('a search with only "%s" is refused', async (query) => {
  const sandbox = await serve({ seed });
  expect((await send(sandbox, `/v1/search/query${query}`)).status).toBe(400);
});
