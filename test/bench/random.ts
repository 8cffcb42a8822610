/** Seeded random choices: the same seed always gives the same contracts and edits. */
export type Random = {
  /** An integer from 0 up to, and without, the limit. */
  readonly below: (limit: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly shuffle: <Item>(items: readonly Item[]) => Item[];
};

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  // The generator of "mulberry32": 32 bits of state, good enough for test documents.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error('Nothing to pick from.');
    return item;
  };
  const shuffle = <Item>(items: readonly Item[]): Item[] => {
    const ranked = items.map((item) => ({ item, rank: next() }));
    return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
  };
  return { below, pick, shuffle };
}
