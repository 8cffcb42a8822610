import { heaviestChain, type Point } from './chain.ts';
import type { Identities } from './identity.ts';
import { type Pair, pairUp, zip } from './pairs.ts';

/** A live element and the desired element that it becomes. */
export type Link = Pair & {
  /** `replaced`: the slot of an element that disappears takes a new one. */
  readonly kind: 'kept' | 'moved' | 'replaced';
};

/** What a link saves against removing the one element and adding the other. */
export type Savings = { readonly keep: Weigh; readonly replace: Weigh };

type Weigh = (live: number, desired: number) => number;
type Indices = readonly number[];

/** So many pairs are weighed at most: a thousand elements against a thousand. */
const pairLimit = 2 ** 20;

/**
 * The cheapest alignment in which what both arrays have is kept or moved, and a new element may
 * take the slot of a removed one. Links come by ascending live index, here and below.
 */
export function alignWithMoves(identities: Identities, savings: Savings): readonly Link[] {
  const { shared, removed, added } = pairUp(identities);
  const kept = shared.map((pair) => weighed(pair, savings.keep));
  const replaced = weighedPairs(removed, added, savings.replace);
  const chain = replaced
    ? heaviestChain([...kept, ...replaced].toSorted(chainOrder))
    : fillGaps(heaviestChain(kept), removed, added);
  const inPlace = new Set(chain.map(({ live }) => live));
  const moved = shared.filter(({ live }) => !inPlace.has(live));
  return [...linksInPlace(chain, identities), ...moved.map((pair) => link(pair, 'moved'))].toSorted(
    liveOrder,
  );
}

/** The cheapest alignment without moves: the edit distance. */
export function alignInPlace(identities: Identities, savings: Savings): readonly Link[] {
  const { live, desired } = identities;
  const weigh: Weigh = (i, j) =>
    live[i] === desired[j] ? savings.keep(i, j) : savings.replace(i, j);
  const points = weighedPairs([...live.keys()], [...desired.keys()], weigh);
  if (points) return linksInPlace(heaviestChain(points), identities);
  const kept = heaviestChain(pairUp(identities).shared.map((pair) => weighed(pair, savings.keep)));
  const removed = indicesBut(
    kept.map((pair) => pair.live),
    live.length,
  );
  const added = indicesBut(
    kept.map((pair) => pair.desired),
    desired.length,
  );
  return linksInPlace(fillGaps(kept, removed, added), identities);
}

/** Order means nothing: what both arrays have stays, and new elements take the first free slots. */
export function alignUnordered(identities: Identities): readonly Link[] {
  const { shared, removed, added } = pairUp(identities);
  const kept = shared.map((pair) => link(pair, 'kept'));
  const replaced = zip(removed, added).map((pair) => link(pair, 'replaced'));
  return [...kept, ...replaced].toSorted(liveOrder);
}

/** Each with each, in the order that `heaviestChain` wants; undefined where that is too many. */
function weighedPairs(live: Indices, desired: Indices, weigh: Weigh): Point[] | undefined {
  if (live.length * desired.length > pairLimit) return undefined;
  const backwards = desired.toReversed();
  return live.flatMap((i) => backwards.map((j) => weighed({ live: i, desired: j }, weigh)));
}

function weighed({ live, desired }: Pair, weigh: Weigh): Point {
  return { live, desired, weight: weigh(live, desired) };
}

/**
 * Where pairs are too many to be weighed: between two kept elements the first removed gives its
 * slot to the first added, and so on. Correct, and rarely an operation more than needed.
 */
function fillGaps(kept: readonly Pair[], removed: Indices, added: Indices): Pair[] {
  const ends = [...kept, { live: Infinity, desired: Infinity }];
  const filled = ends.flatMap((end, gap) => {
    const start = ends[gap - 1] ?? { live: -1, desired: -1 };
    return zip(
      removed.filter((index) => index > start.live && index < end.live),
      added.filter((index) => index > start.desired && index < end.desired),
    );
  });
  return [...kept, ...filled].toSorted(liveOrder);
}

function indicesBut(taken: Indices, length: number): Indices {
  const isTaken = new Set(taken);
  return Array.from({ length }, (_, index) => index).filter((index) => !isTaken.has(index));
}

function linksInPlace(chain: readonly Pair[], { live, desired }: Identities): Link[] {
  return chain.map((pair) =>
    link(pair, live[pair.live] === desired[pair.desired] ? 'kept' : 'replaced'),
  );
}

function link({ live, desired }: Pair, kind: Link['kind']): Link {
  return { live, desired, kind };
}

function chainOrder(a: Pair, b: Pair): number {
  return a.live - b.live || b.desired - a.desired;
}

function liveOrder(a: Pair, b: Pair): number {
  return a.live - b.live;
}
