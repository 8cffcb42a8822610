import { setTimeout as sleep } from 'node:timers/promises';

export type Fetch = (
  url: URL,
  init: {
    readonly method: string;
    /** By names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Fetched>;

export type Fetched = {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** `cancel` frees or closes the connection. */
  readonly body:
    | (AsyncIterable<Uint8Array<ArrayBuffer>> & { readonly cancel: () => Promise<void> })
    | null;
};

export type AnswerHeaders = Iterable<[name: string, value: string]> & {
  readonly get: (name: string) => string | null;
  readonly has: (name: string) => boolean;
};

export type Clock = {
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export type Effects = Clock & {
  readonly fetch: Fetch;
  /** At least 0 and less than 1. */
  readonly random: () => number;
};

/** Sends each question once; questions of one key share its answer. */
export function askOnce<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => unknown = (question) => question,
): (question: Question) => Promise<Answer> {
  const known = new Map<unknown, Promise<Answer>>();
  return async (question) => {
    const key = keyOf(question);
    const answer = known.get(key) ?? ask(question);
    known.set(key, answer);
    return answer;
  };
}

export const offlineEffects: Omit<Effects, 'fetch'> = {
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, signal && { signal });
  },
  now: Date.now,
  random: Math.random,
};
