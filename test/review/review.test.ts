import { expect, test } from 'vitest';
import { makePlan } from '../../src/plan/seal.ts';
import { review } from '../../src/review/review.ts';
import { updateOf } from '../support/contracts.ts';

const plan = makePlan(
  'https://catalog.example.com/api',
  [updateOf({ description: 'Old.' }, { description: 'New.' })],
  [],
);

test('a plan with the reviewed hash is the reviewed one', async () => {
  expect(await review(plan, { planHash: plan.planHash ?? '' })).toEqual({ verdict: 'same' });
});

test('a plan with another hash is another one, whatever its contents say', async () => {
  const { verdict } = await review(plan, { planHash: `sha256:${'0'.repeat(64)}`, plan });
  expect(verdict).toBe('different');
});
