import { describe, expect, test } from 'vitest';
import type { SyncError } from '../../../src/core/diagnostic.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { parseWorldSeed } from '../../../src/sandbox/openmetadata/seed.ts';
import { everything, serve } from './served.ts';

const entity = { type: 'table', fullyQualifiedName: 'shop.sales.web.orders' };

const orders: JsonObject = {
  name: 'orders',
  entity,
  entityStatus: 'Approved',
  schema: [
    { name: 'id', dataType: 'INT' },
    { name: 'amount', dataType: 'DECIMAL' },
  ],
  owners: [
    { type: 'user', name: 'mira.okafor' },
    { type: 'user', name: 'jon' },
  ],
  extension: { tier: 1 },
  updatedBy: 'mira.okafor',
  updatedAt: 1_780_000_000_000,
};

async function served(...contracts: readonly JsonObject[]) {
  const catalog = await serve({ seed: { contracts } });
  const { body } = await catalog.ask('GET', `/dataContracts${everything}`);
  return { catalog, contracts: body.data };
}

test('a contract brings the people and the table that it needs', async () => {
  const { catalog, contracts } = await served(orders);
  expect(contracts).toMatchObject([
    {
      name: 'orders',
      fullyQualifiedName: 'shop.sales.web.orders.dataContract_orders',
      version: 0.1,
      updatedBy: 'mira.okafor',
      updatedAt: 1_780_000_000_000,
      owners: [{ name: 'jon' }, { name: 'mira.okafor', fullyQualifiedName: '"mira.okafor"' }],
      extension: { tier: 1 },
    },
  ]);
  const table = await catalog.ask('GET', '/tables/name/shop.sales.web.orders');
  expect(table.body.columns).toMatchObject([{ name: 'id' }, { name: 'amount' }]);
  expect((await catalog.ask('GET', '/users/name/Mira.Okafor')).status).toBe(200);
});

test('earlier versions are its history, oldest first, each by its own author', async () => {
  const versions = [
    { entityStatus: 'Draft', updatedBy: 'jon', updatedAt: 1_770_000_000_000 },
    { entityStatus: 'In Review', updatedBy: 'jon', updatedAt: 1_770_000_100_000 },
  ];
  const { catalog, contracts } = await served({ ...orders, versions });
  const answer = await catalog.ask('GET', `/dataContracts/${contracts[0].id}/versions`);
  const found = answer.body.versions.map((text: string) => JSON.parse(text));
  expect(found).toMatchObject([
    { version: 0.3, entityStatus: 'Approved', updatedBy: 'mira.okafor', createdBy: 'jon' },
    { version: 0.2, entityStatus: 'In Review', updatedBy: 'jon', updatedAt: 1_770_000_100_000 },
    { version: 0.1, entityStatus: 'Draft', updatedBy: 'jon', updatedAt: 1_770_000_000_000 },
  ]);
  expect(found[0].changeDescription.fieldsUpdated[0]).toEqual({
    name: 'entityStatus',
    oldValue: 'In Review',
    newValue: 'Approved',
  });
});

test('a contract may be deleted, at any version, and named by its own qualified name', async () => {
  const name = 'shop.sales.web.orders.dataContract_orders';
  const { entity: _, ...named } = orders;
  const { catalog, contracts } = await served({
    ...named,
    fullyQualifiedName: name,
    version: 1.2,
    deleted: true,
  });
  expect(contracts).toEqual([]);
  const { body } = await catalog.ask('GET', `/dataContracts/name/${name}?include=all`);
  expect(body).toMatchObject({ version: 1.3, deleted: true });
});

