import { describe, expect, test } from 'vitest';
import type { SyncError } from '../../src/core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { parseSeed, startSandbox } from '../../src/sandbox/sandbox.ts';
import { list, orders, send, serve } from './served.ts';

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

  test.each(['{', '{}', '[1]'])('is refused by its name if it is %s', (text) => {
    const parse = () => parseSeed(text, 'demo/seed.json');
    expect(parse).toThrow(expect.objectContaining({ code: 'unreadable-file' }));
    expect(parse).toThrow(/demo\/seed\.json/u);
  });
});

describe('a seed contract', () => {
  test('gets what a catalog would give it', async () => {
    const entity = { type: 'table', fullyQualifiedName: 'warehouse.orders' };
    const sandbox = await serve({ seed: [{ name: 'orders', entity }], now });
    expect((await list(sandbox)).body.data).toEqual([
      {
        id: expect.stringMatching(
          /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
        ),
        name: 'orders',
        fullyQualifiedName: 'warehouse.orders.orders',
        entity,
        entityStatus: 'Draft',
        version: 0.1,
        updatedAt: Date.UTC(2000, 0),
        updatedBy: 'seed',
      },
    ]);
  });

  test.each<[string, JsonObject]>([
    ['name', {}],
    ['id', { name: 'orders', id: '1' }],
    ['entityStatus', { name: 'orders', entityStatus: 'Live' }],
    ['version', { name: 'orders', version: '0.1' }],
    ['updatedAt', { name: 'orders', updatedAt: 1.5 }],
    ['entity.id', { name: 'orders', entity: { id: 'orders' } }],
    ['deleted', { name: 'orders', deleted: 'yes' }],
  ])('is refused by its number if its %s is wrong', async (field, contract) => {
    const error = await rejection([orders, contract]);
    expect(error.code).toBe('unreadable-file');
    expect(error.message).toContain('Contract 2');
    expect(error.message).toContain(`\`${field}\``);
  });

  test('is refused if another one has its id', async () => {
    const error = await rejection([orders, { name: 'invoices' }, { ...orders, name: 'again' }]);
    expect(error.code).toBe('unreadable-file');
    expect(error.message).toContain('Contracts 1 and 3');
  });
});

describe('earlier versions of a seed contract', () => {
  const day = 86_400_000;
  const story: JsonObject = {
    name: 'orders',
    description: 'One row per order.',
    entityStatus: 'Active',
    updatedBy: 'mira',
    updatedAt: '3d',
    versions: [
      { entityStatus: 'Draft', description: null, updatedBy: 'jon', updatedAt: '2023-10-01' },
      { description: 'Orders.', updatedBy: 'jon', updatedAt: 1_699_000_000_000 },
    ],
  };

  test('are its history, oldest first, each by its own user and at its own time', async () => {
    const sandbox = await serve({ seed: [story], now });
    const [current] = (await list(sandbox)).body.data;
    const { body } = await send(sandbox, `/v1/dataContracts/${current.id}/versions`);
    const versions: JsonValue[] = body.versions.map((text: string) => JSON.parse(text));
    expect(versions).toMatchObject([
      {
        version: 0.3,
        description: 'One row per order.',
        updatedBy: 'mira',
        entityStatus: 'Active',
      },
      { version: 0.2, description: 'Orders.', updatedBy: 'jon', updatedAt: 1_699_000_000_000 },
      { version: 0.1, entityStatus: 'Draft', updatedBy: 'jon', updatedAt: Date.UTC(2023, 9, 1) },
    ]);
    expect(versions[2]).not.toHaveProperty('description');
    expect(versions[0]).toMatchObject({
      updatedAt: now() - 3 * day,
      changeDescription: { fieldsUpdated: [{ name: 'description', oldValue: 'Orders.' }] },
    });
    const one = await send(sandbox, `/v1/dataContracts/${current.id}/versions/0.2`);
    expect(one.body).toEqual(versions[1]);
  });

  test.each<[string, JsonValue, string]>([
    ['no list', 'jon', '`versions`'],
    ['the same twice', [{}], 'the same'],
    ['numbered backwards', [{ version: 3, description: 'x' }, { version: 2 }], 'higher number'],
    ['at no time', [{ updatedAt: 'once' }], '`updatedAt`'],
  ])('are refused if they are %s', async (_, versions, words) => {
    const error = await rejection([{ ...story, versions }]);
    expect(error.message).toContain('Contract 1');
    expect(error.message).toContain(words);
  });
});
