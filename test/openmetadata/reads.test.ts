import { expect, test } from 'vitest';
import { manyContracts, nameOf, openWorld, resultsOf } from './world.ts';

const described = (number: number) => `fullyQualifiedName: ${nameOf(number)}\ndescription: New.\n`;

test('14 changes in 239 contracts take one list, a look at each table, 14 patches and 14 reads', async () => {
  const world = await openWorld({ seed: { contracts: manyContracts(239) } });
  const plan = await world.plan(Array.from({ length: 14 }, (_, number) => described(number)));
  expect(plan.summary).toMatchObject({ update: 14, unmanaged: 225 });
  const outcomes = await world.apply(plan);
  expect(outcomes.summary).toMatchObject({ applied: 14 });
  const requests = world.requests();
  const kinds = requests.map((request) => request.replace(/[?/][0-9a-f]{8}-.*$|\?.*$/u, ''));
  expect(
    Object.entries(Object.groupBy(kinds, (kind) => kind)).map(([kind, all]) => [kind, all?.length]),
  ).toEqual([
    ['GET /v1/dataContracts', 15],
    ['GET /v1/tables', 14],
    ['PATCH /v1/dataContracts', 14],
  ]);
});

test('a read requests the fields that the change touches', async () => {
  const world = await openWorld({
    seed: { contracts: manyContracts(2), users: [{ name: 'ada' }] },
  });
  const plan = await world.plan([
    `fullyQualifiedName: ${nameOf(0)}\nowners: [{ type: user, name: ada }]\n`,
  ]);
  world.requests();
  await world.apply(plan);
  expect(world.requests().at(-1)).toContain('fields=owners&include=all');
});

test('a deleted contract is a problem with the way back', async () => {
  const world = await openWorld({ seed: { contracts: manyContracts(2) } });
  const { body } = await world.ask('GET', `/dataContracts/name/${nameOf(0)}`);
  const before = await world.plan([described(0), described(1)]);
  await world.ask('DELETE', `/dataContracts/${body.id}`);
  const plan = await world.plan([described(0), described(1), described(7)]);
  expect(plan.summary).toMatchObject({ update: 1, missing: 2 });
  expect(plan.errored).toBe(false);
  expect(plan.contracts).toMatchObject([
    {
      action: 'missing',
      id: body.id,
      problems: [{ code: 'contract-deleted', hint: expect.stringContaining(body.id) }],
    },
    { action: 'update' },
    { action: 'missing', problems: [{ code: 'contract-missing' }] },
  ]);
  expect(resultsOf(await world.apply(before))).toEqual(['stale: contract-deleted', 'applied']);
});

test('many that are missing are looked for by one more walk, which shows the deleted too', async () => {
  const world = await openWorld({ seed: { contracts: manyContracts(1) } });
  const { body } = await world.ask('GET', `/dataContracts/name/${nameOf(0)}`);
  await world.ask('DELETE', `/dataContracts/${body.id}`);
  const plan = await world.plan(Array.from({ length: 12 }, (_, number) => described(number)));
  const codes = plan.contracts.flatMap((contract) =>
    'problems' in contract ? contract.problems : [],
  );
  expect(codes.filter(({ code }) => code === 'contract-deleted')).toHaveLength(1);
  expect(world.requests()).toHaveLength(2);
});

test.for([
  [
    'its name and the name of its asset',
    'name: c1\nentity: { fullyQualifiedName: shop.sales.web.t1 }\n',
  ],
  ['its qualified name', `fullyQualifiedName: ${nameOf(1)}\n`],
])('a contract missing from the list is requested alone by %s', async ([, identity]) => {
  const world = await openWorld({ seed: { contracts: manyContracts(1) } });
  await world.plan([`${identity}description: New.\n`]);
  expect(world.requests().slice(1)).toEqual([
    `GET /v1/dataContracts/name/${nameOf(1)}?include=all`,
  ]);
});
