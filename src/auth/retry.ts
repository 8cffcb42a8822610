import { IssuerError } from './refusal.ts';
import type { AuthSeams } from './seams.ts';

/** How often and how long to try; times in milliseconds. */
const attempts = 4;
const base = 500;
const longestAsked = 30_000;

/** Does it again where that can help: the issuer is down, slow, failing or too busy. */
export async function retryTransient<T>(
  attempt: () => Promise<T>,
  { sleep, random, log }: AuthSeams,
): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      const wait = error instanceof IssuerError ? waitAfter(error, number, random) : undefined;
      if (wait === undefined || !(error instanceof IssuerError)) throw error;
      log(
        `${error.message} Trying again in ${(wait / 1000).toFixed(1)} s (${number + 1} of ${attempts}).`,
      );
      await sleep(wait);
    }
  }
}

function waitAfter(error: IssuerError, number: number, random: () => number): number | undefined {
  const { transient, retryAfterMs = 0 } = error;
  if (!transient || number >= attempts || retryAfterMs > longestAsked) return undefined;
  // Full jitter, on top of what is asked, so that many clients do not come back as one.
  return Math.round(retryAfterMs + random() * base * 2 ** (number - 1));
}
