import type { Link } from './align.ts';
import { childPlace, type Edit, type Place } from './operation.ts';
import { formatPointer } from './pointer.ts';

type Section = {
  readonly live: readonly unknown[];
  readonly desired: readonly unknown[];
  readonly place: Place;
  readonly start: number;
};

/** Each element moves at most once; any of them can go first. */
export function moveEdits(links: readonly Link[], section: Section): readonly Edit[] {
  // `isRefused` is about a move from near the start far to the end: such a move is tried before and
  // after each of the others, which may shift it.
  const waiting = links
    .filter(({ kind }) => kind === 'moved')
    .toSorted((a, b) => a.desired - a.live - (b.desired - b.live) || b.desired - a.desired);
  if (waiting.length === 0) return [];
  const edits: Edit[] = [];
  const arrangement = arrange(links, section.live.length, section.desired.length);
  const isRefusedNow = (link: Link): boolean => isRefused(hopOf(link, arrangement), section);
  for (let last = waiting.pop(); last; last = waiting.pop()) {
    // Where two operations would move it, the last that one can move goes first, if there is any.
    const better = isRefusedNow(last) ? waiting.findLastIndex((link) => !isRefusedNow(link)) : -1;
    const [link = last] = better < 0 ? [] : waiting.splice(better, 1);
    if (link !== last) waiting.push(last);
    edits.push(...hopEdits(link, hopOf(link, arrangement), section));
    settle(link, arrangement);
  }
  return edits;
}

// Some servers take a move from `/schema/1` to `/schema/10` for one into a part of itself, because
// the one text starts with the other.
function isRefused({ from, to }: Hop, { start }: Section): boolean {
  return from < to && String(start + to).startsWith(String(start + from));
}

// Two hops over index 0 replace a refused one: no other index starts with that.
function hopEdits({ live, desired }: Link, hop: Hop, section: Section): Edit[] {
  const { start } = section;
  const place = childPlace(section.place, start + live, start + desired);
  const path = formatPointer(section.place.live);
  const ends = isRefused(hop, section)
    ? [[start + hop.from, 0] as const, [0, start + hop.to] as const]
    : [[start + hop.from, start + hop.to] as const];
  return ends.map(([from, to]) => ({
    operation: { op: 'move', from: `${path}/${from}`, path: `${path}/${to}` },
    ...place,
  }));
}

type Hop = { readonly from: number; readonly to: number };

// The linked elements between two moves. Waiting elements are where they were; settled ones, the
// kept among them, are in desired order. So behind each kept element come first those that have
// settled there, and then those that wait there.
type Arrangement = {
  /** By live index. */
  readonly waiting: FenwickTree;
  /** By desired index. */
  readonly settled: FenwickTree;
  readonly nextKept: Int32Array;
  readonly lastKept: Int32Array;
};

export function arrange(links: readonly Link[], live: number, desired: number): Arrangement {
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
  const [waits, settled] = [waiting.map((link) => link.live), kept.map((link) => link.desired)];
  return {
    waiting: fenwickTreeOf(waits, live),
    settled: fenwickTreeOf(settled, desired),
    nextKept,
    lastKept,
  };
}

export function hopOf({ live, desired }: Link, arrangement: Arrangement): Hop {
  const { waiting, settled } = arrangement;
  const from = countBelow(settled, arrangement.nextKept[live] ?? 0) + countBelow(waiting, live);
  const to = countBelow(settled, desired) + countBelow(waiting, arrangement.lastKept[desired] ?? 0);
  // What follows the element comes one index nearer when it is taken out.
  return { from, to: to > from ? to - 1 : to };
}

export function settle({ live, desired }: Link, { waiting, settled }: Arrangement): void {
  count(waiting, live, -1);
  count(settled, desired, 1);
}

// A set of the indices of an array: a Fenwick tree, in which node k counts those of the set among
// (k - (k & -k), k], numbered from 1.
type FenwickTree = Int32Array;

function fenwickTreeOf(indices: readonly number[], length: number): FenwickTree {
  const tally = new Int32Array(length + 1);
  for (const index of indices) count(tally, index, 1);
  return tally;
}

function count(tally: FenwickTree, index: number, by: 1 | -1): void {
  for (let node = index + 1; node < tally.length; node += node & -node)
    tally[node] = (tally[node] ?? 0) + by;
}

function countBelow(tally: FenwickTree, index: number): number {
  let sum = 0;
  for (let node = index; node > 0; node -= node & -node) sum += tally[node] ?? 0;
  return sum;
}
