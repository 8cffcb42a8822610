import type { Identities } from './identity.ts';

/** Two elements that belong together, by their indices. */
export type Pair = { readonly live: number; readonly desired: number };

/** What two arrays share, by ascending live index, and what only one of them has. */
export type Pairing = {
  readonly shared: readonly Pair[];
  readonly removed: readonly number[];
  readonly added: readonly number[];
};

/** The k-th occurrence of an identity on one side belongs to its k-th on the other. */
export function pairUp({ live, desired }: Identities): Pairing {
  const { first, following } = occurrences(desired);
  const shared: Pair[] = [];
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
export function zip(live: readonly number[], desired: readonly number[]): Pair[] {
  return live
    .slice(0, desired.length)
    .map((index, rank) => ({ live: index, desired: desired[rank] ?? 0 }));
}
