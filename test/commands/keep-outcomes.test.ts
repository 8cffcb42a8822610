import { expect, test } from 'vitest';
import { outcomeOf, type Outcomes } from '../../src/apply/outcome.ts';
import { keepOutcomes } from '../../src/commands/apply.ts';
import { plannedChanges } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { desiredOf, liveOf, rules } from '../apply/world.ts';
import { idOf } from '../support/server.ts';

const numbers = Array.from({ length: 100 }, (_, number) => number);
const plan = makePlan(
  'https://catalog',
  numbers.map((number) => {
    const live = liveOf({ id: idOf(number), description: 'Old.', version: 0.1, updatedAt: 1 });
    return planUpdate(live, desiredOf(live, { description: 'New.' }), rules);
  }),
  [],
);

function keepAll(milliseconds: number, costs: number) {
  let now = 0;
  const kept: { readonly at: number; readonly outcomes: Outcomes }[] = [];
  const keep = (outcomes: Outcomes): void => {
    kept.push({ at: now, outcomes });
    now += costs;
  };
  const { record } = keepOutcomes(plan, keep, () => now);
  for (const number of numbers) {
    now += milliseconds;
    record({ id: idOf(number) }, outcomeOf({ id: idOf(number) }, 'applied', null));
  }
  return kept;
}

test('a report is kept before anything is sent, then with outcomes, once a second at most', () => {
  const kept = keepAll(50, 0);
  expect(kept.map(({ at }) => at)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
  const [first, last] = [kept[0]?.outcomes, kept.at(-1)?.outcomes];
  expect(first).toMatchObject({ partial: true, summary: { skipped: 100, applied: 0 } });
  expect(last).toMatchObject({ partial: true, summary: { skipped: 0, applied: 100 } });
  const message = 'Not attempted: the run was interrupted.';
  expect(first?.outcomes[0]).toMatchObject({ id: idOf(0), error: { message } });
});

test('what may be sent next is kept before, fifty changes at a time', () => {
  const kept: Outcomes[] = [];
  const keep = (outcomes: Outcomes): void => void kept.push(outcomes);
  const { beforeSend } = keepOutcomes(plan, keep);
  for (const change of plannedChanges(plan).slice(0, 52)) beforeSend(change);
  expect(kept.map(({ summary }) => [summary.unverified, summary.skipped])).toEqual([
    [0, 100],
    [50, 50],
    [100, 0],
  ]);
  expect(kept[1]?.outcomes[0]).toMatchObject({
    id: idOf(0),
    changed: { before: { description: 'Old.' }, after: { description: 'New.' } },
    error: { message: 'The run ended before it recorded what became of this change.' },
  });
});

test('a change that was settled without a request keeps its outcome when others are announced', () => {
  const kept: Outcomes[] = [];
  const { beforeSend, record } = keepOutcomes(plan, (each) => void kept.push(each));
  const [first, settled, next] = [0, 60, 61].map((index) => plannedChanges(plan)[index]);
  if (!first || !settled || !next) throw new Error('The plan is too short.');
  beforeSend(first);
  record(settled, outcomeOf(settled, 'stale', { code: 'stale', message: 'It was edited.' }));
  beforeSend(next);
  const last = kept.at(-1)?.outcomes.find((each) => 'id' in each && each.id === idOf(60));
  expect(last?.result).toBe('stale');
});

test('a report that takes long to write is written less often', () => {
  expect(keepAll(50, 400).map(({ at }) => at)).toEqual([0, 4400]);
});

test('a report that can no longer be written does not end the run', () => {
  let writes = 0;
  const keep = (): void => {
    writes += 1;
    if (writes > 1) throw new Error('The disk is full.');
  };
  let now = 0;
  const { record } = keepOutcomes(plan, keep, () => now);
  for (const number of numbers.slice(0, 3)) {
    now += 1500;
    record({ id: idOf(number) }, outcomeOf({ id: idOf(number) }, 'applied', null));
  }
  expect(writes).toBe(4);
});
