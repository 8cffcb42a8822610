import type { DeviceAuthorizationResponse } from 'openid-client';
import { ConfigError } from '../core/diagnostic.ts';
import type { Patience } from '../http/send.ts';
import {
  hideTokens,
  type Issuer,
  IssuerError,
  loginExpired,
  openIssuer,
  unproven,
} from './issuer.ts';
import type { Issued, TokenStore } from './store.ts';
import { type AuthEffects, type Client, instant, type Want } from './token.ts';

export type LoginEffects = AuthEffects & { readonly store: TokenStore };

export async function logIn(
  client: Client,
  effects: LoginEffects,
  show: (begun: DeviceAuthorizationResponse) => void,
  signal?: AbortSignal,
): Promise<Issued> {
  const issuer = openIssuer(client, unproven, effects);
  const begun = await issuer.authorizeDevice();
  effects.redactor.hide(begun.device_code);
  show(begun);
  const issued = await waitForPerson(begun, issuer, effects, signal);
  await effects.store.save(client, issued);
  return issued;
}

/** Forgets the login in any case. Undefined: there was none; `remains`: what the issuer didn't revoke. */
export async function logOut(client: Client, { store, ...effects }: LoginEffects) {
  if (!store.load(client)) return undefined;
  return store.hold(client, async (held) => {
    const login = held.load();
    if (!login) return undefined;
    hideTokens(login, effects);
    const refusal = await revoke(client, effects, login);
    held.save(undefined);
    const { refreshToken, expiresAt } = login;
    const until = expiresAt === undefined ? '' : ` until ${instant(expiresAt)}`;
    const refresh = refreshToken ? ', and the refresh token until the issuer revokes it' : '';
    return { remains: refusal && `${refusal} The access token still works${until}${refresh}.` };
  });
}

// Undefined where the tokens are revoked, else why not.
async function revoke(
  client: Client,
  effects: AuthEffects,
  login: Issued,
): Promise<string | undefined> {
  try {
    // Revoking a refresh token revokes the access tokens made with it (RFC 7009 §2.1).
    const token = login.refreshToken ?? login.accessToken;
    const isRevoked = await openIssuer(client, unproven, effects).revoke(token);
    return isRevoked ? undefined : `The issuer ${client.issuer} can't revoke tokens.`;
  } catch (error) {
    if (error instanceof IssuerError) return error.message;
    throw error;
  }
}

export async function renewLogin(
  client: Client,
  effects: LoginEffects,
  issuer: Issuer,
  { rejected, patience }: Want,
): Promise<Issued> {
  const { store, now } = effects;
  const known = (login: Issued | undefined): Issued => {
    if (!login) throw loginNeeded(client, 'You are not logged in');
    hideTokens(login, effects);
    return login;
  };
  const isGood = (login: Issued, left: number): boolean =>
    login.accessToken !== rejected && (login.expiresAt ?? Infinity) - now() > left;
  const login = known(store.load(client));
  if (isGood(login, spare)) return login;
  // A refresh token may be good for one use: a second by another run would end the login.
  return store.hold(client, async (held) => {
    const latest = known(held.load());
    const isRenewed = latest.accessToken !== login.accessToken;
    // Another run has renewed it meanwhile; the new token may be short-lived.
    if (isRenewed && isGood(latest, 0)) return latest;
    const renewed = await refresh(latest, client, issuer, patience);
    held.save(renewed);
    return renewed;
  });
}

// Milliseconds that a kept token must have left to be used.
const spare = 30_000;

async function refresh(
  { refreshToken }: Issued,
  client: Client,
  issuer: Issuer,
  patience: Patience,
): Promise<Issued> {
  if (refreshToken === undefined) throw loginNeeded(client, 'Your login has expired');
  const parameters = async () => ({ ...client.access, refresh_token: refreshToken });
  try {
    const issued = await issuer.grant({ type: 'refresh_token', parameters }, patience);
    // An issuer that rotates refresh tokens sends a new one; otherwise the old one stays good.
    return { refreshToken, ...issued };
  } catch (error) {
    if (!(error instanceof IssuerError) || error.reason !== 'invalid_grant') throw error;
    throw loginNeeded(client, 'Your login has expired', error.detail);
  }
}

function loginNeeded({ issuer, clientId }: Client, complaint: string, detail?: string) {
  const reason = detail === undefined ? '' : ` (${detail})`;
  const message = `${complaint} at ${issuer} for the client ${clientId}${reason}.`;
  return new ConfigError('login-needed', message, { hint: 'Run: contract-sync login' });
}

// RFC 8628 §3.5: 5 s by default, 5 s more after `slow_down` or a lost answer. openid-client's polling
// would end the login at the first lost answer, and notice an interruption up to 5 s late.
async function waitForPerson(
  { device_code: deviceCode, interval = 5, expires_in: lifetime }: DeviceAuthorizationResponse,
  issuer: Issuer,
  { sleep, now, tell }: AuthEffects,
  signal: AbortSignal | undefined,
): Promise<Issued> {
  const end = now() + lifetime * 1000;
  const type = 'urn:ietf:params:oauth:grant-type:device_code';
  const parameters = async () => ({ device_code: deviceCode });
  let seconds = interval;
  while (now() < end) {
    await sleep(seconds * 1000, signal);
    try {
      return await issuer.grant({ type, parameters }, 'once');
    } catch (error) {
      if (!(error instanceof IssuerError)) throw error;
      if (error.transient) tell(`${error.message} Still waiting …`);
      else if (!['authorization_pending', 'slow_down'].includes(error.reason ?? '')) throw error;
      if (error.reason !== 'authorization_pending') seconds += 5;
    }
  }
  throw new IssuerError(loginExpired.code, `${loginExpired.complaint}.`, loginExpired);
}
