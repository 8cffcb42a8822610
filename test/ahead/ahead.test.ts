import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AheadRun, readAhead } from '../../src/ahead/ahead.ts';
import { isWhole } from '../../src/ahead/heads.ts';
import { staticToken } from '../../src/auth/token.ts';
import type { CatalogReader } from '../../src/catalog/catalog.ts';
import { type CatalogConnection, createReader } from '../../src/catalog/client.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { parseSeed, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { sync } from '../../src/sync.ts';
import { lenientRules } from '../rules.ts';
import { makeFolder, serveCatalog } from '../workspace.ts';

function connectTo({ url, token }: Pick<Sandbox, 'url' | 'token'>): CatalogConnection {
  return {
    baseUrl: new URL(url),
    token: staticToken(token),
    pageSize: 'auto',
    timeoutMs: 10_000,
    version: 'test',
  };
}

function runOf(folder: string, connection: CatalogConnection): AheadRun {
  return {
    catalogUrl: 'http://catalog.test/api',
    files: { root: folder, include: ['**/*.yaml'], exclude: [] },
    reader: createReader(connection),
    openReader: (openPages) => createReader(connection, openPages),
    rules: lenientRules,
    dialect: 'auto',
  };
}

function contractNumber(number: number): JsonObject {
  const name = `table_${String(number).padStart(5, '0')}`;
  return {
    name,
    fullyQualifiedName: `shop.sales.${name}`,
    description: `Table ${number}.`,
    entityStatus: 'Draft',
    version: 0.1,
    updatedAt: 1_700_000_000_000,
    schema: [{ name: 'id', dataType: 'BIGINT' }],
  };
}

const scenarios = join(import.meta.dirname, '../scenarios');

test.for(readdirSync(scenarios))('the plan of the scenario %s is the same', async (name) => {
  const folder = join(scenarios, name);
  const seedFile = join(folder, 'live.json');
  const catalog = await serveCatalog({ seed: parseSeed(readFileSync(seedFile, 'utf8'), seedFile) });
  const file = join(folder, 'contract-sync.yaml');
  const config = resolveConfig(
    { catalogUrl: catalog.url, ...(existsSync(file) && { config: file }) },
    {},
    folder,
  );
  const files = { root: folder, include: config.include, exclude: config.exclude };
  const run = {
    ...runOf(folder, connectTo(catalog)),
    files,
    rules: config.rules,
    odcs: config.odcs,
  };
  expect(await sync(readAhead(run))).toEqual(await sync(run));
});

test('an invalid file stops the run before anything is asked of the catalog', async () => {
  const folder = makeFolder({ 'a.yaml': 'description: Of what?\n' });
  const nowhere = connectTo({ url: 'http://127.0.0.1:1/api', token: 'token' });
  const plan = await sync(readAhead(runOf(folder, nowhere)));
  expect(plan).toMatchObject({ errored: true, diagnostics: [{ code: 'identity-missing' }] });
});

test('whatever ends the run ends the list that has begun', async () => {
  const catalog = await serveCatalog({ seed: [contractNumber(0)] });
  const run = runOf(
    makeFolder({ 'a.yaml': 'fullyQualifiedName: shop.sales.table_00000\n' }),
    connectTo(catalog),
  );
  const closed = Promise.withResolvers<void>();
  const openReader: AheadRun['openReader'] = (openPages) => {
    const reader = run.openReader(openPages);
    const list: CatalogReader['list'] = async function* (...asked) {
      try {
        yield* reader.list(...asked);
      } finally {
        closed.resolve();
      }
    };
    return { ...reader, list };
  };
  const rules = {
    ...lenientRules,
    get equivalence(): never {
      throw new Error('no comparing');
    },
  };
  const plan = sync(readAhead({ ...run, openReader, rules }));
  await expect(plan).rejects.toThrow('no comparing');
  await closed.promise;
});

test('a long list, parsed on a thread that leaves documents out, gives the same plan', async () => {
  const seed = Array.from({ length: 12_000 }, (_, number) => contractNumber(number));
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({
    'a.yaml': 'fullyQualifiedName: shop.sales.table_00007\ndescription: New.\n',
    'b.yaml': 'fullyQualifiedName: shop.sales.table_11999\ndescription: Newer.\n',
    'c.yaml': 'fullyQualifiedName: shop.sales.table_11998\nentityStatus: Draft\n',
    'd.yaml': 'fullyQualifiedName: shop.sales.table_12000\nentityStatus: Draft\n',
  });
  const run = runOf(folder, { ...connectTo(catalog), pageSize: 200 });
  let heads = 0;
  const openReader: AheadRun['openReader'] = (openPages) => {
    const reader = run.openReader(openPages);
    const list: CatalogReader['list'] = async function* (...asked) {
      for await (const page of reader.list(...asked)) {
        heads += page.contracts.filter((contract) => !isWhole(contract)).length;
        yield page;
      }
    };
    return { ...reader, list };
  };
  const plan = await sync(readAhead({ ...run, openReader }));
  expect(plan.summary).toMatchObject({ update: 2, unchanged: 1, missing: 1, unmanaged: 11_997 });
  expect(plan).toEqual(await sync(run));
  expect(heads).toBeGreaterThan(10_000);
});
