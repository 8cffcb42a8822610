import fc from 'fast-check';
import { expect, test } from 'vitest';
import { complaints, planSituation, situation } from './narrowing.ts';
import { rounds } from './support/rounds.ts';

test(
  'of 5,000 repositories and selections none makes a narrowed run do more',
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
