import { chooseMethod } from './choose.ts';
import { readClaims } from './claims.ts';
import type { AuthSettings, Method } from './settings.ts';

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
