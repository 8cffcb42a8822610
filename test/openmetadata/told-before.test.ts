/** What the server refuses, loses or bends is an error of the plan. */

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { creations, updates } from '../../src/plan/plan.ts';
import { idOf, makeContract } from '../sandbox/openmetadata/served.ts';
import { manyContracts, nameOf, openWorld, problemsOf, resultsOf, type World } from './world.ts';

const head = 'fullyQualifiedName: shop.sales.web.orders.dataContract_orders\n';

const people = {
  users: [{ name: 'ada' }, { name: 'mira' }],
  teams: [{ name: 'crew' }, { name: 'division', teamType: 'Department' }],
  tables: [
    {
      fullyQualifiedName: 'shop.sales.web.orders',
      columns: ['id', 'amount'].map((name) => ({ name, dataType: 'INT' })),
    },
  ],
};

const multi = { config: { values: ['c', 'b', 'a'], multiSelect: true } };

const properties = [
  { name: 'regions', description: 'Where.', type: 'enum', config: multi },
  { name: 'costCentre', description: 'Who pays.', type: 'string' },
];

async function referTo(world: World, collection: string, name: string) {
  return { type: collection.slice(0, -1), id: await idOf(world, collection, name) };
}

const regions = (values: string) => `${head}extension: { regions: ${values} }\n`;

const columns = (...names: readonly string[]) =>
  `schema: [${names.map((name) => `{ name: ${name}, dataType: BIGINT }`).join(', ')}]\n`;

async function loseColumn() {
  const world = await openWorld();
  const schema = ['id', 'amount'].map((name) => ({ name, dataType: 'BIGINT' }));
  await makeContract(world, { description: 'Before.', schema });
  const table = await idOf(world, 'tables', 'shop.sales.web.orders');
  await world.ask('PATCH', `/tables/${table}`, { body: [{ op: 'remove', path: '/columns/1' }] });
  return world;
}

describe('a custom property', () => {
  test("of several values is a set: another order isn't a change, and any order converges", async () => {
    const world = await openWorld({ seed: { ...people, properties } });
    const contract = await makeContract(world, { extension: { regions: ['b', 'a'] } });
    expect((await world.plan([regions('[b, a]')])).summary).toMatchObject({
      unchanged: 1,
      update: 0,
    });
    const plan = await world.plan([regions('[c, a, b]')]);
    expect(plan.contracts).toMatchObject([{ changes: [{ kind: 'add', after: 'c' }] }]);
    expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
    expect((await contract.read()).extension).toEqual({ regions: ['a', 'b', 'c'] });
    expect((await world.plan([regions('[b, c, a]')])).summary).toMatchObject({ unchanged: 1 });
  });

  test('that the catalog lacks is a problem with the nearest one', async () => {
    const world = await openWorld({ seed: { ...people, properties } });
    await makeContract(world, { extension: { costCentre: '7' } });
    const plan = await world.plan([`${head}extension: { costCenter: '8' }\n`]);
    expect(plan.summary).toMatchObject({ blocked: 1 });
    expect(problemsOf(plan)).toMatchObject([
      { code: 'unknown-key', hint: 'Did you mean "costCentre"?', source: { line: 2 } },
    ]);
  });

  test('of one word is sent as the list that the catalog wants, and equal to it', async () => {
    const world = await openWorld({ seed: { ...people, properties } });
    const contract = await makeContract(world, { extension: { costCentre: '7' } });
    const file = `${head}extension:\n  costCentre: '7'\n  regions: c\n`;
    expect(resultsOf(await world.apply(await world.plan([file])))).toEqual(['applied']);
    expect((await contract.read()).extension).toEqual({ costCentre: '7', regions: ['c'] });
    expect((await world.plan([file])).summary).toMatchObject({ unchanged: 1 });
    const wrong = await world.plan([file.replace('regions: c', 'regions: [c, nowhere]')]);
    expect(problemsOf(wrong)).toMatchObject([
      {
        code: 'unknown-value',
        message: 'The catalog has no regions "nowhere".',
        hint: 'Write c, b, a.',
        source: { line: 4, column: 16 },
      },
    ]);
  });

  test('is requested once, and only where files have one', async () => {
    const world = await openWorld({ seed: { ...people, properties } });
    await makeContract(world, { extension: { costCentre: '7' } });
    const types = () => world.requests().filter((request) => request.includes('/metadata/types'));
    await world.plan([`${head}description: New.\n`]);
    expect(types()).toEqual([]);
    expect((await world.plan([`${head}extension: { costCentre: '8' }\n`])).errored).toBe(false);
    expect(types()).toHaveLength(1);
  });
});

