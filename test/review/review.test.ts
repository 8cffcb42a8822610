import { expect, test } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import { createReader } from '../../src/catalog/client.ts';
import { connectTo } from '../apply/world.ts';
import { lenientRules } from '../support/rules.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { review } from '../../src/review/review.ts';
import { updateOf } from '../support/contracts.ts';

const plan = makePlan(
  'https://catalog.example.com/api',
  [updateOf({ description: 'Old.' }, { description: 'New.' })],
  [],
);

/** Nothing of the catalog is asked for. */
const unread = {
  reader: createReader(connectTo({ url: 'http://127.0.0.1:1', token: 'x' })),
  rules: lenientRules,
  product: standard,
  openPlanner: () => Promise.resolve(undefined),
};

test('a plan with the reviewed hash is the reviewed one', async () => {
  expect(await review(plan, { planHash: plan.planHash ?? '' }, unread)).toEqual({
    verdict: 'same',
  });
});

test('a plan with another hash is another one, whatever its contents say', async () => {
  const { verdict } = await review(plan, { planHash: `sha256:${'0'.repeat(64)}`, plan }, unread);
  expect(verdict).toBe('different');
});
