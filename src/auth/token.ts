import type { JWTPayload } from 'jose';
import { decodeJwt } from 'jose/jwt/decode';
import { ConfigError, type Diagnostic } from '../core/diagnostic.ts';
import type { Effects } from '../core/effects.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { systemEffects } from '../http/fetch.ts';
import type { Patience } from '../http/retry.ts';
import type { IssuedToken, TokenStore } from './store.ts';

export type AuthEffects = Effects & {
  /** Milliseconds that an issuer may take to begin an answer, and again to finish it. */
  readonly timeoutMs: number;
  readonly redactor: Redactor;
  readonly warn: (diagnostic: Diagnostic) => void;
  readonly tell: (line: string) => void;
  readonly log: (line: string) => void;
  /** GitHub's ID token for an audience; absent outside GitHub's jobs. */
  readonly idToken?: ((audience: string) => Promise<string>) | undefined;
  readonly store?: TokenStore | undefined;
};

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

/**
 * Gives the bearer token of a request. `rejected` was just answered with 401: a source that keeps
 * its token must make another if it can.
 */
export type TokenSource = (rejected?: string) => Promise<string>;

// RFC 6750 §2.1, `b64token`.
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/u;

/**
 * Without the line end that files and secret stores leave. The message doesn't show the text, as
 * that of `fetch` would.
 */
export function parseBearerToken(text: string): string {
  const token = text.trim();
  if (token === '')
    throw invalidToken(
      'is empty',
      'Set the token again, and check the secret or file that it comes from.',
    );
  if (/\s/u.test(token)) {
    const hint = 'Put only the token there, on one line and without the word "Bearer".';
    throw invalidToken('contains whitespace', hint);
  }
  if (!bearerToken.test(token)) {
    const hint = 'Look for quotes or invisible characters copied with it.';
    throw invalidToken("contains characters that a bearer token can't have", hint);
  }
  return token;
}

function invalidToken(complaint: string, hint: string): ConfigError {
  return new ConfigError('invalid-token', `The access token ${complaint}.`, { hint });
}

/** A token that stays the same for the whole run: a bot's JWT, or one made by an earlier step. */
export function staticToken(token: string): TokenSource {
  const bearer = parseBearerToken(token);
  return async () => bearer;
}

export type Claims = {
  readonly subject?: string;
  /** Epoch milliseconds by the issuer's clock. */
  readonly expiresAt?: number;
  readonly issuedBy?: string;
  /** Several are separated by commas. */
  readonly audience?: string;
};

// Seconds; a Date holds no later end.
const lastInstant = 8.64e12;

/** RFC 7519 §4; none of them is verified. */
export function parseClaims(token: string): Claims {
  let claims: JWTPayload = {};
  try {
    claims = decodeJwt(token);
  } catch {
    // An opaque token claims nothing.
  }
  const subject = ['preferred_username', 'email', 'sub', 'client_id']
    .map((name) => claims[name])
    .find((value) => typeof value === 'string');
  const { exp, iss, aud } = claims;
  const audience = [aud ?? []].flat().join(', ');
  return {
    ...(subject !== undefined && { subject }),
    ...(typeof exp === 'number' && Math.abs(exp) < lastInstant && { expiresAt: exp * 1000 }),
    ...(typeof iss === 'string' && { issuedBy: iss }),
    ...(audience !== '' && { audience }),
  };
}

// Milliseconds; a token that ends sooner may not last for the run.
const soon = 5 * 60_000;

export function checkLifetime(token: string, origin: string, now: number): Diagnostic | undefined {
  const { expiresAt } = parseClaims(token);
  if (expiresAt === undefined || expiresAt - now > soon) return undefined;
  if (expiresAt > now) {
    const seconds = Math.ceil((expiresAt - now) / 1000);
    return {
      code: 'token-expires-soon',
      severity: 'warning',
      message: `The token in ${origin} expires in ${seconds} seconds.`,
      hint: 'Renew it first: a longer run fails with 401.',
    };
  }
  const message = `The token in ${origin} expired at ${instant(expiresAt)}; this machine's clock says ${instant(now)}.`;
  const hint = 'Renew it, or correct the clock if it is wrong.';
  throw new ConfigError('token-expired', message, { hint });
}

/** `2026-11-20T12:29:29Z`. */
export function instant(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString().replace(/\.\d+Z$/u, 'Z');
}

export type Want = { readonly rejected?: string | undefined; readonly patience: Patience };

type Held = { readonly accessToken: string; readonly expiresAt: number; readonly renewAt: number };

/**
 * Keeps a token until shortly before its end or until it is rejected. One request is under way at a
 * time; while the old token lives, only one caller waits for it.
 */
export function cacheToken(
  issue: (want: Want) => Promise<IssuedToken>,
  now: () => number,
  tell: (line: string) => void = () => undefined,
): TokenSource {
  let held: Held | undefined;
  let early: Promise<void> | undefined;
  let underWay: Promise<void> | undefined;

  const renew = async (want: Want): Promise<void> => {
    const { accessToken, expiresAt = Infinity } = await issue(want);
    const margin = Math.min(earliness, (expiresAt - now()) / 10);
    held = { accessToken, expiresAt, renewAt: expiresAt - margin };
  };
  const isGood = (rejected?: string): boolean =>
    held !== undefined && held.accessToken !== rejected && now() < held.expiresAt;

  const renewNow = async (rejected?: string): Promise<void> => {
    await early;
    if (isGood(rejected)) return;
    underWay ??= renew({ rejected, patience: held ? 'long' : 'short' }).finally(() => {
      underWay = undefined;
    });
    await underWay;
  };

  const renewEarly = (current: Held): Promise<void> =>
    renew({ patience: 'once' })
      .catch((error: unknown) => {
        held = { ...current, renewAt: Math.min(now() + betweenEarly, current.expiresAt) };
        const seconds = Math.max(0, Math.round((current.expiresAt - now()) / 1000));
        const words = error instanceof Error ? error.message : String(error);
        tell(`${words} The current token is valid for another ${seconds} s.`);
      })
      .finally(() => {
        early = undefined;
      });

  return async (rejected) => {
    if (held && isGood(rejected) && now() >= held.renewAt && !early) {
      early = renewEarly(held);
      await early;
    }
    if (!isGood(rejected)) await renewNow(rejected);
    if (!held) throw new Error('a renewal gives a token or throws');
    return held.accessToken;
  };
}

// Milliseconds before the end of a long-lived token.
const earliness = 60_000;

// Milliseconds between two early renewals, if the first fails.
const betweenEarly = 10_000;
