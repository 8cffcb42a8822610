/** Aligns live with desired elements, so that the patch is smallest. */

import type { Identities } from './identity.ts';

export type IndexPair = { readonly live: number; readonly desired: number };

export type Link = IndexPair & {
  /** `replaced`: the slot of an element that disappears takes a new one. */
  readonly kind: 'kept' | 'moved' | 'replaced';
};

export type Weigh = (live: number, desired: number) => number;

export type Savings = { readonly keep: Weigh; readonly replace: Weigh };

type Indices = readonly number[];

type Candidate = Link & Point;

// Pairs of elements, a thousand by a thousand. With more, no slot of a removed element is reused.
const pairLimit = 2 ** 20;

/**
 * Shared elements are kept or moved, and a new element may take the slot of a removed one. Links
 * come by ascending live index, here and below.
 */
export function alignWithMoves(identities: Identities, savings: Savings): readonly Link[] {
  const { shared, removed, added } = pairUp(identities);
  const kept = shared.map((pair) => candidate(pair, 'kept', savings.keep));
  const replaced = candidates(removed, added, (pair) =>
    candidate(pair, 'replaced', savings.replace),
  );
  const inPlace = heaviestChain([...kept, ...replaced].toSorted(byLive));
  const stays = new Set(inPlace.map(({ live }) => live));
  const moved = shared.filter(({ live }) => !stays.has(live));
  return [...inPlace, ...moved.map((pair) => ({ ...pair, kind: 'moved' as const }))].toSorted(
    byLive,
  );
}

export function alignInPlace({ live, desired }: Identities, savings: Savings): readonly Link[] {
  return heaviestChain(
    candidates([...live.keys()], [...desired.keys()], (pair) =>
      live[pair.live] === desired[pair.desired]
        ? candidate(pair, 'kept', savings.keep)
        : candidate(pair, 'replaced', savings.replace),
    ),
  );
}

export function alignUnordered(identities: Identities): readonly Link[] {
  const { shared, removed, added } = pairUp(identities);
  const kept = shared.map((pair): Link => ({ ...pair, kind: 'kept' }));
  const replaced = zip(removed, added).map((pair): Link => ({ ...pair, kind: 'replaced' }));
  return [...kept, ...replaced].toSorted(byLive);
}

function byLive(a: IndexPair, b: IndexPair): number {
  return a.live - b.live;
}

function candidates(live: Indices, desired: Indices, of: (pair: IndexPair) => Candidate) {
  if (live.length * desired.length > pairLimit) return [];
  const backwards = desired.toReversed();
  return live.flatMap((from) => backwards.map((to) => of({ live: from, desired: to })));
}

function candidate({ live, desired }: IndexPair, kind: Link['kind'], weigh: Weigh): Candidate {
  return { live, desired, kind, weight: weigh(live, desired) };
}

/** The k-th occurrence of an identity on one side belongs to its k-th on the other. */
export function pairUp({ live, desired }: Identities) {
  const waiting = new Map<string, number[]>();
  for (const [index, identity] of [...desired.entries()].toReversed()) {
    const indices = waiting.get(identity);
    if (indices) indices.push(index);
    else waiting.set(identity, [index]);
  }
  const shared: IndexPair[] = [];
  const removed: number[] = [];
  for (const [index, identity] of live.entries()) {
    const partner = waiting.get(identity)?.pop();
    if (partner === undefined) removed.push(index);
    else shared.push({ live: index, desired: partner });
  }
  const taken = shared.map((pair) => pair.desired);
  return { shared, removed, added: indicesBut(taken, desired.length) };
}

export function indicesBut(taken: Indices, length: number): number[] {
  const isTaken = new Set(taken);
  return Array.from({ length }, (_, index) => index).filter((index) => !isTaken.has(index));
}

export function zip(live: Indices, desired: Indices): IndexPair[] {
  return live
    .slice(0, desired.length)
    .map((index, rank) => ({ live: index, desired: desired[rank] ?? 0 }));
}

export type Point = IndexPair & { readonly weight: number };

/**
 * Those points, both indices increasing from one to the next, that weigh most together: where all
 * weigh the same and no index repeats, the longest increasing subsequence. O(p log p).
 *
 * The points come by ascending `live`, and those of one `live` by descending `desired`, so that a
 * chain cannot step from one to another of them.
 */
export function heaviestChain<Each extends Point>(points: readonly Each[]): Each[] {
  // Points are counted from 1 here: point 0, of no weight, is the empty chain.
  const weights = new Float64Array(points.length + 1);
  const previous = new Int32Array(points.length + 1);
  let columns = 0;
  for (const { desired } of points) columns = Math.max(columns, desired + 1);
  // A Fenwick tree: node k covers the columns (k - (k & -k), k], counted from 1, and holds the
  // point that ends the heaviest chain within them. Of equally heavy chains it keeps the first.
  const tree = new Int32Array(columns + 1);
  for (const [index, { desired, weight }] of points.entries()) {
    const before = heaviestUpTo(desired, tree, weights);
    previous[index + 1] = before;
    const total = weight + (weights[before] ?? 0);
    weights[index + 1] = total;
    for (let node = desired + 1; node < tree.length; node += node & -node) {
      if (total > (weights[tree[node] ?? 0] ?? 0)) tree[node] = index + 1;
    }
  }
  const chain: Each[] = [];
  let end = heaviestUpTo(columns, tree, weights);
  for (; end > 0; end = previous[end] ?? 0) {
    const point = points[end - 1];
    if (point) chain.push(point);
  }
  return chain.toReversed();
}

function heaviestUpTo(column: number, tree: Int32Array, weights: Float64Array): number {
  let heaviest = 0;
  for (let node = column; node > 0; node -= node & -node) {
    const end = tree[node] ?? 0;
    if ((weights[end] ?? 0) > (weights[heaviest] ?? 0)) heaviest = end;
  }
  return heaviest;
}
