import { expect, onTestFinished, test } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { planMissing } from '../../src/plan/contract-plan.ts';
import { creations } from '../../src/plan/plan.ts';
import { adoptConventions, defaultRules } from '../../src/plan/rules.ts';
import { sealPlan, withPatches } from '../../src/plan/seal.ts';
import { openPlan } from '../../src/review/open-plan.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { plain } from '../../src/report/blocks.ts';
import { planPage, renderPlanText } from '../../src/report/plan.ts';
import { expectValid } from '../support/schema.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { idOf } from '../sandbox/openmetadata/served.ts';
import { manyContracts, nameOf, openWorld, problemsOf, resultsOf, type World } from './world.ts';

const table = 'shop.sales.web.orders';
const create = { rules: { create: true } };

const file = (more = '') => `name: orders
entity: { type: table, fullyQualifiedName: ${table} }
description: All orders.
entityStatus: Draft
${more}`;

const whole = file(`displayName: Orders
termsOfUse: Be kind.
effectiveFrom: 2026-01-01
owners: [{ type: user, name: ada }]
schema:
  - { name: id, dataType: BIGINT }
semantics:
  - { name: positive, description: Not negative., rule: '{}' }
sla: { maxLatency: { value: 4, unit: hour } }
`);

test('a file without a contract is created by one request, and the next plan is empty', async () => {
  const world = await openWorld();
  const plan = await world.plan([whole], create);
  expect(plan).toMatchObject({ errored: false, summary: { create: 1, update: 0, transitions: 1 } });
  expectValid('plan', JSON.parse(JSON.stringify(sealPlan(withPatches(plan)))));
  expect(openPlan(JSON.stringify(sealPlan(withPatches(plan))), 'plan.json')).toEqual(plan);
  world.requests();
  const outcomes = await world.apply(plan);
  expect(resultsOf(outcomes)).toEqual(['applied']);
  expectValid('outcomes', JSON.parse(JSON.stringify(outcomes)));
  expect(world.requests().map((request) => request.split(' ')[0])).toEqual(['POST', 'GET']);
  const { body } = await world.ask(
    'GET',
    `/dataContracts/name/${table}.dataContract_orders?fields=owners`,
  );
  expect(body).toMatchObject({
    entityStatus: 'Draft',
    termsOfUse: { content: 'Be kind.' },
    owners: [{ name: 'ada' }],
  });
  expect((await world.plan([whole], create)).summary).toMatchObject({ unchanged: 1, missing: 0 });
});

test('what a change could not carry is created all the same', async () => {
  const world = await openWorld();
  const bare = `name: orders\nentity: { type: table, fullyQualifiedName: ${table} }\n`;
  const text = `${bare}displayName: Orders\nsourceUrl: https://example.com\neffectiveFrom: 2026-01-01\n`;
  for (const each of [text, text.replace('displayName: Orders\n', '')]) {
    const plan = await world.plan([each], create);
    expect(plan).toMatchObject({ errored: false, summary: { create: 1 } });
    expect(creations(plan)[0]?.changes.some(({ carrier }) => carrier)).toBe(false);
  }
});

test('a plan shows a new contract with all that it holds', async () => {
  const world = await openWorld();
  const plan = await world.plan([whole], create);
  const text = renderPlanText(plan, { palette: plain, detail: 'changes' });
  expect(text).toContain(`+ ${table}.dataContract_orders`);
  expect(text).toContain('no status → Draft');
  expect(text).toContain('Plan: 0 to update, 1 to create (1 status transition)');
  const markdown = renderMarkdown(planPage(plan), { budget: 60_000 });
  expect(markdown).toContain('1 to create');
  expect(markdown).toContain('- create, none → **`Draft`**');
});

test('the hash of a plan covers its new contracts', async () => {
  const world = await openWorld();
  const hashes = await Promise.all(
    [file(), file('sourceUrl: https://example.org\n'), file()].map(
      async (text) => (await world.plan([text], create)).planHash,
    ),
  );
  expect(hashes[0]).toBe(hashes[2]);
  expect(hashes[0]).not.toBe(hashes[1]);
});

test.for([
  ['unless it is asked for', {}, openmetadata],
  ['where the catalog cannot', create, standard],
] as const)('no contract is created %s', async ([, run, product]) => {
  const world = await openWorld();
  const plan = await world.plan([file()], { ...run, product });
  expect(plan.summary).toMatchObject({ missing: 1 });
  expect(creations(plan)).toEqual([]);
});

