import type { DeviceAuthorizationResponse } from 'openid-client';
import { ConfigError } from '../core/errors.ts';
import type { Client } from './choose.ts';
import type { AuthEffects } from './effects.ts';
import { IssuerError, loginExpired } from './issuer-error.ts';
import { type Issuer, openIssuer, unproven } from './issuer.ts';
import type { Issued, TokenStore } from './store.ts';

/** What a person does on another device, or in a browser of this one. */
export type DevicePrompt = {
  readonly address: string;
  readonly code: string;
  /** The address with the code in it, where the issuer gives one. */
  readonly completeAddress?: string;
  readonly seconds: number;
};

/** What logging in and out needs of the world: a place where logins are kept, too. */
export type LoginEffects = AuthEffects & { readonly store: TokenStore };

/** Logs a person in (RFC 8628) and keeps the login. */
export async function logIn(
  client: Client,
  effects: LoginEffects,
  show: (prompt: DevicePrompt) => void,
  signal?: AbortSignal,
): Promise<Issued> {
  const issuer = openIssuer(client, unproven, effects);
  const begun = await issuer.authorizeDevice();
  effects.redactor.hide(begun.device_code);
  show(promptOf(begun));
  const issued = await waitForPerson(begun, issuer, effects, signal);
  await effects.store.save(client, issued);
  return issued;
}

/** Forgets a login, here and at the issuer; what became of it. */
export async function logOut(
  client: Client,
  effects: LoginEffects,
): Promise<'none' | 'revoked' | 'forgotten'> {
  const login = effects.store.load(client);
  if (!login) return 'none';
  const { accessToken, refreshToken = accessToken } = login;
  for (const token of [accessToken, refreshToken]) effects.redactor.hide(token);
  await effects.store.remove(client);
  // Whoever revokes a refresh token revokes what was made with it (RFC 7009 §2.1).
  const revoked = await openIssuer(client, unproven, effects).revoke(refreshToken);
  return revoked ? 'revoked' : 'forgotten';
}

/** The login that is kept, made fresh by its refresh token where it is old or was rejected. */
export async function renewLogin(
  client: Client,
  { store, redactor, now }: LoginEffects,
  issuer: Issuer,
  rejected: string | undefined,
): Promise<Issued> {
  const login = store.load(client);
  if (!login) throw loginNeeded(client, 'You are not logged in');
  for (const token of [login.accessToken, login.refreshToken]) {
    if (token !== undefined) redactor.hide(token);
  }
  const isAlive = login.expiresAt === undefined || login.expiresAt - now() > spare;
  if (isAlive && login.accessToken !== rejected) return login;
  return refresh(client, issuer, store, login.refreshToken);
}

/** A kept token that has less than this left is not begun with; in milliseconds. */
const spare = 30_000;

async function refresh(
  client: Client,
  issuer: Issuer,
  store: TokenStore,
  refreshToken: string | undefined,
): Promise<Issued> {
  if (refreshToken === undefined) throw loginNeeded(client, 'Your login has ended');
  try {
    const issued = await issuer.grant({
      type: 'refresh_token',
      parameters: async () => ({ ...client.access, refresh_token: refreshToken }),
    });
    // An issuer that rotates refresh tokens sends a new one; otherwise the old one stays good.
    const login = { refreshToken, ...issued };
    await store.save(client, login);
    return login;
  } catch (error) {
    if (!(error instanceof IssuerError) || error.reason !== 'invalid_grant') throw error;
    // Where refresh tokens rotate, another run of ours may have been first.
    const login = store.load(client);
    if (login && login.refreshToken !== refreshToken) return login;
    throw loginNeeded(client, 'Your login has ended');
  }
}

function loginNeeded({ issuer, clientId }: Client, complaint: string): ConfigError {
  return new ConfigError('login-needed', `${complaint} at ${issuer} for the client ${clientId}.`, {
    hint: 'Run: contract-sync login',
  });
}

function promptOf(begun: DeviceAuthorizationResponse): DevicePrompt {
  const { verification_uri, verification_uri_complete, user_code, expires_in } = begun;
  return {
    address: verification_uri,
    code: user_code,
    seconds: expires_in,
    ...(verification_uri_complete !== undefined && { completeAddress: verification_uri_complete }),
  };
}

/**
 * RFC 8628 §3.5: five seconds unless told otherwise, and five more each time it is too often.
 * openid-client's own polling would end the login at the first answer that is lost, and notice an
 * interruption up to five seconds late.
 */
async function waitForPerson(
  { device_code: deviceCode, interval = 5, expires_in: lifetime }: DeviceAuthorizationResponse,
  issuer: Issuer,
  { sleep, now }: AuthEffects,
  signal: AbortSignal | undefined,
): Promise<Issued> {
  const end = now() + lifetime * 1000;
  for (let seconds = interval; now() < end;) {
    await sleep(seconds * 1000, signal);
    try {
      return await issuer.grant({
        type: 'urn:ietf:params:oauth:grant-type:device_code',
        parameters: async () => ({ device_code: deviceCode }),
      });
    } catch (error) {
      if (!(error instanceof IssuerError) || error.code !== 'login-pending') throw error;
      if (error.reason === 'slow_down') seconds += 5;
    }
  }
  throw new IssuerError(loginExpired.code, `${loginExpired.complaint}.`, loginExpired);
}