describe('a column that the table has lost', () => {
  test.for([
    ['the file names it', columns('id', 'amount'), 3],
    ['the file leaves the schema to the catalog', '', 1],
  ] as const)('blocks every other change where %s', async ([, more, line]) => {
    const world = await loseColumn();
    const plan = await world.plan([`${head}description: After.\n${more}`]);
    expect(plan.summary).toMatchObject({ blocked: 1 });
    expect(problemsOf(plan)).toMatchObject([
      { code: 'unknown-column', message: expect.stringContaining('"amount"'), source: { line } },
    ]);
  });

  test('is nothing while nothing changes, and may be taken out', async () => {
    const world = await loseColumn();
    const same = await world.plan([`${head}description: Before.\n${columns('id', 'amount')}`]);
    expect(same.summary).toMatchObject({ unchanged: 1 });
    const out = await world.plan([`${head}description: After.\n${columns('id')}`]);
    expect(resultsOf(await world.apply(out))).toEqual(['applied']);
  });
});

test('a column that a topic lacks is a problem', async () => {
  const world = await openWorld();
  const messageSchema = {
    schemaFields: [
      { name: 'order', dataType: 'RECORD', children: [{ name: 'id', dataType: 'LONG' }] },
    ],
  };
  await world.ask('POST', '/services/messagingServices', { body: { name: 'kafka' } });
  const body: JsonObject = { name: 'orders', service: 'kafka', messageSchema };
  await world.ask('POST', '/topics', { body });
  const identity = 'name: stream\nentity: { type: topic, fullyQualifiedName: kafka.orders }\n';
  const create = { rules: { create: true } };
  expect(problemsOf(await world.plan([identity + columns('order', 'idd')], create))).toMatchObject([
    { code: 'unknown-column', message: 'The topic has no column "idd".' },
  ]);
  const plan = await world.plan([identity + columns('order', 'id')], create);
  expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
});

describe('an owner that the server refuses', () => {
  test('is a problem also of a file without owners: a user beside a team', async () => {
    const world = await openWorld({ seed: { ...people, contracts: manyContracts(1) } });
    const ada = await referTo(world, 'users', 'ada');
    const contract = await makeContract(world, { description: 'Before.', owners: [ada] });
    await world.ask('DELETE', `/users/${ada.id}`);
    const value = [await referTo(world, 'teams', 'crew')];
    await contract.patch([{ op: 'replace', path: '/owners', value }]);
    await world.ask('PUT', '/users/restore', { body: { id: ada.id } });
    // The list has owners where any file names some.
    const other = `fullyQualifiedName: ${nameOf(0)}\nowners: [{ type: user, name: mira }]\n`;
    const plan = await world.plan([`${head}description: After.\n`, other]);
    const hint = expect.stringContaining('Set');
    const problem = { code: 'team-not-alone', severity: 'error', source: { file: '0.yaml' }, hint };
    expect(problemsOf(plan)).toMatchObject([problem]);
    expect(plan.summary).toMatchObject({ update: 1, blocked: 1 });
  });

  test.for([
    ['a change', '', {}],
    ['a creation', 'name: other\n', { rules: { create: true } }],
  ] as const)('is a problem of %s: a Department', async ([, more, run]) => {
    const world = await openWorld({ seed: people });
    if (more === '') await makeContract(world, { description: 'Before.' });
    const identity = 'entity: { type: table, fullyQualifiedName: shop.sales.web.orders }\n';
    const text = `${more === '' ? head : more + identity}owners: [{ type: team, name: division }]\n`;
    const plan = await world.plan([text], run);
    expect([...updates(plan), ...creations(plan)]).toEqual([]);
    expect(problemsOf(plan)).toMatchObject([
      { code: 'not-an-owner', message: expect.stringContaining('Department'), severity: 'error' },
    ]);
  });

  test('is a reviewer all the same', async () => {
    const world = await openWorld({ seed: people });
    await makeContract(world, { description: 'Before.' });
    const plan = await world.plan([`${head}reviewers: [{ type: team, name: division }]\n`]);
    expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
  });

  test('blocks every change of a contract that has it, until the file sets the owners', async () => {
    const world = await openWorld({ seed: people });
    const owners = [await referTo(world, 'teams', 'division')];
    await makeContract(world, { description: 'Before.', owners });
    const kept = `${head}description: After.\nowners: [{ type: team, name: division }]\n`;
    expect(problemsOf(await world.plan([kept]))).toMatchObject([{ code: 'not-an-owner' }]);
    const other = await world.plan([kept.replace('division', 'crew')]);
    expect(resultsOf(await world.apply(other))).toEqual(['applied']);
  });

  test("is reported by the server's answer where no file names owners", async () => {
    const world = await openWorld({ seed: people });
    const owners = [await referTo(world, 'teams', 'division')];
    await makeContract(world, { description: 'Before.', owners });
    const plan = await world.plan([`${head}description: After.\n`]);
    const { outcomes } = await world.apply(plan);
    expect(outcomes).toMatchObject([
      {
        result: 'failed',
        error: {
          code: 'change-refused',
          message: expect.stringContaining('Department'),
          hint: expect.stringContaining('Set `owners`'),
        },
      },
    ]);
  });
});

