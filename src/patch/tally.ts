/**
 * A set of the indices of an array: a Fenwick tree, in which node k counts those of the set among
 * (k - (k & -k), k], numbered from 1.
 */
export type Tally = Int32Array;

export function tallyOf(indices: readonly number[], length: number): Tally {
  const tally = new Int32Array(length + 1);
  for (const index of indices) tally[index + 1] = 1;
  for (let node = 1; node < tally.length; node += 1) {
    const parent = node + (node & -node);
    if (parent < tally.length) tally[parent] = (tally[parent] ?? 0) + (tally[node] ?? 0);
  }
  return tally;
}

/** Takes an index into the set, by 1, or out of it, by -1. */
export function count(tally: Tally, index: number, by: 1 | -1): void {
  for (let node = index + 1; node < tally.length; node += node & -node)
    tally[node] = (tally[node] ?? 0) + by;
}

/** How many of the set are smaller than the index. */
export function countBelow(tally: Tally, index: number): number {
  let sum = 0;
  for (let node = index; node > 0; node -= node & -node) sum += tally[node] ?? 0;
  return sum;
}
