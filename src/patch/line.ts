import type { Link } from './align.ts';
import { count, countBelow, type Tally, tallyOf } from './tally.ts';

/** From one index to another, of an element that is taken out in between. */
export type Hop = { readonly from: number; readonly to: number };

/**
 * The linked elements as they stand at the moment. Those that wait for their move are where they
 * were; those that have settled, the kept ones among them, stand in desired order. So behind each
 * kept element stand first those that have settled there, and then those that wait there.
 */
export type Line = {
  /** By live index. */
  readonly waiting: Tally;
  /** By desired index. */
  readonly settled: Tally;
  /** Live index → desired index of the next kept element, or the number of desired elements. */
  readonly nextKept: Int32Array;
  /** Desired index → live index of the last kept element before it, or -1 (0 behind the last). */
  readonly lastKept: Int32Array;
};

/** Takes as many elements as the arrays have; the links come by ascending live index. */
export function lineUp(links: readonly Link[], live: number, desired: number): Line {
  const kept = links.filter(({ kind }) => kind !== 'moved');
  const waiting = links.filter(({ kind }) => kind === 'moved');
  const nextKept = new Int32Array(live).fill(desired);
  const lastKept = new Int32Array(desired);
  let previous = { live: -1, desired: -1 };
  for (const link of kept) {
    nextKept.fill(link.desired, previous.live + 1, link.live);
    lastKept.fill(previous.live, previous.desired + 1, link.desired);
    previous = link;
  }
  lastKept.fill(Math.max(previous.live, 0), previous.desired + 1);
  return {
    waiting: tallyOf(
      waiting.map((link) => link.live),
      live,
    ),
    settled: tallyOf(
      kept.map((link) => link.desired),
      desired,
    ),
    nextKept,
    lastKept,
  };
}

/** Of an element that waits: to behind the nearest predecessor that has settled. */
export function hopOf({ live, desired }: Link, line: Line): Hop {
  const { waiting, settled } = line;
  const from = countBelow(settled, line.nextKept[live] ?? 0) + countBelow(waiting, live);
  const to = countBelow(settled, desired) + countBelow(waiting, line.lastKept[desired] ?? 0);
  // What stands behind the element comes one index nearer when it is taken out.
  return { from, to: to > from ? to - 1 : to };
}

export function settle({ live, desired }: Link, { waiting, settled }: Line): void {
  count(waiting, live, -1);
  count(settled, desired, 1);
}
