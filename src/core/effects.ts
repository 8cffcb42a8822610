import { setTimeout as sleep } from 'node:timers/promises';

/** What code that is not pure does to the world, or learns from it. */
export type Effects = {
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** At least 0 and less than 1. */
  readonly random: () => number;
};

/** The real world. */
export const systemEffects: Effects = {
  fetch: async (input, init) => globalThis.fetch(input, init),
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, signal && { signal });
  },
  now: Date.now,
  random: Math.random,
};