test.for([
  ['odcs', { entity: { fullyQualifiedName: table } }, '`odcs.name` in the configuration'],
  ['odcs', { id: 'x' }, '`odcs.name` and `odcs.entity` in the configuration'],
  [undefined, { name: 'orders', fullyQualifiedName: table }, '`entity`'],
] as const)('of a %s file %j a creation needs %s', ([format, identity, needs]) => {
  const source = { file: 'orders.yaml', line: 1, column: 1, ...(format && { format }) };
  const desired = { identity, managed: {}, source, locate: () => source };
  const rules = { ...adoptConventions(defaultRules, openmetadata), create: true };
  expect(planMissing({ desired }, rules).problems).toMatchObject([
    {
      code: 'contract-missing',
      hint: expect.stringMatching(
        `, or correct its identity: \`create: true\` needs its ${needs}.`,
      ),
    },
  ]);
});

test('new contracts count against the limit of updates', async () => {
  const world = await openWorld({
    seed: { contracts: manyContracts(1), tables: [{ fullyQualifiedName: table }] },
  });
  const limits = {
    updates: { kind: 'count', most: 0 },
    deprecations: { kind: 'count', most: 0 },
    from: 1,
  } as const;
  const plan = await world.plan([file()], { rules: { create: true, limits } });
  expect(plan.diagnostics).toMatchObject([{ code: 'limit-exceeded' }]);
});

test.for([
  [
    'an asset that the catalog lacks',
    'name: orders\nentity: { type: table, fullyQualifiedName: no.such.table.x }\n',
    'unknown-asset',
  ],
  [
    'a column that the asset lacks',
    `${file()}schema:\n  - { name: amuont, dataType: DECIMAL }\n`,
    'unknown-column',
  ],
  [
    'a rule without what it asks for',
    `${file()}semantics:\n  - { name: positive, description: Not negative. }\n`,
    'missing-key',
  ],
  ['an unknown owner', `${file()}owners: [{ type: user, name: nobody }]\n`, 'unknown-reference'],
  ['no asset', 'fullyQualifiedName: a.b.c.d\n', 'contract-missing'],
])('%s is a problem of the plan', async ([, text = '', code]) => {
  const world = await openWorld();
  const plan = await world.plan([text], create);
  expect(plan.summary).toMatchObject({ missing: 1 });
  expect(problemsOf(plan)).toMatchObject([{ code, severity: 'error' }]);
});

test('an asset that has another contract is a problem of the plan', async () => {
  const world = await openWorld({ seed: { contracts: manyContracts(1) } });
  const text = 'name: other\nentity: { type: table, fullyQualifiedName: shop.sales.web.t0 }\n';
  expect(problemsOf(await world.plan([text], create))).toMatchObject([
    { code: 'asset-has-contract', message: expect.stringContaining(nameOf(0)) },
  ]);
});

/** A data product with an approved contract, which the table of orders inherits. */
async function addProduct(world: World) {
  const post = async (path: string, body: JsonObject) =>
    (await world.ask('POST', path, { body })).body;
  const domain = await post('/domains', {
    name: 'sales',
    domainType: 'Aggregate',
    description: 'd',
  });
  const product = await post('/dataProducts', {
    name: 'kit',
    domains: [domain.fullyQualifiedName],
    description: 'd',
  });
  const id = await idOf(world, 'tables', table);
  const references = [
    { op: 'add', path: '/domains', value: [{ id: domain.id, type: 'domain' }] },
    { op: 'add', path: '/dataProducts', value: [{ id: product.id, type: 'dataProduct' }] },
  ];
  for (const each of references) await world.ask('PATCH', `/tables/${id}`, { body: [each] });
  return id;
}

const ofProduct = (more = '') => `name: kit-contract
entity: { type: dataProduct, fullyQualifiedName: kit }
description: Of the product.
entityStatus: Approved
sla: { retention: { period: 5, unit: year } }
${more}`;

test('an asset whose data product has a contract gets one of its own', async () => {
  const world = await openWorld();
  const tableId = await addProduct(world);
  const product = await world.plan([ofProduct()], create);
  expect(creations(product)).toMatchObject([
    { fullyQualifiedName: 'kit.dataContract_kit-contract', entity: { type: 'dataProduct' } },
  ]);
  expect(resultsOf(await world.apply(product))).toEqual(['applied']);
  const path = `/dataContracts/entity?entityId=${tableId}&entityType=table`;
  expect((await world.ask('GET', path)).body).toMatchObject({ inherited: true });

  const plan = await world.plan([ofProduct(), file()], create);
  expect(plan.summary).toMatchObject({ create: 1, unchanged: 1, missing: 0 });
  expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
  const { body } = await world.ask('GET', `/dataContracts/name/${table}.dataContract_orders`);
  expect(body).toMatchObject({ description: 'All orders.', entity: { id: tableId } });
  expect(body).not.toHaveProperty('sla');
  expect((await world.plan([ofProduct(), file()], create)).summary).toMatchObject({ unchanged: 2 });
});

