import { describe, expect, test } from 'vitest';
import type { SyncError } from '../../src/core/errors.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { parseSeed, startSandbox } from '../../src/sandbox/sandbox.ts';
import { list, listed, orders, serve } from './served.ts';

const now = () => 1_700_000_000_000;

async function rejection(seed: JsonObject[]): Promise<SyncError> {
  try {
    await (await startSandbox({ seed })).close();
  } catch (error) {
    return error as SyncError;
  }
  return expect.fail('The seed was accepted.');
}

describe('a seed file', () => {
  test.each<[string, JsonValue]>([
    ['an array of contracts', [orders, { name: 'invoices' }]],
    ['the answer to a list', { data: [orders, { name: 'invoices' }], paging: { total: 2 } }],
  ])('may be %s', (_, value) => {
    expect(parseSeed(JSON.stringify(value), 'seed.json')).toEqual([orders, { name: 'invoices' }]);
  });

  test.each(['{', '', '{}', '{"data":{}}', '[1]', '["orders"]', '"orders"', 'null'])(
    'is refused by its name if it is %s',
    (text) => {
      const parse = () => parseSeed(text, 'demo/seed.json');
      expect(parse).toThrow(expect.objectContaining({ code: 'sandbox-seed' }));
      expect(parse).toThrow(/demo\/seed\.json/u);
    },
  );
});

describe('a seed contract', () => {
  test('is served as it is, if it is complete', async () => {
    const sandbox = await serve({ seed: [orders] });
    expect((await list(sandbox)).body.data).toEqual([listed(orders)]);
  });

  test('gets what a catalog would give it', async () => {
    const entity = { type: 'table', fullyQualifiedName: 'warehouse.orders' };
    const sandbox = await serve({ seed: [{ name: 'orders', entity }], now });
    expect((await list(sandbox)).body.data).toEqual([
      {
        id: expect.stringMatching(
          /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
        ),
        name: 'orders',
        fullyQualifiedName: 'warehouse.orders.dataContract_orders',
        entity,
        entityStatus: 'Draft',
        version: 0.1,
        updatedAt: now(),
        updatedBy: 'seed',
      },
    ]);
  });

  test('has the same id in every run', async () => {
    const seed = [{ name: 'orders' }, { fullyQualifiedName: 'warehouse.invoices' }];
    const [first, second] = [await serve({ seed, now }), await serve({ seed, now })];
    expect((await list(first)).body).toEqual((await list(second)).body);
    expect((await list(first)).body.paging.total).toBe(2);
  });

  test.each<[string, JsonObject]>([
    ['name', {}],
    ['name', { name: 1 }],
    ['id', { name: 'orders', id: '1' }],
    ['entityStatus', { name: 'orders', entityStatus: 'Live' }],
    ['version', { name: 'orders', version: '0.1' }],
    ['version', { name: 'orders', version: 0.25 }],
    ['version', { name: 'orders', version: -1 }],
    ['updatedAt', { name: 'orders', updatedAt: 1.5 }],
    ['entity', { name: 'orders', entity: 'orders' }],
    ['entity.id', { name: 'orders', entity: { id: 'orders' } }],
    ['deleted', { name: 'orders', deleted: 'yes' }],
  ])('is refused by its number if its %s is wrong', async (field, contract) => {
    const error = await rejection([orders, contract]);
    expect(error.code).toBe('sandbox-seed');
    expect(error.message).toContain('Contract 2');
    expect(error.message).toContain(`\`${field}\``);
  });

  test('is refused if another one has its id', async () => {
    const error = await rejection([orders, { name: 'invoices' }, { ...orders, name: 'again' }]);
    expect(error.code).toBe('sandbox-seed');
    expect(error.message).toContain('Contracts 1 and 3');
  });
});