test('times are sent as the milliseconds that the server reads', async () => {
  const world = await openWorld();
  const contract = await makeContract(world, { schema: [{ name: 'id', dataType: 'BIGINT' }] });
  const text = `${head}effectiveFrom: 2026-01-01T10:20:30.1Z
schema:
  - name: id
    dataType: BIGINT
    tags: [{ tagFQN: PII.Sensitive, appliedAt: '2026-01-01T10:20:30.12+01:00' }]
`;
  expect(resultsOf(await world.apply(await world.plan([text])))).toEqual(['applied']);
  expect(await contract.read()).toMatchObject({
    effectiveFrom: Date.UTC(2026, 0, 1, 10, 20, 30, 100),
    schema: [{ tags: [{ appliedAt: Date.UTC(2026, 0, 1, 9, 20, 30, 120) }] }],
  });
  expect((await world.plan([text])).summary).toMatchObject({ unchanged: 1, update: 0 });
});

test.for([
  ['schema: [{ name: id, dataType: BIGINT, tags: [PII.Sensitive] }]', 'wrong-type'],
  ['schema: [{ name: id, dataType: BIGINT, tags: [{ tagFqn: PII.Sensitive }] }]', 'unknown-key'],
  [
    'schema: [{ name: id, dataType: BIGINT, tags: [{ tagFQN: a, appliedAt: soon }] }]',
    'wrong-type',
  ],
])('%s is a problem of the plan', async ([text, code]) => {
  const world = await openWorld();
  await makeContract(world, { description: 'Before.' });
  const plan = await world.plan([`${head}description: After.\n${text}\n`]);
  expect(plan.errored).toBe(true);
  expect(plan.diagnostics).toMatchObject([{ code, severity: 'error', source: { line: 3 } }]);
});

describe('what both the format and the catalog take for a slip', () => {
  const slips = `${head}schema:
  - { name: id, dataTyp: INT, dataType: INT, constraint: unique }
  - { dataType: INT }
sla: { retention: { period: 1, unit: Day } }
owners: [{ type: Team, nam: crew, name: crew }]
`;

  test('is reported once, as what the catalog does', async () => {
    const world = await openWorld({ seed: people });
    await makeContract(world, { description: 'Before.' });
    const { diagnostics } = await world.plan([slips]);
    expect(diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([
      ['unknown-key', 3],
      ['unknown-value', 3],
      ['missing-key', 4],
      ['unknown-value', 5],
      ['not-a-reference', 6],
      ['key-misspelt', 6],
    ]);
  });

  test('is reported by the format where an error keeps the file from the check', async () => {
    const world = await openWorld({ seed: people });
    await makeContract(world, { description: 'Before.' });
    const { diagnostics } = await world.plan([`${slips}displayName: 7\n`]);
    expect(diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([
      ['key-misspelt', 3],
      ['case-differs', 3],
      ['name-missing', 4],
      ['case-differs', 5],
      ['case-differs', 6],
      ['key-misspelt', 6],
      ['wrong-type', 7],
    ]);
  });
});
