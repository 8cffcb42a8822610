import { describe, expect, it } from 'vitest';
import { deepEqual } from '../../src/core/json.ts';
import { evaluate, type Patch } from '../../src/patch/evaluate.ts';
import { contract, type Contract } from '../bench/contracts.ts';
import { applyEdit, edits } from '../bench/edits.ts';
import { correctPatch, generators } from '../bench/generators.ts';
import { seededRandom } from '../bench/random.ts';

const { 'contract-sync': ours, ...others } = generators;

describe('no other generator makes a smaller patch of a contract of 50 columns', () => {
  for (const [name, edit] of Object.entries(edits)) {
    it(`for the edit "${name}"`, () => {
      for (let seed = 1; seed <= 20; seed += 1) {
        const random = seededRandom(seed);
        const live = contract(50, random);
        const desired = applyEdit(edit, live, random);
        const patch = ours(live, desired);
        expect(deepEqual(evaluate(live, patch), desired)).toBe(true);
        for (const generate of Object.values(others)) {
          const other = correctPatch(generate, live, desired);
          if (!other) continue;
          expect(patch.length).toBeLessThanOrEqual(other.length);
          if (patch.length === other.length) expect(bytes(patch)).toBeLessThanOrEqual(bytes(other));
        }
      }
    });
  }
});

describe('a patch of a contract of 50 columns', () => {
  it.each(['insert one', 'remove one', 'move one', 'rename one', 'edit one'] as const)(
    'has a single operation for the edit "%s"',
    (name) => {
      for (let seed = 1; seed <= 20; seed += 1) {
        const { live, desired } = edited(name, seed);
        const isEqual = deepEqual(live, desired);
        expect(ours(live, desired)).toHaveLength(isEqual ? 0 : 1);
      }
    },
  );

  it('moves as many columns of a shuffle as its longest increasing subsequence leaves', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { live, desired } = edited('shuffle all', seed);
      const order = desired.schema.map(({ name }) => live.schema.findIndex((c) => c.name === name));
      expect(ours(live, desired)).toHaveLength(50 - longestIncreasing(order));
    }
  });
});

function edited(name: keyof typeof edits, seed: number): { live: Contract; desired: Contract } {
  const random = seededRandom(seed);
  const live = contract(50, random);
  return { live, desired: applyEdit(edits[name], live, random) };
}

/** Every index counts as one digit: it depends on the order of the operations. */
function bytes(patch: Patch): number {
  return Buffer.byteLength(JSON.stringify(patch).replaceAll(/\/\d+/gu, '/0'));
}

/** By the definition, in quadratic time. */
function longestIncreasing(order: readonly number[]): number {
  const lengths: number[] = [];
  for (const [index, rank] of order.entries()) {
    const before = lengths.filter((_, earlier) => (order[earlier] ?? 0) < rank);
    lengths[index] = 1 + Math.max(0, ...before);
  }
  return Math.max(0, ...lengths);
}
