import { heaviestChain, type Point } from './chain.ts';
import type { Identities } from './identity.ts';
import { indicesBut, type Pair, pairUp, zip } from './pairs.ts';

/** A live element and the desired element that it becomes. */
export type Link = Pair & {
  /** `replaced`: the slot of an element that disappears takes a new one. */
  readonly kind: 'kept' | 'moved' | 'replaced';
};

/** What a link saves against removing the one element and adding the other. */
export type Savings = { readonly keep: Weigh; readonly replace: Weigh };

type Weigh = (live: number, desired: number) => number;
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
function mergeByLive<Item extends Pair>(a: readonly Item[], b: readonly Item[]): Item[] {
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

function link({ live, desired }: Pair, kind: Link['kind']): Link {
  return { live, desired, kind };
}
