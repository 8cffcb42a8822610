import type { Identities } from './identity.ts';

/** A live element and the desired element that it becomes. */
export type Link = IndexPair & {
  /** `replaced`: the slot of an element that disappears takes a new one. */
  readonly kind: 'kept' | 'moved' | 'replaced';
};

/** What a link saves against removing the one element and adding the other. */
export type Savings = { readonly keep: Weigh; readonly replace: Weigh };

export type Weigh = (live: number, desired: number) => number;
type Indices = readonly number[];

/** A link that leaves its element in place. */
type Candidate = Link & Point;

/** So many pairs are weighed at most: a thousand elements against a thousand. */
const pairLimit = 2 ** 20;

/**
 * The cheapest alignment in which what both arrays have is kept or moved, and a new element may
 * take the slot of a removed one. Links come by ascending live index, here and below.
 */
export function alignWithMoves(identities: Identities, savings: Savings): readonly Link[] {
  const { shared, removed, added } = pairUp(identities);
  const kept = shared.map(({ live, desired }) => keptCandidate(live, desired, savings));
  const replaced = candidates(removed, added, (i, j) => replacedCandidate(i, j, savings));
  const inPlace = replaced
    ? heaviestChain(mergeByLive(kept, replaced))
    : fillGaps(heaviestChain(kept), removed, added);
  const stays = new Set(inPlace.map(({ live }) => live));
  const moved = shared.filter(({ live }) => !stays.has(live));
  return mergeByLive(
    inPlace,
    moved.map((pair) => link(pair, 'moved')),
  );
}

/** The cheapest alignment without moves: the edit distance. */
export function alignInPlace(identities: Identities, savings: Savings): readonly Link[] {
  const { live, desired } = identities;
  const points = candidates([...live.keys()], [...desired.keys()], (i, j) =>
    live[i] === desired[j] ? keptCandidate(i, j, savings) : replacedCandidate(i, j, savings),
  );
  if (points) return heaviestChain(points);
  const { shared } = pairUp(identities);
  const kept = heaviestChain(shared.map((pair) => keptCandidate(pair.live, pair.desired, savings)));
  const removed = indicesBut(
    kept.map((pair) => pair.live),
    live.length,
  );
  const added = indicesBut(
    kept.map((pair) => pair.desired),
    desired.length,
  );
  return fillGaps(kept, removed, added);
}

/** Order means nothing: what both arrays have stays, and new elements take the first free slots. */
export function alignUnordered(identities: Identities): readonly Link[] {
  const { shared, removed, added } = pairUp(identities);
  return mergeByLive(
    shared.map((pair) => link(pair, 'kept')),
    zip(removed, added).map((pair) => link(pair, 'replaced')),
  );
}

/** Each with each, in the order that `heaviestChain` wants; undefined where that is too many. */
function candidates(
  live: Indices,
  desired: Indices,
  candidate: (live: number, desired: number) => Candidate,
): Candidate[] | undefined {
  if (live.length * desired.length > pairLimit) return undefined;
  const backwards = desired.toReversed();
  return live.flatMap((i) => backwards.map((j) => candidate(i, j)));
}

function keptCandidate(live: number, desired: number, { keep }: Savings): Candidate {
  return { live, desired, kind: 'kept', weight: keep(live, desired) };
}

function replacedCandidate(live: number, desired: number, { replace }: Savings): Candidate {
  return { live, desired, kind: 'replaced', weight: replace(live, desired) };
}

/**
 * Where pairs are too many to be weighed: between two kept elements the first removed gives its
 * slot to the first added, and so on. Correct, and rarely an operation more than needed.
 */
function fillGaps(kept: readonly Link[], removed: Indices, added: Indices): Link[] {
  const filled: Link[] = [];
  const slots = queue(removed);
  const values = queue(added);
  for (const end of [...kept, { live: Infinity, desired: Infinity }]) {
    for (const pair of zip(slots.takeBelow(end.live), values.takeBelow(end.desired)))
      filled.push(link(pair, 'replaced'));
  }
  return mergeByLive(kept, filled);
}

/** Ascending indices, to be taken from the front. */
function queue(indices: Indices): { readonly takeBelow: (limit: number) => Indices } {
  let start = 0;
  return {
    takeBelow: (limit) => {
      let end = start;
      while ((indices[end] ?? Infinity) < limit) end += 1;
      const taken = indices.slice(start, end);
      start = end;
      return taken;
    },
  };
}

