import type { Clock } from '../../src/core/effects.ts';

export type { Clock };

/** A clock that stands still while anybody has something to do, and then goes to the next wake-up. */
export function startClock(): Clock {
  let now = 0;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  let isGoing = false;
  const go = async (): Promise<void> => {
    isGoing = true;
    while (sleepers.length > 0) {
      await new Promise(setImmediate);
      const [next] = sleepers.toSorted((a, b) => a.until - b.until);
      if (!next) break;
      sleepers = sleepers.filter((sleeper) => sleeper !== next);
      now = Math.max(now, next.until);
      next.wake();
    }
    isGoing = false;
  };
  const sleep: Clock['sleep'] = async (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const sleeper = { until: now + milliseconds, wake: resolve };
      sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        sleepers = sleepers.filter((other) => other !== sleeper);
        reject(new Error('The sleep was ended.', { cause: signal.reason }));
      });
      if (!isGoing) void go();
    });
  return { now: () => now, sleep };
}
