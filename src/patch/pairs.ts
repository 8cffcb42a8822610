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
  const waiting = Map.groupBy(desired.keys(), (index) => desired[index]);
  const shared: Pair[] = [];
  const removed: number[] = [];
  for (const [index, identity] of live.entries()) {
    const partner = waiting.get(identity)?.shift();
    if (partner === undefined) removed.push(index);
    else shared.push({ live: index, desired: partner });
  }
  const added = [...waiting.values()].flat().toSorted((a, b) => a - b);
  return { shared, removed, added };
}

/** The k-th with the k-th, as far as both sides go. */
export function zip(live: readonly number[], desired: readonly number[]): Pair[] {
  return live
    .slice(0, desired.length)
    .map((index, rank) => ({ live: index, desired: desired[rank] ?? 0 }));
}
