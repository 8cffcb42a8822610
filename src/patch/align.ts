import { heaviestChain, type Point } from './chain.ts';
import type { Identities } from './identity.ts';

/** A live element and the desired element that it becomes. */
export type Link = {
  readonly live: number;
  readonly desired: number;
  /** `replaced`: the slot of an element that disappears takes a new one. */
  readonly kind: 'kept' | 'moved' | 'replaced';
};

/** What a link saves against removing the one element and adding the other. */
export type Savings = {
  readonly keep: (live: number, desired: number) => number;
  readonly replace: (live: number, desired: number) => number;
};

/** So many pairs are weighed at most: a thousand elements against a thousand. */
const pairLimit = 2 ** 20;

/**
 * The cheapest alignment in which what both arrays have is kept or moved, and a new element may
 * take the slot of a removed one. Links come by ascending live index, here and below.
 */
export function alignWithMoves(identities: Identities, savings: Savings): readonly Link[] {
  const { partners, removed, added } = pairUp(identities);
  const shared = [...partners].map(([live, desired]) => weighed(live, desired, savings.keep));
  const chain =
    removed.length * added.length > pairLimit
      ? fillGaps(heaviestChain(shared), removed, added)
      : heaviestChain(
          [...shared, ...everyPair(removed, added, savings.replace)].toSorted(chainOrder),
        );
  const inPlace = new Set(chain.map(({ live }) => live));
  const moved = shared.filter(({ live }) => !inPlace.has(live));
  return [
    ...linksInPlace(chain, identities),
    ...moved.map((point) => link(point, 'moved')),
  ].toSorted(liveOrder);
}

/** The cheapest alignment without moves: the edit distance. */
export function alignInPlace(identities: Identities, savings: Savings): readonly Link[] {
  const live = [...identities.live.keys()];
  const desired = [...identities.desired.keys()];
  if (live.length * desired.length <= pairLimit) {
    const weigh = (i: number, j: number): number =>
      identities.live[i] === identities.desired[j] ? savings.keep(i, j) : savings.replace(i, j);
    return linksInPlace(heaviestChain(everyPair(live, desired, weigh)), identities);
  }
  const { partners } = pairUp(identities);
  const shared = [...partners].map(([i, j]) => weighed(i, j, savings.keep));
  const kept = heaviestChain(shared);
  const keptLive = new Set(kept.map((point) => point.live));
  const keptDesired = new Set(kept.map((point) => point.desired));
  const chain = fillGaps(
    kept,
    live.filter((i) => !keptLive.has(i)),
    desired.filter((j) => !keptDesired.has(j)),
  );
  return linksInPlace(chain, identities);
}

/** Order means nothing: what both arrays have stays, and new elements take the first free slots. */
export function alignUnordered(identities: Identities): readonly Link[] {
  const { partners, removed, added } = pairUp(identities);
  const kept = [...partners].map(([live, desired]) => link({ live, desired }, 'kept'));
  const replaced = zip(removed, added).map((point) => link(point, 'replaced'));
  return [...kept, ...replaced].toSorted(liveOrder);
}

/** The k-th occurrence of an identity on one side is the partner of its k-th on the other. */
export function pairUp({ live, desired }: Identities): Partners {
  const waiting = Map.groupBy(desired.keys(), (index) => desired[index]);
  const partners = new Map<number, number>();
  const removed: number[] = [];
  for (const [index, identity] of live.entries()) {
    const partner = waiting.get(identity)?.shift();
    if (partner === undefined) removed.push(index);
    else partners.set(index, partner);
  }
  const added = [...waiting.values()].flat().toSorted((a, b) => a - b);
  return { partners, removed, added };
}

type Partners = {
  /** Live index → desired index, by ascending live index. */
  readonly partners: ReadonlyMap<number, number>;
  readonly removed: readonly number[];
  readonly added: readonly number[];
};

type Weigh = Savings['keep'];
type Pair = { readonly live: number; readonly desired: number };

function weighed(live: number, desired: number, weigh: Weigh): Point {
  return { live, desired, weight: weigh(live, desired) };
}

function everyPair(live: readonly number[], desired: readonly number[], weigh: Weigh): Point[] {
  const backwards = desired.toReversed();
  return live.flatMap((i) => backwards.map((j) => weighed(i, j, weigh)));
}

/**
 * Where pairs are too many to be weighed: between two kept elements the first removed gives its
 * slot to the first added, and so on. Correct, and rarely an operation more than needed.
 */
function fillGaps(
  kept: readonly Pair[],
  removed: readonly number[],
  added: readonly number[],
): Pair[] {
  const ends = [...kept, { live: Infinity, desired: Infinity }];
  let start = { live: -1, desired: -1 };
  return ends.flatMap((end) => {
    const filled = zip(
      removed.filter((index) => index > start.live && index < end.live),
      added.filter((index) => index > start.desired && index < end.desired),
    );
    start = end;
    return Number.isFinite(end.live) ? [...filled, end] : filled;
  });
}

function zip(live: readonly number[], desired: readonly number[]): Pair[] {
  return live
    .slice(0, desired.length)
    .map((index, rank) => ({ live: index, desired: desired[rank] ?? 0 }));
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
