/** Choices that a seed repeats. */
export type Random = {
  /** From 0 up to, not including, a limit. */
  readonly below: (limit: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <Value>(values: readonly Value[]) => Value;
  readonly list: <Value>(length: number, make: (index: number) => Value) => Value[];
};

/** The generator "mulberry32". */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: <Value>(values: readonly Value[]) => values[below(values.length)] as Value,
    list: (length, make) => Array.from({ length }, (_, index) => make(index)),
  };
}
