import {
  createRemoteJWKSet,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose';
import { SyncError } from '../core/errors.ts';

/** The interface names list and update (§5); reading versions and searching need `view`. */
export const permissions = ['list', 'view', 'update'] as const;
export type TokenPermission = (typeof permissions)[number];

/** Who sends a request, and what that one may do. */
export type Principal = {
  readonly subject: string;
  readonly permissions: readonly TokenPermission[];
};

export type TokenRequest = Principal & {
  /** Zero or less makes an expired token; without it a token never expires. */
  readonly expiresInSeconds?: number;
};

export type Tokens = {
  readonly issue: (request: TokenRequest) => Promise<string>;
  /** Undefined where the token is none of ours, or has expired. */
  readonly verify: (token: string) => Promise<Principal | undefined>;
};

type TokenSettings = {
  readonly secret: Uint8Array;
  readonly now: () => number;
  /** Accepted as it is, with every permission. */
  readonly staticToken: string | undefined;
  /** Whose tokens are accepted too, with every permission. */
  readonly verifyIssued: VerifyIssued | undefined;
};

/** Makes and checks the bearer JWTs of one catalog (interface §5.1), signed with its secret. */
export function makeTokens(settings: TokenSettings): Tokens {
  const { secret, now, staticToken, verifyIssued } = settings;
  return {
    issue: (request) => signToken(request, secret, now()),
    verify: async (token) => {
      if (token === staticToken) return { subject: 'static-token', permissions };
      const principal = await verifyToken(token, secret, now());
      if (principal || !verifyIssued) return principal;
      const { sub } = (await verifyIssued(token)) ?? {};
      return sub === undefined ? undefined : { subject: sub, permissions };
    },
  };
}

/** No time of issue is claimed: with a kept secret, a restart issues the same token again. */
function signToken(request: TokenRequest, secret: Uint8Array, now: number): Promise<string> {
  const { subject, permissions, expiresInSeconds } = request;
  const token = new SignJWT({ permissions })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(subject);
  if (expiresInSeconds !== undefined) {
    token.setExpirationTime(Math.floor(now / 1000) + expiresInSeconds);
  }
  return token.sign(secret);
}

async function verifyToken(
  token: string,
  secret: Uint8Array,
  now: number,
): Promise<Principal | undefined> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      currentDate: new Date(now),
    });
    const claimed = payload['permissions'];
    if (payload.sub === undefined || !Array.isArray(claimed)) return undefined;
    return { subject: payload.sub, permissions: permissions.filter((p) => claimed.includes(p)) };
  } catch {
    return undefined;
  }
}

/** An OpenID issuer whose access tokens are accepted. */
export type TrustedIssuer = {
  /** What its discovery document calls `issuer`. */
  readonly url: string;
  /** Whom a token must be for; any, unless given. */
  readonly audience?: string;
};

/** Checks a JWT against the keys of its issuer: its claims, or undefined where it is no good. */
type VerifyIssued = (token: string) => Promise<JWTPayload | undefined>;

/**
 * The keys are fetched when they are first needed, again as soon as an unknown one is named, and
 * every few seconds, so that those which an issuer has withdrawn open nothing any more.
 */
export async function trustIssuer(
  { url, audience }: TrustedIssuer,
  now: () => number,
): Promise<VerifyIssued> {
  const keys = await findKeys(url);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: url,
        currentDate: new Date(now()),
        ...(audience !== undefined && { audience }),
      });
      return payload;
    } catch {
      return undefined;
    }
  };
}

/** Milliseconds in which an issuer tells where its keys are. */
const patience = 10_000;

/** Milliseconds for which an issuer's keys are taken for the current ones. */
const keysAge = 5000;

async function findKeys(issuer: string): Promise<JWTVerifyGetKey> {
  try {
    const address = `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;
    const response = await fetch(address, { signal: AbortSignal.timeout(patience) });
    const { jwks_uri: keys }: { jwks_uri?: unknown } = JSON.parse(await response.text());
    return createRemoteJWKSet(new URL(String(keys)), { cooldownDuration: 0, cacheMaxAge: keysAge });
  } catch (cause) {
    throw new SyncError('sandbox-issuer', `Can't find the keys of the issuer ${issuer}.`, {
      hint: 'Check --issuer: its discovery document must be at …/.well-known/openid-configuration.',
      cause,
    });
  }
}
