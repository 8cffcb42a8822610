import type { Effects } from '../core/effects.ts';

/** Milliseconds that a `Retry-After` asks to wait (RFC 9110 §10.2.3): seconds, or an HTTP date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d+$/u.test(text)) return Number(text) * 1000;
  // Date.parse takes much that is no HTTP date, "-1" among it: all three forms name the day first.
  const date = /^[A-Z][a-z]{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Milliseconds: the first pause is somewhere below `base`, each further one below twice as much. */
export const pauses = { base: 500, longest: 20_000 } as const;

/** Milliseconds to wait after so many attempts: never less than the server asks for. */
export function backOff(attempts: number, random: () => number, asked = 0): number {
  // Full jitter, so that many clients do not come back as one.
  return Math.round(asked + random() * Math.min(pauses.longest, pauses.base * 2 ** (attempts - 1)));
}

/** Why an attempt failed, as far as another one depends on it. */
type Passing = {
  readonly message: string;
  /** The same request may well succeed a little later. */
  readonly transient?: boolean;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
};

const mostAttempts = 4;

/** Milliseconds. */
const longestAsked = 30_000;

/**
 * Attempts it again where that can help: the server is down, slow, failing or too busy. One that
 * asks for more than `longest` milliseconds is not waited for.
 */
export async function retry<T, Fault extends Passing>(
  attempt: () => Promise<{ readonly value: T } | { readonly fault: Fault }>,
  { sleep, random }: Pick<Effects, 'sleep' | 'random'>,
  log: (line: string) => void,
  longest = longestAsked,
): Promise<{ readonly value: T } | { readonly fault: Fault }> {
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt();
    if ('value' in result) return result;
    const { transient = false, retryAfterMs = 0, message } = result.fault;
    if (!transient || attempts >= mostAttempts || retryAfterMs > longest) return result;
    const wait = backOff(attempts, random, retryAfterMs);
    log(`${message} ${againIn(wait, attempts + 1, mostAttempts)}`);
    await sleep(wait);
  }
}

/** `Trying again in 0.3 s (2 of 5).` */
export function againIn(milliseconds: number, attempt: number, mostAttempts: number): string {
  return `Trying again in ${(milliseconds / 1000).toFixed(1)} s (${attempt} of ${mostAttempts}).`;
}
