import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { type AuthSettings, chooseMethod, type Method } from './choose.ts';

/** What is known of a token without showing it. */
export type TokenDescription = {
  readonly method: Method;
  readonly reason: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly subject?: string;
  /** Epoch milliseconds, by the clock of the issuer. */
  readonly expiresAt?: number;
};

/** Says which way to a token the settings choose and why, and whose `token` it is, if there is one. */
export function describeToken(
  settings: AuthSettings,
  { token = '', hasIdToken }: { readonly token?: string; readonly hasIdToken: boolean },
): TokenDescription {
  const choice = chooseMethod(settings, hasIdToken);
  const { method, reason } = choice;
  const client = 'client' in choice ? choice.client : undefined;
  return {
    method,
    reason,
    ...(client && { issuer: client.issuer, clientId: client.clientId }),
    ...readClaims(token),
  };
}

/** What a token says about itself; nothing of it is verified. */
type Claims = {
  readonly subject?: string;
  /** Epoch milliseconds. */
  readonly expiresAt?: number;
};

/** The seconds that a Date can hold; a token that claims more claims nothing. */
const lastInstant = 8.64e12;

/** The claims of a JWT (RFC 7519 §4), or none where the token is opaque. */
export function readClaims(token: string): Claims {
  const payload = decodePayload(token);
  const subject = ['preferred_username', 'email', 'sub', 'client_id']
    .map((name) => payload[name])
    .find((value) => typeof value === 'string');
  const { exp } = payload;
  return {
    ...(typeof subject === 'string' && { subject }),
    ...(typeof exp === 'number' && Math.abs(exp) < lastInstant && { expiresAt: exp * 1000 }),
  };
}

function decodePayload(token: string): JsonObject {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return {};
  try {
    const claims: JsonValue = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}
