import { expect, onTestFinished, test } from 'vitest';
import { allLanded } from '../../src/apply/outcome.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { openWorld, type World } from '../openmetadata/world.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';

const file = `name: orders
entity: { type: table, fullyQualifiedName: shop.sales.web.orders }
description: All orders.
entityStatus: Draft
`;

/** A catalog that says yes to a creation and then does something else. */
async function createWith(store: (document: JsonObject, world: World) => Promise<unknown>) {
  const world = await openWorld();
  const plan = await world.plan([file], { rules: { create: true } });
  const proxy = await startFaultyProxy(world.url);
  onTestFinished(proxy.close);
  proxy.behave(async ({ method, body }) => {
    if (method !== 'POST') return undefined;
    const document: JsonObject = JSON.parse(body);
    await store(document, world);
    const json = { ...document, id: '00000000-0000-4000-8000-0000000000aa', version: 0.1 };
    return { moment: 'before commit', how: { json } };
  });
  return world.apply(plan, { connection: { baseUrl: new URL(proxy.url) } });
}

const post = (document: JsonObject, world: World) =>
  world.ask('POST', '/dataContracts', { body: document });

test.for<[string, Parameters<typeof createWith>[0], JsonObject]>([
  [
    'the catalog stored something else',
    (document, world) => post({ ...document, description: 'Some orders.' }, world),
    {
      differences: ['description'],
      error: {
        code: 'content-differs',
        message:
          'The catalog accepted the change, but the contract differs from the plan at description.',
        hint: 'Check the contract in the catalog: either the catalog changed the values, or somebody did since.',
      },
    },
  ],
  [
    'the catalog stored nothing',
    () => Promise.resolve(),
    {
      error: {
        code: 'outcome-unknown',
        message: 'The catalog accepted the new contract, but has no such contract.',
        hint: 'Apply again: it reads the catalog first, so nothing is done twice.',
      },
    },
  ],
])('a creation answered with success is unverified where %s', async ([, store, expected]) => {
  const outcomes = await createWith(store);
  expect(outcomes.outcomes).toMatchObject([{ result: 'unverified', ...expected }]);
  expect(allLanded(outcomes)).toBe(false);
});

test('a creation answered with success is applied where the catalog stored it', async () => {
  const { outcomes } = await createWith(post);
  expect(outcomes).toEqual([
    {
      result: 'applied',
      id: expect.any(String),
      fullyQualifiedName: 'shop.sales.web.orders.dataContract_orders',
      fingerprint: expect.stringMatching(/^sha256:/u),
      versionAfter: '0.1',
      error: null,
    },
  ]);
});
