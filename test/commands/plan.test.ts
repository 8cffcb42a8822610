import fc from 'fast-check';
import { noRepository } from '../support/git-folder.ts';
import type { Product } from '../../src/catalog/products/product.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { apply } from '../../src/apply/apply.ts';
import { staticToken } from '../../src/auth/token.ts';
import type { CatalogConnection } from '../../src/catalog/catalog.ts';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import { adoptConventions } from '../../src/plan/rules.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { contractProblems, type Plan } from '../../src/plan/plan.ts';
import { renderPlanJson } from '../../src/report/plan.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { planFiles } from '../../src/commands/plan.ts';
import { record } from '../support/recorder.ts';
import { lenientRules } from '../support/rules.ts';
import { makeFolder, serveCatalog } from '../support/workspace.ts';
import { rounds } from '../support/rounds.ts';

function connectTo({ url, token }: Pick<Sandbox, 'url' | 'token'>): CatalogConnection {
  return {
    baseUrl: new URL(url),
    token: staticToken(token),
    pageSize: 'auto',
    timeoutMs: 10_000,
    version: 'test',
  };
}

async function planOf(
  folder: string,
  connection: CatalogConnection,
  product: Product = standard,
): Promise<Plan> {
  return planFiles({
    catalogUrl: 'http://catalog.test/api',
    files: { root: folder, include: ['**/*.yaml'], exclude: [] },
    repository: noRepository,
    reader: createReader(connection),
    rules: adoptConventions(lenientRules, product),
    product,
  });
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
    schema: [
      { name: 'id', dataType: 'BIGINT' },
      { name: 'amount', dataType: 'DECIMAL' },
    ],
  };
}

function entityOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Plans these files against 2,500 contracts, each of an asset of its own. */
async function planAttached(
  pageSize: number,
  files: readonly string[],
  unmanaged: 'ignore' | 'report',
): Promise<{ plan: Plan; requests: readonly string[] }> {
  const seed = Array.from({ length: 2500 }, (_, number) => ({
    ...contractNumber(number),
    id: entityOf(1_000_000 + number),
    entity: { id: entityOf(number), type: 'table' },
  }));
  const catalog = await serveCatalog({ seed });
  const recorder = await record(catalog.url);
  const plan = await planFiles({
    catalogUrl: 'http://catalog.test/api',
    files: { root: makeFolder(filesOf(files)), include: ['**/*.yaml'], exclude: [] },
    repository: noRepository,
    reader: createReader({ ...connectTo({ ...catalog, url: recorder.url }), pageSize }),
    rules: { ...lenientRules, unmanaged: { rule: unmanaged } },
    product: standard,
  });
  return { plan, requests: recorder.requests };
}

describe('where unmanaged contracts are ignored', () => {
  const attached = [3, 700, 2499].map((number) =>
    stringify({
      name: contractNumber(number)['name'],
      entity: { id: entityOf(number) },
      description: 'Changed.',
    }),
  );

  test('a few contracts are requested one by one, and the plan is that of the whole list', async () => {
    const few = await planAttached(100, attached, 'ignore');
    const all = await planAttached(1000, attached, 'ignore');
    expect(few.requests).toHaveLength(1 + attached.length);
    expect(few.requests.slice(1).map((line) => /entity=([^&]+)/u.exec(line)?.[1])).toEqual(
      [3, 700, 2499].map(entityOf),
    );
    expect(all.requests).toHaveLength(3);
    expect(renderPlanJson(few.plan, { all: true })).toBe(renderPlanJson(all.plan, { all: true }));
    expect(few.plan.summary).toMatchObject({ update: 3, missing: 0, unmanaged: 0 });
  });

  test('a contract that another identity names is looked for in the whole list', async () => {
    const byName = 'fullyQualifiedName: shop.sales.table_00700\ndescription: Changed.\n';
    const { plan, requests } = await planAttached(100, [byName], 'ignore');
    expect(requests).toHaveLength(25);
    expect(plan.summary).toMatchObject({ update: 1, unmanaged: 0 });
  });
});

