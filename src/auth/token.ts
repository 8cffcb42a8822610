import type { JWTPayload } from 'jose';
import { decodeJwt } from 'jose/jwt/decode';
import { ConfigError } from '../core/diagnostic.ts';
import type { Effects } from '../core/effects.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { isProtected } from '../http/address.ts';
import { systemEffects } from '../http/fetch.ts';
import type { Patience } from '../http/send.ts';
import type { IssuedToken, TokenStore } from './store.ts';

export type AuthEffects = Effects & {
  /** Milliseconds that an issuer may take to begin an answer, and again to finish it. */
  readonly timeoutMs: number;
  readonly redactor: Redactor;
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

export type Want = { readonly rejected?: string | undefined; readonly patience: Patience };

// RFC 6750 §2.1, `b64token`.
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/u;

/**
 * Without the line end that files and secret stores leave. The message doesn't show the text, as
 * that of `fetch` would.
 */
export function parseBearerToken(text: string): string {
  const token = text.trim();
  if (token === '') {
    const hint = 'Set the token again, and check the secret or file that it comes from.';
    throw invalidToken('is empty', hint);
  }
  if (!bearerToken.test(token)) {
    const hint =
      'Put only the token there, on one line, without the word "Bearer", quotes or invisible characters.';
    throw invalidToken(
      "contains whitespace or other characters that a bearer token can't have",
      hint,
    );
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
  let underWay: Promise<Held> | undefined;

  const goodFor = (rejected?: string): Held | undefined =>
    held && held.accessToken !== rejected && now() < held.expiresAt ? held : undefined;

  const renew = async (want: Want): Promise<Held> => {
    const { accessToken, expiresAt = Infinity } = await issue(want);
    const margin = Math.min(earliness, (expiresAt - now()) / 10);
    held = { accessToken, expiresAt, renewAt: expiresAt - margin };
    return held;
  };
  const renewEarly = async (old: Held): Promise<void> => {
    try {
      await renew({ patience: 'once' });
    } catch (error) {
      held = { ...old, renewAt: Math.min(now() + betweenEarly, old.expiresAt) };
      const seconds = Math.max(0, Math.round((old.expiresAt - now()) / 1000));
      const words = error instanceof Error ? error.message : String(error);
      tell(`${words} The current token is valid for another ${seconds} s.`);
    } finally {
      early = undefined;
    }
  };
  const renewNow = (rejected?: string): Promise<Held> => {
    underWay ??= renew({ rejected, patience: held ? 'long' : 'short' }).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  return async (rejected) => {
    const known = goodFor(rejected);
    if (known && (early || now() < known.renewAt)) return known.accessToken;
    if (known) early = renewEarly(known);
    await early;
    const { accessToken } = goodFor(rejected) ?? (await renewNow(rejected));
    return accessToken;
  };
}

// Milliseconds before the end of a long-lived token.
const earliness = 60_000;

// Milliseconds between two early renewals, if the first fails.
const betweenEarly = 10_000;

export type Claims = {
  readonly subject?: string;
  /** Epoch milliseconds by the issuer's clock. */
  readonly expiresAt?: number;
  readonly issuedBy?: string;
  /** Several are separated by commas. */
  readonly audience?: string;
  /** As catalogs mark the tokens that they make for bots. */
  readonly isBot?: true;
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
  const { exp, iss, aud, isBot } = claims;
  const audience = [aud ?? []].flat().join(', ');
  return {
    ...(subject !== undefined && { subject }),
    ...(typeof exp === 'number' && Math.abs(exp) < lastInstant && { expiresAt: exp * 1000 }),
    ...(typeof iss === 'string' && { issuedBy: iss }),
    ...(audience !== '' && { audience }),
    ...(isBot === true && { isBot }),
  };
}

/** `2026-11-20T12:29:29Z`. */
export function instant(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString().replace(/\.\d+Z$/u, 'Z');
}

export type Client = {
  readonly issuer: string;
  readonly clientId: string;
  readonly access: Readonly<Record<string, string>>;
};

export function clientOf({ issuer, clientId, scope, resource, audience }: AuthSettings): Client {
  if (issuer === undefined) {
    const hint = 'Set `auth.issuer` in contract-sync.yaml, or the variable CONTRACT_SYNC_ISSUER.';
    throw new ConfigError('auth-incomplete', 'No token issuer is set.', { hint });
  }
  if (clientId === undefined) {
    const hint =
      'Set `auth.clientId` in contract-sync.yaml or the variable CONTRACT_SYNC_CLIENT_ID; in the Action, the input `auth-client-id`.';
    throw new ConfigError('auth-incomplete', `No client id is set for the issuer ${issuer}.`, {
      hint,
    });
  }
  checkIssuer(issuer);
  const access = Object.entries({ scope, resource, audience }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { issuer, clientId, access: Object.fromEntries(access) };
}

// Secrets are sent there, so the connection must be encrypted.
function checkIssuer(issuer: string): void {
  const document = issuer.search(/\/\.well-known\/openid-configuration\/?$/u);
  if (document >= 0) {
    const message = `The issuer ${JSON.stringify(issuer)} is the URL of its discovery document.`;
    const hint = `Set the issuer to ${issuer.slice(0, document)}`;
    throw new ConfigError('invalid-issuer', message, { hint });
  }
  const complaint = complaintAbout(URL.parse(issuer));
  if (complaint === undefined) return;
  throw new ConfigError('invalid-issuer', `The issuer ${JSON.stringify(issuer)} ${complaint}.`, {
    hint: 'Use the "issuer" of the discovery document, such as https://id.example.com.',
  });
}

function complaintAbout(url: URL | null): string | undefined {
  if (!url) return 'is not a URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an http or https URL';
  if (url.username !== '' || url.password !== '') return "can't contain a user name or password";
  if (url.search !== '' || url.hash !== '') return "can't have a query or a fragment";
  return isProtected(url) ? undefined : 'would receive secrets unencrypted';
}

/** A secret, and the name of the place where the user put it. */
export type Secret = { readonly value: string; readonly origin: string };

export const issuerMethods = [
  'client-secret-basic',
  'client-secret-post',
  'private-key-jwt',
  'github-client-assertion',
  'github-token-exchange',
  'device-login',
] as const;

export type IssuerMethod = (typeof issuerMethods)[number];
export type Method = 'static-token' | IssuerMethod;

export type AuthSettings = {
  /** Beats all other settings. */
  readonly token?: Secret | undefined;
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  /** Absent: the other settings decide. */
  readonly method?: IssuerMethod | undefined;
  readonly clientSecret?: Secret | undefined;
  /** PEM or JWK. */
  readonly privateKey?: Secret | undefined;
  readonly scope?: string | undefined;
  /** RFC 8707 §2. */
  readonly resource?: string | undefined;
  readonly audience?: string | undefined;
  /** The audience of GitHub's ID token; the issuer by default. */
  readonly idTokenAudience?: string | undefined;
  /** RFC 8693 §3; some issuers use names of their own. */
  readonly subjectTokenType?: string | undefined;
};
