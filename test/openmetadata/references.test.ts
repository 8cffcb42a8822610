import { describe, expect, test } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import type { JsonValue } from '../../src/core/json.ts';
import { type Plan, updates } from '../../src/plan/plan.ts';
import { patchOf } from '../../src/plan/seal.ts';
import { plain } from '../../src/report/blocks.ts';
import { planPage, renderPlanText } from '../../src/report/plan.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { connectTo, serve as serveAnswers } from '../support/server.ts';
import { createReader } from '../../src/catalog/client.ts';
import { idOf, makeContract } from '../sandbox/openmetadata/served.ts';
import { manyContracts, nameOf, openWorld, problemsOf, resultsOf, type World } from './world.ts';

const seed = {
  contracts: manyContracts(3),
  users: [{ name: 'ada' }, { name: 'mira.o' }, { name: 'zoe' }],
  teams: [{ name: 'sales-team' }, { name: 'checkout-team' }],
};

const owned = (number: number, owners: string, field = 'owners') =>
  `fullyQualifiedName: ${nameOf(number)}\n${field}:\n${owners}\n`;

async function setOwners(world: World, number: number, owners: JsonValue) {
  const { body } = await world.ask('GET', `/dataContracts/name/${nameOf(number)}`);
  const operations = [{ op: 'add', path: '/owners', value: owners }];
  await world.ask('PATCH', `/dataContracts/${body.id}`, { body: operations });
}

async function ownersOf(world: World, number: number, field = 'owners'): Promise<string[]> {
  const path = `/dataContracts/name/${nameOf(number)}?fields=owners,reviewers`;
  const { body } = await world.ask('GET', path);
  return body[field].map(({ type, name }: Record<string, string>) => `${type} ${name}`);
}

function readerOf({ url, token }: World) {
  return createReader(connectTo(new URL(url), { token: async () => token }));
}

function textOf(plan: Plan): string {
  return renderPlanText(plan, { palette: plain, detail: 'changes' });
}

describe.each(['owners', 'reviewers'])('%s', (field) => {
  test.for([
    ['a user by name', '- { type: user, name: ada }', ['user ada']],
    ['a user in another case', '- { type: user, name: ADA }', ['user ada']],
    ['a user with a dot', '- { type: user, name: mira.o }', ['user mira.o']],
    ['a qualified name', `- { type: user, fullyQualifiedName: '"mira.o"' }`, ['user mira.o']],
    ['a team by name', '- { type: team, name: sales-team }', ['team sales-team']],
    [
      'users, one twice',
      '- { type: user, name: zoe }\n- { type: user, name: ada }\n- { type: user, name: ZOE }',
      ['user ada', 'user zoe'],
    ],
  ] as const)('%s is sent by id, stored, and no drift', async ([, items, stored]) => {
    const world = await openWorld({ seed });
    const texts = [owned(0, items, field)];
    const plan = await world.plan(texts);
    const [change] = updates(plan);
    expect(JSON.stringify(change && patchOf(change.changes))).toMatch(
      /"id":"[0-9a-f-]{36}","type":"(user|team)"/u,
    );
    expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
    expect(await ownersOf(world, 0, field)).toEqual(stored);
    expect((await world.plan(texts)).summary).toMatchObject({ update: 0, unchanged: 1 });
  });

  test('by id is looked up, and shown by its name', async () => {
    const world = await openWorld({ seed });
    const id = await idOf(world, 'users', 'ada');
    const plan = await world.plan([owned(0, `- { type: user, id: ${id} }`, field)]);
    expect(textOf(plan)).toContain(`+ ${field.slice(0, -1)}  user ada`);
  });
});

test('people are not looked up in a catalog of another kind', async () => {
  const world = await openWorld({ seed });
  await world.plan([owned(0, '- { type: user, name: ada }')], { product: standard });
  expect(world.requests().filter((request) => request.includes('/users/'))).toEqual([]);
});

test('the plan names people, and its JSON holds the references that the apply sends', async () => {
  const world = await openWorld({ seed });
  await setOwners(world, 0, [{ type: 'team', id: await idOf(world, 'teams', 'sales-team') }]);
  await setOwners(world, 1, [{ type: 'user', id: await idOf(world, 'users', 'zoe') }]);
  const plan = await world.plan([
    owned(0, '- { type: team, name: checkout-team }'),
    owned(1, '- { type: team, name: sales-team }'),
    owned(2, '- { type: user, name: ada }\n- { type: user, name: zoe }'),
  ]);
  const text = textOf(plan);
  expect(text).toContain('~ owner team  sales-team → checkout-team');
  expect(text).toContain('~ owner  user zoe → team sales-team');
  expect(text).toContain('+ owner  user ada');
  expect(text).not.toContain('href');
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/u);
  const markdown = renderMarkdown(planPage(plan), { budget: 60_000 });
  expect(markdown).toContain('@@ owner team @@');
  expect(markdown).toContain('- sales-team\n+ checkout-team');
  const team = await idOf(world, 'teams', 'checkout-team');
  expect(patchOf(updates(plan)[0]?.changes ?? [])).toEqual([
    { op: 'replace', path: '/owners/0', value: { id: team, type: 'team', name: 'checkout-team' } },
  ]);
  expect((await world.apply(plan)).summary.applied).toBe(3);
});