describe('a contract of a seed is refused', () => {
  test.each<[string, JsonObject]>([
    ['without an asset', { entity: {} }],
    ['without a name', { name: null }],
    ['with an unknown status', { entityStatus: 'Active' }],
    ['with an owner without a name', { owners: [{ type: 'user', id: 'x' }] }],
    ['with a version that is as the one before', { versions: [{}] }],
  ])('%s', async (_, content) => {
    const seed = { contracts: [{ ...orders, ...content }] };
    await expect(serve({ seed })).rejects.toMatchObject<Partial<SyncError>>({
      code: 'unreadable-file',
      message: expect.stringContaining('Contract 1 of the seed'),
    });
  });

  test('for a status of the standard catalog, with the way out', async () => {
    const seed = { contracts: [{ ...orders, entityStatus: 'Active' }] };
    await expect(serve({ seed })).rejects.toMatchObject({
      message: 'Contract 1 of the seed is not valid: OpenMetadata has no status "Active".',
      hint: expect.stringContaining('examples/openmetadata/catalog.json'),
    });
  });

  test.each([{ columns: [{ from: ['iban'], to: 'iban' }] }, { columns: [['iban', 'iban']] }])(
    'for an edge with $columns',
    async ({ columns }) => {
      const tables = ['a.b.c.d', 'a.b.c.e'].map((name) => ({ fullyQualifiedName: name }));
      const lineage = [{ from: 'a.b.c.d', to: 'a.b.c.e', columns }];
      await expect(serve({ seed: { tables, lineage } })).rejects.toMatchObject({
        message:
          'The lineage of the seed from a.b.c.d to a.b.c.e has other `columns` than it can read.',
        hint: 'Name each column of `to` with a list of those of `from`: "columns": {"iban": ["iban"]}.',
      });
    },
  );

  test('for an asset that has another one', async () => {
    const seed = { contracts: [orders, { ...orders, name: 'again' }] };
    await expect(serve({ seed })).rejects.toThrow('Contract 2 of the seed');
  });
});

describe('a seed file', () => {
  test('may hold people and assets beside contracts', () => {
    const seed = { data: [orders], users: [{ name: 'ada' }], databaseSchemas: ['a.b.c'] };
    expect(parseWorldSeed(JSON.stringify(seed), 'seed.json')).toEqual({
      contracts: [orders],
      users: [{ name: 'ada' }],
      databaseSchemas: ['a.b.c'],
    });
    expect(parseWorldSeed(JSON.stringify([orders]), 'seed.json')).toEqual({ contracts: [orders] });
  });

  test.each<[line: number, key: string, text: string, known: string]>([
    [2, 'tabels', '{"data":[],\n"tabels":[]}', 'data, paging, users, teams, properties, tables,'],
    [
      4,
      'owner',
      '{"data":[{"name":"x","owners":[]}],\n"tables":[{"fullyQualifiedName":"a.b.c.d"},\n{"fullyQualifiedName":"e",\n"owner":[]}]}',
      'id, fullyQualifiedName, displayName, columns, owners.',
    ],
    [2, 'desciption', '[{"name":"a"},\n{"name":"b","desciption":"x"}]', 'description,'],
  ])('with an unknown key is refused by its line: %i, %s', (line, key, text, known) => {
    expect(() => parseWorldSeed(text, 'seed.json')).toThrow(
      expect.objectContaining({
        message: `seed.json:${line}: The seed has the unknown key "${key}".`,
        hint: expect.stringContaining(known),
      }),
    );
  });

  test('gives a table its owners', async () => {
    const owners = [{ type: 'user', name: 'ada' }];
    const sandbox = await serve({ seed: { tables: [{ fullyQualifiedName: 'a.b.c.d', owners }] } });
    const found = await sandbox.ask('GET', '/tables/name/a.b.c.d?fields=owners');
    expect(found.body.owners).toMatchObject(owners);
  });

  test.each(['{"data":[],"users":{}}', '{"data":[],"tables":[{"name":"x"}]}', '{"users":[]}', '{'])(
    'is refused by its name if it is %s',
    (text) => {
      expect(() => parseWorldSeed(text, 'demo/seed.json')).toThrow(/demo\/seed\.json/u);
    },
  );
});
