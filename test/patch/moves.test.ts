import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Link } from '../../src/patch/align.ts';
import { hopOf, arrange, settle } from '../../src/patch/moves.ts';
import { rounds } from '../support/rounds.ts';

/** Some of the elements of two arrays, in any order; of which any that are in order stay. */
const lines = fc
  .record({
    order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    gaps: fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }),
    stays: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    turns: fc.infiniteStream(fc.nat()),
  })
  .map(({ order, gaps, stays, turns }) => {
    let live = -1;
    let last = -1;
    const links = order.map((desired, rank): Link => {
      live += 1 + (gaps[rank] ?? 0);
      const isKept = desired > last && stays[rank] === true;
      if (isKept) last = desired;
      return { live, desired, kind: isKept ? 'kept' : 'moved' };
    });
    return { links, length: live + 1, turns };
  });

it('tells each hop as a list of the elements does, whichever goes next', () => {
  const property = fc.property(lines, ({ links, length, turns }) => {
    const arrangement = arrange(links, length, 12);
    const list = [...links];
    const waiting = links.filter(({ kind }) => kind === 'moved');
    const settled = new Set(links.filter(({ kind }) => kind !== 'moved'));
    while (waiting.length > 0) {
      const [link] = waiting.splice((turns.next().value ?? 0) % waiting.length, 1);
      if (!link) return;
      const from = list.indexOf(link);
      list.splice(from, 1);
      const predecessor = list.findLastIndex(
        (each) => settled.has(each) && each.desired < link.desired,
      );
      expect(hopOf(link, arrangement)).toEqual({ from, to: predecessor + 1 });
      list.splice(predecessor + 1, 0, link);
      settled.add(link);
      settle(link, arrangement);
    }
    expect(list).toEqual(links.toSorted((a, b) => a.desired - b.desired));
  });
  fc.assert(property, { numRuns: rounds(1000) });
});
