import { setTimeout as sleep } from 'node:timers/promises';
import type { Diagnostic } from '../core/diagnostic.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import type { TokenStore } from './store.ts';

/** The effects that getting a token needs. */
export type AuthSeams = {
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** How long an issuer may take for one answer. */
  readonly timeoutMs: number;
  /** Told every token and secret before it is used. */
  readonly redactor: Redactor;
  /** Takes what the user should know and what stops nothing. */
  readonly warn: (diagnostic: Diagnostic) => void;
  /** Takes the verbose lines. */
  readonly log: (line: string) => void;
  /** GitHub's ID token for an audience; absent where there is none to be had. */
  readonly idToken?: (audience: string) => Promise<string>;
  /** Where the logins of people are kept. */
  readonly store?: TokenStore;
};

/** The real world, but for what is given. */
export function completeSeams(given: Partial<AuthSeams>): AuthSeams {
  return {
    fetch: async (input, init) => globalThis.fetch(input, init),
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, signal && { signal });
    },
    now: Date.now,
    random: Math.random,
    timeoutMs: 30_000,
    redactor: createRedactor(),
    warn: () => undefined,
    log: () => undefined,
    ...given,
  };
}
