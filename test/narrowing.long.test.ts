import fc from 'fast-check';
import { expect, test } from 'vitest';
import { complaints, planSituation, situation } from './narrowing.ts';
import { rounds } from './support/rounds.ts';

test(
  'in 5,000 repositories, no selection makes a narrowed run do more than a whole one',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(situation, async (given) => {
        expect(complaints(await planSituation(given))).toEqual([]);
      }),
      { numRuns: rounds(2000) },
    );
  },
);

test('the situations are worth it: many narrowed plans change, retire or leave something out', async () => {
  const seen = { changes: 0, retirements: 0, leftOut: 0, broken: 0 };
  for (const given of fc.sample(situation, { numRuns: 200, seed: 19 })) {
    const { narrowed, whole } = await planSituation(given);
    if (!narrowed) continue;
    const isRetired = JSON.stringify(narrowed.contracts).includes('contract-without-file');
    seen.changes += narrowed.summary.update > 0 ? 1 : 0;
    seen.retirements += isRetired ? 1 : 0;
    seen.leftOut += (narrowed.selection?.leftOut ?? []).length > 0 ? 1 : 0;
    seen.broken += whole.planHash === undefined && narrowed.planHash !== undefined ? 1 : 0;
  }
  const { changes, retirements, leftOut, broken } = seen;
  expect(changes).toBeGreaterThan(30);
  expect(retirements).toBeGreaterThan(8);
  expect(leftOut).toBeGreaterThan(50);
  expect(broken).toBeGreaterThan(2);
});
