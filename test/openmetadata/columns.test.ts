import { expect, test } from 'vitest';
import { createReader } from '../../src/catalog/client.ts';
import type { CatalogReader } from '../../src/catalog/catalog.ts';
import { connectTo, serve as serveAnswers } from '../support/server.ts';
import { manyContracts, nameOf, openWorld, problemsOf, resultsOf, type World } from './world.ts';

const tables = [0, 1, 2].map((number) => ({
  fullyQualifiedName: `shop.sales.web.t${number}`,
  columns: [
    { name: 'id', dataType: 'INT' },
    { name: 'amount', dataType: 'INT' },
    { name: 'address', dataType: 'STRUCT', children: [{ name: 'city', dataType: 'VARCHAR' }] },
  ],
}));

const seed = { contracts: manyContracts(3), tables };

const withColumns = (number: number, ...names: readonly string[]) =>
  `fullyQualifiedName: ${nameOf(number)}\nschema:\n${names
    .map((name) => `  - { name: ${name}, dataType: INT }\n`)
    .join('')}`;

test('a column that the asset lacks blocks its contract, with the nearest at its line', async () => {
  const world = await openWorld({ seed });
  const plan = await world.plan([
    withColumns(0, 'id', 'amuont'),
    withColumns(1, 'ID'),
    withColumns(2, 'id', 'amount'),
  ]);
  expect(plan).toMatchObject({ errored: true, summary: { blocked: 2, update: 1 } });
  expect(problemsOf(plan).filter(({ code }) => code === 'unknown-column')).toMatchObject([
    {
      message: 'The table has no column "amuont".',
      hint: 'Did you mean "amount"?',
      source: { file: '0.yaml', line: 4 },
    },
    { hint: 'Did you mean "id"?', source: { file: '1.yaml', line: 3 } },
  ]);
});

test('a nested column of the asset counts by its own name, as in the catalog', async () => {
  const world = await openWorld({ seed });
  const plan = await world.plan([withColumns(0, 'id', 'city')]);
  expect(plan).toMatchObject({ errored: false, summary: { update: 1 } });
  expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
});

test('a column that the asset has lost is reported with a new one', async () => {
  const world = await openWorld({ seed });
  const { body } = await world.ask('GET', '/tables/name/shop.sales.web.t0?fields=columns');
  await world.ask('PATCH', `/tables/${body.id}`, { body: [{ op: 'remove', path: '/columns/0' }] });
  const problems = problemsOf(await world.plan([withColumns(0, 'id', 'amount')]));
  expect(problems).toMatchObject([
    { code: 'unknown-column', message: 'The table has no column "id".', source: { line: 3 } },
  ]);
});

test.for([403, 404, 500])(
  'an asset that is answered with %i holds no change back: the catalog checks its columns too',
  async (status) => {
    const world = await openWorld({ seed });
    const plan = await world.plan([withColumns(0, 'id', 'amount')], {
      reader: await refusing(world, status),
    });
    expect(plan).toMatchObject({ errored: false, summary: { update: 1 } });
    expect(problemsOf(plan)).toEqual([]);
    expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
  },
);

/** Reads as ever, but gets this answer for each asset. */
async function refusing(world: World, status: number): Promise<CatalogReader> {
  const { url } = await serveAnswers((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end('{"message": "No such luck."}');
  });
  const { fetchEntity } = createReader(connectTo(url));
  const reader = createReader(
    connectTo(new URL(world.url), { token: async () => world.tokenOf('admin') }),
  );
  return { ...reader, fetchEntity };
}

test('a schema for an asset without columns is an error of the plan, also of a new contract', async () => {
  const entity = { type: 'database', fullyQualifiedName: 'shop.sales' };
  const contracts = [
    { name: 'sales', fullyQualifiedName: 'shop.sales.dataContract_sales', entity },
  ];
  const world = await openWorld({ seed: { contracts, databaseSchemas: ['shop.sales.web'] } });
  const schema = 'schema:\n  - { name: id, dataType: INT }\n';
  const live = `fullyQualifiedName: shop.sales.dataContract_sales\n${schema}`;
  const created = `name: web\nentity: { type: databaseSchema, fullyQualifiedName: shop.sales.web }\n${schema}`;
  for (const [file, line] of [
    [live, 3],
    [created, 4],
  ] as const) {
    const plan = await world.plan([file], { rules: { create: true } });
    expect(problemsOf(plan)).toMatchObject([
      { code: 'schema-not-taken', severity: 'error', source: { line } },
    ]);
  }
});
