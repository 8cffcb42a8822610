import { setTimeout as sleep } from 'node:timers/promises';

/** As much of `fetch` as is used here; the global one is such a function. */
export type Fetch = (url: URL, init: FetchInit) => Promise<Fetched>;

type FetchInit = {
  readonly method: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A redirect is an answer like any other. */
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
};

/** An answer whose body is still to come. */
export type Fetched = {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Body | null;
};

type Body = AsyncIterable<Uint8Array<ArrayBuffer>> & {
  /** Leaves what is still to come: nobody waits for it. */
  readonly cancel: () => Promise<void>;
};

/** What headers are asked; names are in lower case. */
export type AnswerHeaders = Iterable<[name: string, value: string]> & {
  readonly get: (name: string) => string | null;
  readonly has: (name: string) => boolean;
};

/** What code that is not pure does to the world, or learns from it. */
export type Effects = {
  readonly fetch: Fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** At least 0 and less than 1. */
  readonly random: () => number;
};

/** The real world, but for the network: `http/fetch.ts` has all of it. */
export const offlineEffects: Omit<Effects, 'fetch'> = {
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, signal && { signal });
  },
  now: Date.now,
  random: Math.random,
};
