import { describe, expect, test } from 'vitest';
import { applyOverLosses, type Losses } from './losses.ts';

/** `losses.long.test.ts` sets 20, and runs each case for every part of the answers. */
const runs = Number(process.env['RUNS_OVER_LOSSES'] ?? 2);
const parts = runs > 2 ? ([0.05, 0.1, 0.2, 0.33] as const) : ([0.2] as const);

async function repeat(losses: Losses) {
  const seeds = Array.from({ length: runs }, (_, run) => 7919 * (run + 1));
  const sum = { landed: 0, doubled: 0, told: 0 };
  for (const seed of seeds) {
    const { landed, doubled, told } = await applyOverLosses(losses, seed);
    sum.landed += landed;
    sum.doubled += doubled;
    sum.told += told;
  }
  return { ...sum, landed: sum.landed / runs, told: sum.told / runs };
}

describe.for(['heeds test', 'refuses test', 'ignores test'] as const)(
  'a hundred appends on a server that %s',
  (kind) => {
    test.for(
      parts.flatMap((part) =>
        (['before', 'after', 'either'] as const).map((moment) => ({ part, moment })),
      ),
    )(
      'land once each, where $part of all answers are lost $moment the commit',
      { timeout: 5000 * runs },
      async (losses) => {
        const { landed, doubled, told } = await repeat({ kind, ...losses });
        expect(doubled).toBe(0);
        expect(told).toBe(landed);
        expect(landed).toBeGreaterThanOrEqual(losses.moment === 'after' ? 100 : 99.5);
      },
    );
  },
);

test.for(['heeds test', 'refuses test'] as const)(
  'two applies at once on a server that %s double nothing',
  { timeout: 60_000 },
  async (kind) => {
    for (const part of [0, 0.2]) {
      const losses = { kind, part, moment: 'either', processes: 2 } as const;
      const { landed, doubled } = await repeat(losses);
      expect({ landed, doubled }).toEqual({ landed: 100, doubled: 0 });
    }
  },
);

test('thirty contracts land where every third connection is cut', async () => {
  for (const kind of ['heeds test', 'refuses test'] as const) {
    const losses = { kind, part: 'every third', moment: 'before', count: 30 } as const;
    expect(await repeat(losses)).toMatchObject({ landed: 30, doubled: 0 });
  }
});
