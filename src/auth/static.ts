import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { parseBearerToken } from './bearer.ts';
import { readClaims } from './claims.ts';
import type { TokenSource } from './token.ts';

/** A token that stays the same for the whole run: a bot's JWT, or one made by an earlier step. */
export function staticToken(token: string): TokenSource {
  const bearer = parseBearerToken(token);
  return async () => bearer;
}

/** A token that ends sooner than this may not last for the run; in milliseconds. */
const soon = 5 * 60_000;

/** Refuses a token that has expired, before a request does; what is close to it is warned of. */
export function checkLifetime(token: string, origin: string, now: number): Diagnostic | undefined {
  const { expiresAt } = readClaims(token);
  if (expiresAt === undefined || expiresAt - now > soon) return undefined;
  if (expiresAt > now) return expiresSoon(origin, expiresAt - now);
  throw new ConfigError(
    'token-expired',
    `The token in ${origin} expired at ${instant(expiresAt)}; by the clock of this machine it is ${instant(now)}.`,
    { hint: 'Renew it; if the clock is wrong, set it.' },
  );
}

function expiresSoon(origin: string, left: number): Diagnostic {
  return {
    code: 'token-expires-soon',
    severity: 'warning',
    message: `The token in ${origin} expires in ${Math.ceil(left / 1000)} seconds.`,
    hint: 'A run that takes longer ends with 401: renew the token first.',
  };
}

function instant(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString().replace(/\.\d+Z$/u, 'Z');
}
