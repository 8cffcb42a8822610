import { isObject, parseJson } from '../core/json.ts';
import { sendRequest } from '../http/send.ts';
import { retry } from '../http/retry.ts';
import type { AuthEffects } from './effects.ts';
import { IssuerError } from './issuer-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * GitHub's ID token by what the runner puts into the environment of a job that has the permission
 * `id-token: write`; undefined anywhere else.
 */
export function githubIdToken(
  environment: Environment,
  effects: AuthEffects,
): AuthEffects['idToken'] {
  const address = environment['ACTIONS_ID_TOKEN_REQUEST_URL'];
  const bearer = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
  if (!address || !bearer) return undefined;
  effects.redactor.hide(bearer);
  return async (audience) => {
    const url = new URL(address);
    url.searchParams.set('audience', audience);
    const result = await retry(() => ask(url, bearer, effects), effects, effects.log);
    if ('value' in result) return result.value;
    // No more attempts: who asks on behalf of an issuer would try as often again.
    throw new IssuerError('issuer-failed', result.fault.message, {
      hint: 'Give the job the permission `id-token: write`.',
      cause: result.fault.cause,
    });
  };
}

async function ask(url: URL, bearer: string, effects: AuthEffects) {
  const headers = { accept: 'application/json', authorization: `Bearer ${bearer}` };
  const reply = await sendRequest({ method: 'GET', url, headers, redirect: 'manual' }, effects);
  if ('fault' in reply) return refused('no answer', true, reply.fault.cause);
  const { status } = reply.answer;
  const body = parseJson(reply.answer.text);
  const token = status === 200 && isObject(body) ? body['value'] : undefined;
  return typeof token === 'string' ? { value: token } : refused(`status ${status}`, status >= 500);
}

function refused(complaint: string, transient: boolean, cause?: unknown) {
  return {
    fault: { message: `GitHub didn't issue an ID token (${complaint}).`, transient, cause },
  };
}
