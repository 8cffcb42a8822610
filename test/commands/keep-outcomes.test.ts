import { expect, test } from 'vitest';
import { outcomeOf, type Outcomes } from '../../src/apply/outcome.ts';
import { keepOutcomes } from '../../src/commands/apply.ts';
import { plannedChanges } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { desiredOf, liveOf, rules } from '../apply/world.ts';
import { startClock } from '../support/clock.ts';
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

async function keepAll(milliseconds: number, costs: number) {
  const clock = startClock();
  const kept: { readonly at: number; readonly outcomes: Outcomes }[] = [];
  let spent = 0;
  const keep = (outcomes: Outcomes): void => {
    kept.push({ at: clock.now(), outcomes });
    spent += costs;
  };
  const ended = new AbortController();
  const slow = { ...clock, now: () => clock.now() + spent };
  const { record } = keepOutcomes(plan, { keep, ended: ended.signal, clock: slow });
  for (const number of numbers) {
    await clock.sleep(milliseconds);
    record({ id: idOf(number) }, outcomeOf({ id: idOf(number) }, 'applied', null));
  }
  await clock.sleep(20_000);
  ended.abort();
  return kept;
}

test('a report is kept before anything is sent, then once a second at most, and lacks nothing for long', async () => {
  const kept = await keepAll(50, 0);
  expect(kept.map(({ at }) => at)).toEqual([0, 1050, 2050, 3050, 4050, 5050]);
  const [first, last] = [kept[0]?.outcomes, kept.at(-1)?.outcomes];
  expect(first).toMatchObject({ partial: true, summary: { skipped: 100, applied: 0 } });
  expect(last).toMatchObject({ partial: true, summary: { skipped: 0, applied: 100 } });
  const message = 'The run ended before it sent this change.';
  expect(first?.outcomes[0]).toMatchObject({ id: idOf(0), error: { message } });
});

test('what may be sent next is kept before, fifty changes at a time', () => {
  const kept: Outcomes[] = [];
  const keep = (outcomes: Outcomes): void => void kept.push(outcomes);
  const kinds = { keep, ended: new AbortController().signal, clock: startClock() };
  const { beforeSend } = keepOutcomes(plan, kinds);
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

test('a report that takes long to write is written less often', async () => {
  const kept = await keepAll(50, 400);
  expect(kept.map(({ at }) => at)).toEqual([0, 4050, 8050]);
});

test('a report that can no longer be written does not end the run', async () => {
  const clock = startClock();
  let writes = 0;
  const keep = (): void => {
    writes += 1;
    if (writes > 1) throw new Error('The disk is full.');
  };
  const { record } = keepOutcomes(plan, { keep, ended: new AbortController().signal, clock });
  for (const number of numbers.slice(0, 3)) {
    record({ id: idOf(number) }, outcomeOf({ id: idOf(number) }, 'applied', null));
    await clock.sleep(1500);
  }
  expect(writes).toBe(4);
});
