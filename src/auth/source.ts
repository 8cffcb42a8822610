import { type AuthSettings, type Choice, chooseMethod } from './choose.ts';
import { issueBy, type IssuerChoice, proofOf } from './grants.ts';
import { openIssuer } from './issuer.ts';
import { type AuthSeams, completeSeams } from './seams.ts';
import type { IssuedToken } from './store.ts';
import {
  cacheToken,
  checkLifetime,
  parseBearerToken,
  staticToken,
  type TokenSource,
} from './token.ts';

/**
 * Where the tokens of a run come from. Nothing is asked of the network before the first token is;
 * what can be known to be wrong before that is thrown at once.
 */
export function createTokenSource(
  settings: AuthSettings,
  given: Partial<AuthSeams> = {},
): TokenSource {
  const seams = completeSeams(given);
  const choice = chooseMethod(settings, seams.idToken !== undefined);
  seams.log(`Token: ${choice.method}, because ${choice.reason}.`);
  return choice.method === 'static-token'
    ? sourceOfStatic(choice.token, seams)
    : sourceOfIssuer(choice, seams);
}

type StaticChoice = Extract<Choice, { readonly method: 'static-token' }>;

function sourceOfStatic({ value, origin }: StaticChoice['token'], seams: AuthSeams): TokenSource {
  seams.redactor.hide(value);
  const warning = checkLifetime(parseBearerToken(value), origin, seams.now());
  if (warning) seams.warn(warning);
  return staticToken(value);
}

function sourceOfIssuer(choice: IssuerChoice, seams: AuthSeams): TokenSource {
  const issuer = openIssuer(choice.client, proofOf(choice, seams.redactor), seams);
  const issue = issueBy(choice, issuer, seams);
  return cacheToken(async (rejected) => {
    const issued = await issue(rejected);
    parseBearerToken(issued.accessToken);
    seams.log(lifetimeLine(choice, issued, seams.now()));
    return issued;
  }, seams.now);
}

function lifetimeLine(
  { method, client }: IssuerChoice,
  { expiresAt }: IssuedToken,
  now: number,
): string {
  const life =
    expiresAt === undefined ? '' : `, good for ${Math.round((expiresAt - now) / 1000)} s`;
  return `Token: by ${method} from ${client.issuer}${life}.`;
}
