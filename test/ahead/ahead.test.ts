import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AheadRun, readAhead, startListing } from '../../src/ahead/ahead.ts';
import { isWhole } from '../../src/ahead/heads.ts';
import { staticToken } from '../../src/auth/token.ts';
import type { CatalogReader, Page } from '../../src/catalog/catalog.ts';
import { type CatalogConnection, createReader } from '../../src/catalog/client.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { parseSeed, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { sync } from '../../src/sync.ts';
import { record } from '../recorder.ts';
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

test('an invalid file stops the run, whatever becomes of the list that has begun', async () => {
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

test('the list begins while the files are parsed, and begins again if it guessed wrong', async () => {
  const catalog = await serveCatalog({ seed: [contractNumber(0)] });
  const fqn = 'fullyQualifiedName: shop.sales.table_00000\n';
  const requests = async (file: string): Promise<(string | null)[]> => {
    const recorder = await record(catalog.url);
    const connection = connectTo({ ...catalog, url: recorder.url });
    await sync(readAhead(runOf(makeFolder({ 'a.yaml': file }), connection)));
    return recorder.requests.map((line) =>
      new URL(line.split(' ')[1] ?? '', recorder.url).searchParams.get('fields'),
    );
  };
  expect(await requests(`${fqn}owners: []\n`)).toEqual(['owners']);
  expect(await requests(`${fqn}"own\\x65rs": []\n`)).toContain('owners');
  expect(await requests(`${fqn}description: |\n  owners: nobody\n`)).toContain(null);
  const unforeseen = 'fullyQualifiedName: "shop.sales.t\\x61ble_00000"\n';
  expect(await requests(unforeseen)).toEqual([null, null]);
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

const contract = { id: 'a', document: {} };

/** How many contracts are to come of a list with these pages. */
function toComeOf(rule: 'ignore' | 'report', ...pages: (Page | Error)[]): Promise<number> {
  const run = runOf(makeFolder(), connectTo({ url: 'http://127.0.0.1:1/api', token: 'token' }));
  const list: CatalogReader['list'] = async function* () {
    for (const page of pages) {
      if (page instanceof Error) throw page;
      yield page;
    }
  };
  const openReader = () => ({ ...run.reader, list });
  const rules = { ...lenientRules, unmanaged: { rule } };
  return startListing({ ...run, rules, openReader }, { sources: [] }).toCome;
}

test.each([
  ['that says how many they are', { contracts: [], total: 10_000 }, 10_000],
  ['that says that there are fewer than have come', { contracts: [contract], total: 0 }, 0],
  ['that does not say how many they are', { contracts: [] }, 0],
  ['that cannot be read', new Error('no catalog'), 0],
])('of a list %s, so many contracts are to come: %#', async (_what, page, toCome) => {
  expect(await toComeOf('report', page)).toBe(toCome);
});

test('of a list that is empty, or has not begun, no contracts are to come', async () => {
  expect(await toComeOf('report')).toBe(0);
  expect(await toComeOf('ignore', { contracts: [], total: 10 })).toBe(0);
});