/** One list by ascending live index of two that are, and have no index in common. */
function mergeByLive<Item extends IndexPair>(a: readonly Item[], b: readonly Item[]): Item[] {
  const merged: Item[] = [];
  let taken = 0;
  for (const item of a) {
    for (let other = b[taken]; other && other.live < item.live; other = b[taken]) {
      merged.push(other);
      taken += 1;
    }
    merged.push(item);
  }
  return [...merged, ...b.slice(taken)];
}

function link({ live, desired }: IndexPair, kind: Link['kind']): Link {
  return { live, desired, kind };
}

/** Two elements that belong together, by their indices. */
export type IndexPair = { readonly live: number; readonly desired: number };

/** What two arrays share, by ascending live index, and what only one of them has. */
type Pairing = {
  readonly shared: readonly IndexPair[];
  readonly removed: readonly number[];
  readonly added: readonly number[];
};

/** The k-th occurrence of an identity on one side belongs to its k-th on the other. */
export function pairUp({ live, desired }: Identities): Pairing {
  const { first, following } = occurrences(desired);
  const shared: IndexPair[] = [];
  const removed: number[] = [];
  for (const [index, identity] of live.entries()) {
    const partner = first.get(identity) ?? none;
    if (partner === none) {
      removed.push(index);
    } else {
      first.set(identity, following[partner] ?? none);
      shared.push({ live: index, desired: partner });
    }
  }
  const taken = shared.map((pair) => pair.desired);
  return { shared, removed, added: indicesBut(taken, desired.length) };
}

/** Stands for an index where there is none. */
const none = -1;

type Occurrences = {
  /** Identity → index at which it occurs first, of those that have no partner yet. */
  readonly first: Map<string, number>;
  /** Index → next index at which the same identity occurs. */
  readonly following: Int32Array;
};

function occurrences(identities: readonly string[]): Occurrences {
  const first = new Map<string, number>();
  const following = new Int32Array(identities.length);
  for (let index = identities.length - 1; index >= 0; index -= 1) {
    const identity = identities[index] ?? '';
    following[index] = first.get(identity) ?? none;
    first.set(identity, index);
  }
  return { first, following };
}

/** The indices of an array of that length, without those that are taken. */
export function indicesBut(taken: readonly number[], length: number): number[] {
  const isTaken = new Uint8Array(length);
  for (const index of taken) isTaken[index] = 1;
  const free: number[] = [];
  for (let index = 0; index < length; index += 1) if (isTaken[index] === 0) free.push(index);
  return free;
}

/** The k-th with the k-th, as far as both sides go. */
export function zip(live: readonly number[], desired: readonly number[]): IndexPair[] {
  return live
    .slice(0, desired.length)
    .map((index, rank) => ({ live: index, desired: desired[rank] ?? 0 }));
}

/** A pair of array indices that an alignment may contain, and what it saves there. */
export type Point = { readonly live: number; readonly desired: number; readonly weight: number };

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
  const tree = new Int32Array(columnsOf(points) + 1);
  for (const [index, { desired, weight }] of points.entries()) {
    const before = heaviestUpTo(desired, tree, weights);
    previous[index + 1] = before;
    weights[index + 1] = weight + (weights[before] ?? 0);
    enter(index + 1, desired + 1, tree, weights);
  }
  return walkBack(heaviestUpTo(tree.length - 1, tree, weights), previous, points);
}

function columnsOf(points: readonly Point[]): number {
  let columns = 0;
  for (const { desired } of points) columns = Math.max(columns, desired + 1);
  return columns;
}

// A Fenwick tree: node k stands for the columns (k - (k & -k), k], counted from 1, and holds the
// point that ends the heaviest chain within them. Of equally heavy chains it keeps the first.

function heaviestUpTo(column: number, tree: Int32Array, weights: Float64Array): number {
  let heaviest = 0;
  for (let node = column; node > 0; node -= node & -node) {
    const end = tree[node] ?? 0;
    if ((weights[end] ?? 0) > (weights[heaviest] ?? 0)) heaviest = end;
  }
  return heaviest;
}

function enter(end: number, column: number, tree: Int32Array, weights: Float64Array): void {
  const weight = weights[end] ?? 0;
  for (let node = column; node < tree.length; node += node & -node) {
    if (weight > (weights[tree[node] ?? 0] ?? 0)) tree[node] = end;
  }
}

function walkBack<Each extends Point>(
  end: number,
  previous: Int32Array,
  points: readonly Each[],
): Each[] {
  const chain: Each[] = [];
  for (let number = end; number > 0; number = previous[number] ?? 0) {
    const point = points[number - 1];
    if (point) chain.push(point);
  }
  return chain.toReversed();
}
