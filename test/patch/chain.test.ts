import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heaviestChain, type Point } from '../../src/patch/align.ts';
import { rounds } from '../support/rounds.ts';

function weightOf(points: readonly Point[]): number {
  return points.reduce((sum, { weight }) => sum + weight, 0);
}

/** By the definition: of every set of points, those that are a chain. */
function heaviestByTrying(
  [first, ...rest]: readonly Point[],
  behind = { live: -1, desired: -1 },
): number {
  if (!first) return 0;
  const without = heaviestByTrying(rest, behind);
  if (first.live <= behind.live || first.desired <= behind.desired) return without;
  return Math.max(without, first.weight + heaviestByTrying(rest, first));
}

describe('the heaviest chain', () => {
  const index = fc.nat(5);
  const points = fc
    .uniqueArray(
      fc.record({ live: index, desired: index, weight: fc.integer({ min: 1, max: 9 }) }),
      {
        maxLength: 10,
        selector: ({ live, desired }) => `${live} ${desired}`,
      },
    )
    .map((some) => some.toSorted((a, b) => a.live - b.live || b.desired - a.desired));

  it('is a chain, and no other is heavier', () => {
    const property = fc.property(points, (some) => {
      const chain = heaviestChain(some);
      for (const [rank, { live, desired }] of chain.slice(1).entries()) {
        expect(live).toBeGreaterThan(chain[rank]?.live ?? Infinity);
        expect(desired).toBeGreaterThan(chain[rank]?.desired ?? Infinity);
      }
      expect(weightOf(chain)).toBe(heaviestByTrying(some));
    });
    fc.assert(property, { numRuns: rounds(1000) });
  });

  it('of no points is empty', () => {
    expect(heaviestChain([])).toEqual([]);
  });
});