test('a contract that an asset inherits is never taken for the file of the asset', async () => {
  const world = await openWorld();
  const id = await addProduct(world);
  await world.apply(await world.plan([ofProduct()], create));
  const text = `entity: { type: table, id: ${id} }\nname: other\ndescription: Of the table.\n`;
  expect((await world.plan([text])).summary).toMatchObject({ missing: 1, update: 0 });
});

test.for(['a"b', 'a::b', 'orders.', 'two\nlines', 'x'.repeat(257)])(
  "a name that the catalog can't store is a problem of the plan: %j",
  async (name) => {
    const world = await openWorld();
    const text = file().replace('name: orders', `name: ${JSON.stringify(name)}`);
    const plan = await world.plan([text], create);
    expect(problemsOf(plan)).toMatchObject([
      { code: 'unstorable-text', severity: 'error', source: { line: 1 } },
    ]);
  },
);

test('a creation that the catalog fails on in its own words is refused, and sent once', async () => {
  const world = await openWorld();
  const plan = await world.plan([file()], create);
  const named = plan.contracts.map((each) =>
    each.action === 'create' ? { ...each, document: { ...each.document, name: 'or"ders' } } : each,
  );
  world.requests();
  const outcomes = await world.apply({ ...plan, contracts: named });
  expect(resultsOf(outcomes)).toEqual(['failed: change-refused']);
  expect(world.requests().filter((request) => request.startsWith('POST'))).toHaveLength(1);
});

test('a deleted namesake is a problem with the way back', async () => {
  const world = await openWorld();
  const plan = await world.plan([file()], create);
  await world.apply(plan);
  const { body } = await world.ask('GET', `/dataContracts/name/${table}.dataContract_orders`);
  await world.ask('DELETE', `/dataContracts/${body.id}`);
  expect(problemsOf(await world.plan([file()], create))).toMatchObject([
    { code: 'contract-deleted', hint: expect.stringContaining(body.id) },
  ]);
  expect(resultsOf(await world.apply(plan))).toEqual(['failed: contract-deleted']);
});

test('what others have created meanwhile is compared', async () => {
  const world = await openWorld();
  const plan = await world.plan([file()], create);
  const other = await world.plan([file('sourceUrl: https://example.org\n')], create);
  expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
  expect(resultsOf(await world.apply(plan))).toEqual(['unchanged']);
  expect(resultsOf(await world.apply(other))).toEqual(['failed: contract-exists']);
});

test('an interruption that finds a creation waiting for its turn skips it', async () => {
  const world = await openWorld();
  const plan = await world.plan([file()], create);
  const interruption = new AbortController();
  const now = (): number => {
    // Asked for when a request may start.
    interruption.abort();
    return Date.now();
  };
  const effects = { sleep: () => Promise.resolve(), random: () => 0, now };
  world.requests();
  const outcomes = await world.apply(plan, {
    connection: { effects },
    signal: interruption.signal,
  });
  expect(resultsOf(outcomes)).toEqual(['skipped: interrupted']);
  expect(outcomes.summary).toMatchObject({ failed: 0, skipped: 1 });
  expect(world.requests()).toEqual([]);
});

test('a user who may not create fails with the reason', async () => {
  const world = await openWorld();
  const plan = await world.plan([file()], create);
  expect(resultsOf(await world.apply(plan, { user: 'zoe' }))).toEqual(['failed: forbidden']);
});

test.for([
  ['reset', 'after commit', Infinity, 'applied', 1],
  ['reset', 'before commit', 1, 'applied', 2],
  ['reset', 'before commit', Infinity, 'unverified: outcome-unknown', 5],
  [429, 'before commit', 1, 'applied', 2],
  [429, 'before commit', 7, 'applied', 8],
  // The second is refused, as the first has landed.
  [429, 'after commit', 1, 'applied', 2],
  [202, 'before commit', Infinity, 'held: held', 1],
  [202, 'after commit', Infinity, 'applied', 1],
] as const)(
  'a creation that is answered with %s %s, %d times, is %s after %d requests',
  async ([how, moment, times, result, most]) => {
    const world = await openWorld();
    const plan = await world.plan([file()], create);
    const proxy = await startFaultyProxy(world.url);
    onTestFinished(proxy.close);
    let posts = 0;
    proxy.behave(({ method }) => {
      if (method !== 'POST') return undefined;
      posts += 1;
      return posts <= times ? { moment, how } : undefined;
    });
    const outcomes = await world.apply(plan, { connection: { baseUrl: new URL(proxy.url) } });
    expect(resultsOf(outcomes)).toEqual([result]);
    expect(posts).toBe(most);
  },
);
