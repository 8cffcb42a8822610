import {
  type AuthSettings,
  chooseMethod,
  type IssuerChoice,
  type Method,
  type Secret,
} from './choose.ts';
import { type AuthEffects, completeEffects } from './effects.ts';
import { wayOf } from './grants.ts';
import { openIssuer } from './issuer.ts';
import type { IssuedToken } from './store.ts';
import {
  cacheToken,
  checkLifetime,
  type Claims,
  parseBearerToken,
  parseClaims,
  staticToken,
  type TokenSource,
  type Want,
} from './token.ts';

/**
 * Where the tokens of a run come from. Nothing is asked of the network before the first token is;
 * what can be known to be wrong before that is thrown at once.
 */
export function createTokenSource(
  settings: AuthSettings,
  given: Partial<AuthEffects> = {},
): TokenSource {
  const effects = completeEffects(given);
  const choice = chooseMethod(settings, effects.idToken !== undefined);
  effects.log(`Token: ${choice.method}, because ${choice.reason}.`);
  return choice.method === 'static-token'
    ? sourceOfStatic(choice.token, effects)
    : sourceOfIssuer(choice, settings, effects);
}

function sourceOfStatic({ value, origin }: Secret, effects: AuthEffects): TokenSource {
  effects.redactor.hide(value);
  const warning = checkLifetime(parseBearerToken(value), origin, effects.now());
  if (warning) effects.warn(warning);
  return staticToken(value);
}

function sourceOfIssuer(
  choice: IssuerChoice,
  settings: AuthSettings,
  effects: AuthEffects,
): TokenSource {
  const { method, client } = choice;
  const { proof, issue } = wayOf(choice, settings, effects);
  const issuer = openIssuer(client, proof, effects);
  const issueToken = async (want: Want): Promise<IssuedToken> => {
    const issued = await issue(issuer, want);
    parseBearerToken(issued.accessToken);
    const life = lifetimeOf(issued, effects.now());
    effects.log(`Token: issued by ${client.issuer} (${method})${life}.`);
    return issued;
  };
  return cacheToken(issueToken, effects.now, effects.tell);
}

function lifetimeOf({ expiresAt }: IssuedToken, now: number): string {
  return expiresAt === undefined ? '' : `, valid for ${Math.round((expiresAt - now) / 1000)} s`;
}

/** What is known of a token without showing it. */
export type TokenDescription = Claims & {
  readonly method: Method;
  readonly reason: string;
  readonly issuer?: string;
  readonly clientId?: string;
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
    ...parseClaims(token),
  };
}