test('the second plan is empty, in any order of files and contracts', async () => {
  const status = fc.constantFrom('Draft', 'Active', 'Deprecated');
  const columns = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      dataType: fc.constantFrom('INT', 'TEXT'),
    }),
    { selector: ({ name }) => name },
  );
  const managed = fc.record(
    {
      description: fc.string(),
      schema: columns,
      sla: fc.dictionary(fc.constantFrom('refresh', 'latency'), fc.integer()),
      owners: fc
        .uniqueArray(fc.constantFrom('ann', 'bob', 'cid'), { maxLength: 3 })
        .map((names) => names.map((name) => ({ type: 'user', name }))),
    },
    { requiredKeys: [] },
  );
  const pair = fc.record({ live: managed, desired: managed, from: status });
  await fc.assert(
    fc.asyncProperty(
      fc.array(pair, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      async (pairs, turn) => {
        const seed = pairs.map(({ live, from }, n) => ({
          ...contractNumber(n),
          ...live,
          entityStatus: from,
        }));
        const documents = pairs.map(({ desired }, n) =>
          stringify({
            fullyQualifiedName: contractNumber(n)['fullyQualifiedName'],
            ...desired,
            entityStatus: 'Deprecated',
          }),
        );
        const catalog = await serveCatalog({ seed: rotate(seed, turn) });
        const connection = connectTo(catalog);
        const folder = makeFolder(filesOf(rotate(documents, turn + 1)));
        const plan = await planOf(folder, connection);
        const outcomes = await apply({
          plan,
          reader: createReader(connection),
          writer: createWriter(connection),
          rules: lenientRules,
          product: standard,
          concurrency: 3,
        });
        expect(outcomes.outcomes.map(({ result }) => result)).toEqual(
          Array.from({ length: plan.summary.update }, () => 'applied'),
        );
        const again = await planOf(makeFolder({ 'all.yaml': documents.join('---\n') }), connection);
        expect(again.summary).toMatchObject({ update: 0, unchanged: pairs.length });
      },
    ),
    { numRuns: rounds(20) },
  );
});

test('owners, reviewers and extension are requested only when a file manages them', async () => {
  const catalog = await serveCatalog({ seed: [contractNumber(0)] });
  const fqn = 'fullyQualifiedName: shop.sales.table_00000\n';
  const asked = async (file: string): Promise<string | null> => {
    const recorder = await record(catalog.url);
    await planOf(makeFolder({ 'a.yaml': file }), connectTo({ ...catalog, url: recorder.url }));
    return new URL(recorder.requests[0]?.split(' ')[1] ?? '', recorder.url).searchParams.get(
      'fields',
    );
  };
  expect(await asked(`${fqn}description: New.\n`)).toBeNull();
  expect(await asked(`${fqn}extension: {}\nowners: []\n`)).toBe('owners,extension');
});

function rotate<T>(items: readonly T[], by: number): T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function filesOf(documents: readonly string[]): Record<string, string> {
  return Object.fromEntries(documents.map((text, index) => [`${index}.yaml`, text]));
}

test('a file matches a contract whose name is composed in another way, and no other spelling', async () => {
  const composed = 'shop.caf\u00E9';
  const decomposed = 'shop.cafe\u0301';
  for (const [live, declared, summary] of [
    [composed, decomposed, { update: 1, missing: 0 }],
    [decomposed, composed, { update: 1, missing: 0 }],
    [composed, 'shop.Caf\u00E9', { update: 0, missing: 1 }],
    [composed, '"shop".caf\u00E9', { update: 0, missing: 1 }],
  ] as const) {
    const catalog = await serveCatalog({
      seed: [{ ...contractNumber(1), fullyQualifiedName: live }],
    });
    const file = stringify({ fullyQualifiedName: declared, description: 'Changed.' });
    const plan = await planOf(makeFolder({ 'a.yaml': file }), connectTo(catalog));
    expect(plan.summary).toMatchObject(summary);
    expect(plan.contracts.flatMap(contractProblems).map(({ code }) => code)).toEqual(
      summary.missing === 1 ? ['contract-missing'] : [],
    );
  }
});
