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

export function backOff(attempts: number, random: () => number, asked = 0): number {
  // Full jitter, so that many clients do not come back as one.
  return Math.round(asked + random() * Math.min(pauses.longest, pauses.base * 2 ** (attempts - 1)));
}

/**
 * `once`: a single try. `short`: a few, while somebody waits for a first answer. `limits`:
 * `short`, but outlasts a limit per minute. `long`: for a minute, in which a server can restart,
 * where a run would end in its middle.
 */
export type Patience = 'once' | 'short' | 'limits' | 'long';

// A `Retry-After` of more milliseconds than `longestAsked` ends the retries; pauses grow no more
// after so many `doublings`.
const patiences = {
  once: { most: 1, longestAsked: 0, doublings: 1 },
  short: { most: 4, longestAsked: 30_000, doublings: Infinity },
  limits: { most: 4, longestAsked: 90_000, doublings: Infinity },
  long: { most: Infinity, longestAsked: 30_000, doublings: 4 },
} as const;

// Milliseconds.
const longPatience = 60_000;

export async function retry<
  T,
  Fault extends { message: string; transient?: boolean; retryAfterMs?: number | undefined },
>(
  attempt: () => Promise<{ readonly value: T } | { readonly fault: Fault }>,
  { sleep, random, now }: Pick<Effects, 'sleep' | 'random' | 'now'>,
  log: (line: string) => void,
  patience: Patience = 'short',
): Promise<{ readonly value: T } | { readonly fault: Fault }> {
  const { most, longestAsked, doublings } = patiences[patience];
  const end = now() + longPatience;
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt();
    if ('value' in result) return result;
    const { transient = false, retryAfterMs = 0, message } = result.fault;
    if (!transient || attempts >= most || retryAfterMs > longestAsked) return result;
    if (patience === 'long' && now() + retryAfterMs >= end) return result;
    const wait = backOff(Math.min(attempts, doublings), random, retryAfterMs);
    log(`${message} ${againIn(wait, attempts + 1, most)}`);
    await sleep(wait);
  }
}

export function againIn(milliseconds: number, attempt: number, mostAttempts: number): string {
  const bound =
    mostAttempts === Infinity
      ? `for up to ${longPatience / 1000} s`
      : `${attempt} of ${mostAttempts}`;
  const seconds = (milliseconds / 1000).toFixed(1);
  return `Trying again ${seconds === '0.0' ? 'now' : `in ${seconds} s`} (${bound}).`;
}
