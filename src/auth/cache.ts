import type { IssuedToken } from './issued.ts';
import type { TokenSource } from './token.ts';

type Held = { readonly accessToken: string; readonly expiresAt: number; readonly renewAt: number };

/**
 * Keeps the token that `issue` gives until shortly before its end, or until it is rejected. However
 * many ask, one request is under way.
 */
export function cacheToken(
  issue: (rejected?: string) => Promise<IssuedToken>,
  now: () => number,
): TokenSource {
  let held: Held | undefined;
  let underWay: Promise<Held> | undefined;

  const renew = async (rejected?: string): Promise<Held> => {
    underWay ??= issue(rejected)
      .then((issued) => hold(issued, now()))
      .finally(() => {
        underWay = undefined;
      });
    held = await underWay;
    return held;
  };

  return async (rejected) => {
    const current = held;
    if (!current || current.accessToken === rejected) return (await renew(rejected)).accessToken;
    if (now() < current.renewAt) return current.accessToken;
    try {
      return (await renew()).accessToken;
    } catch (error) {
      // Renewing early is a courtesy: while the old token lives, the run goes on with it.
      if (now() >= current.expiresAt) throw error;
      held = { ...current, renewAt: current.expiresAt };
      return current.accessToken;
    }
  };
}

/** Milliseconds before its end at which a long-lived token is renewed. */
const earliness = 60_000;

function hold({ accessToken, expiresAt = Infinity }: IssuedToken, now: number): Held {
  const lifetime = expiresAt - now;
  const margin = Math.min(earliness, lifetime / 10);
  return { accessToken, expiresAt, renewAt: expiresAt - margin };
}