test('a name that the catalog does not know blocks its contract, with the nearest of any contract', async () => {
  const world = await openWorld({ seed });
  await setOwners(world, 2, [{ type: 'team', id: await idOf(world, 'teams', 'checkout-team') }]);
  const files = [
    owned(0, '- { type: team, name: checkuot-team }'),
    owned(1, '- { type: user, name: nobody-at-all }'),
  ];
  const plan = await world.plan(files, { rules: { unmanaged: { rule: 'report' } } });
  expect(plan).toMatchObject({ errored: true, summary: { blocked: 2 } });
  expect(problemsOf(plan)).toMatchObject([
    {
      code: 'unknown-reference',
      message: 'The catalog has no team "checkuot-team".',
      hint: 'Did you mean "checkout-team"?',
      source: { file: '0.yaml', line: 3 },
    },
    { code: 'unknown-reference', hint: expect.stringContaining('create the user') },
  ]);
});

test("a deleted user whom the live contract still names isn't a problem", async () => {
  const world = await openWorld({ seed });
  await setOwners(world, 0, [{ type: 'user', id: await idOf(world, 'users', 'zoe') }]);
  const reader = { ...readerOf(world), fetchEntity: async () => undefined };
  const plan = await world.plan([owned(0, '- { type: user, name: zoe }')], { reader });
  expect(plan).toMatchObject({ errored: false, summary: { unchanged: 1 } });
});

test.for([
  ['text', '- web-team', 'wrong-type'],
  ['a reference without a type', '- { name: ada }', 'not-a-reference'],
  ['a reference without a name', '- { type: user }', 'not-a-reference'],
  ['a table', '- { type: table, fullyQualifiedName: shop.sales.web.t0 }', 'not-a-reference'],
  [
    'a team together with a user',
    '- { type: user, name: ada }\n- { type: team, name: sales-team }',
    'team-not-alone',
  ],
])('%s is a problem of the plan', async ([, items = '', code]) => {
  const world = await openWorld({ seed });
  const { errored, diagnostics } = await world.plan([owned(0, items)]);
  expect(diagnostics.filter((problem) => problem.code === code)).toMatchObject([
    { severity: 'error', source: { file: '0.yaml', line: code === 'team-not-alone' ? 4 : 3 } },
  ]);
  expect(errored).toBe(true);
});

test.for([403, 500])(
  'where a lookup is answered with %i, the other contracts go on',
  async (status) => {
    const world = await openWorld({ seed });
    await setOwners(world, 2, [{ type: 'user', id: await idOf(world, 'users', 'zoe') }]);
    const refusing = await serveAnswers((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end('{"message": "No such luck."}');
    });
    const { fetchEntity } = createReader(connectTo(refusing.url));
    const plan = await world.plan(
      [
        owned(0, '- { type: user, name: ada }'),
        `fullyQualifiedName: ${nameOf(1)}\ndescription: New.\n`,
        owned(2, '- { type: user, name: zoe }'),
      ],
      { reader: { ...readerOf(world), fetchEntity } },
    );
    expect(plan).toMatchObject({
      errored: false,
      summary: { blocked: 1, update: 1, unchanged: 1 },
    });
    expect(problemsOf(plan)).toMatchObject([
      { code: 'lookup-failed', message: expect.stringContaining('No such luck.') },
    ]);
    expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
  },
);

test.for([
  ['users', 'mira', 'mira', false],
  ['teams', 'crew', 'ada', false],
  ['users', 'mira', 'zoe', true],
] as const)(
  'a move that the reviewer of %s %s has to make is warned of unless the token is of one: %s',
  async ([collection, reviewer, user, isWarned]) => {
    const world = await openWorld();
    const type = collection === 'users' ? 'user' : 'team';
    const reviewers = [{ type, id: await idOf(world, collection, reviewer) }];
    await makeContract(world, { entityStatus: 'In Review', reviewers });
    const text = 'fullyQualifiedName: shop.sales.web.orders.dataContract_orders\n';
    world.requests();
    const plan = await world.plan([`${text}entityStatus: Active\n`], { user });
    const codes = problemsOf(plan).map(({ code }) => code);
    expect(codes.includes('needs-reviewer')).toBe(isWarned);
    expect(world.requests().filter((each) => each.includes('loggedInUser'))).toHaveLength(1);
  },
);
