import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { SyncError } from '../core/errors.ts';

/** An OpenID issuer whose access tokens are accepted. */
export type TrustedIssuer = {
  /** What its discovery document calls `issuer`. */
  readonly url: string;
  /** Whom a token must be for; any, unless given. */
  readonly audience?: string;
};

/** Checks a JWT against the keys of its issuer: its claims, or undefined where it is no good. */
export type VerifyIssued = (token: string) => Promise<JWTPayload | undefined>;

/** The keys are fetched when they are first needed, and again when an unknown one is named. */
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

async function findKeys(issuer: string): Promise<JWTVerifyGetKey> {
  try {
    const address = `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;
    const response = await fetch(address, { signal: AbortSignal.timeout(patience) });
    const { jwks_uri: keys }: { jwks_uri?: unknown } = JSON.parse(await response.text());
    return createRemoteJWKSet(new URL(String(keys)));
  } catch (cause) {
    throw new SyncError('sandbox-issuer', `The keys of the issuer ${issuer} cannot be found.`, {
      hint: 'Check --issuer: its discovery document must be at …/.well-known/openid-configuration.',
      cause,
    });
  }
}
