import type { Diagnostic } from '../core/diagnostic.ts';
import type { Effects } from '../core/effects.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { systemEffects } from '../http/fetch.ts';
import type { TokenStore } from './store.ts';

/** What getting a token needs of the world, and of whoever asks for one. */
export type AuthEffects = Effects & {
  /** How long an issuer may take to begin an answer, and again to finish it. */
  readonly timeoutMs: number;
  /** Told every token and secret before it is used. */
  readonly redactor: Redactor;
  /** Takes what the user should know and what stops nothing. */
  readonly warn: (diagnostic: Diagnostic) => void;
  /** Takes what somebody who waits should know. */
  readonly tell: (line: string) => void;
  /** Takes the verbose lines. */
  readonly log: (line: string) => void;
  /** GitHub's ID token for an audience; absent where there is none to be had. */
  readonly idToken?: ((audience: string) => Promise<string>) | undefined;
  /** Where the logins of people are kept. */
  readonly store?: TokenStore;
};

/** The real world, but for what is given. */
export function completeEffects(given: Partial<AuthEffects> = {}): AuthEffects {
  return {
    ...systemEffects,
    timeoutMs: 30_000,
    redactor: createRedactor(),
    warn: () => undefined,
    tell: () => undefined,
    log: () => undefined,
    ...given,
  };
}
