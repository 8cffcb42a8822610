import { IssuerError } from './refusal.ts';
import { isObject, type JsonValue } from '../core/json.ts';
import { retryTransient } from './retry.ts';
import type { AuthSeams } from './seams.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * GitHub's ID token by what the runner puts into the environment of a job that has the permission
 * `id-token: write`; undefined anywhere else.
 */
export function githubIdToken(
  environment: Environment,
  seams: AuthSeams,
): ((audience: string) => Promise<string>) | undefined {
  const address = environment['ACTIONS_ID_TOKEN_REQUEST_URL'];
  const bearer = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
  if (!address || !bearer) return undefined;
  seams.redactor.hide(bearer);
  return (audience) => {
    const url = new URL(address);
    url.searchParams.set('audience', audience);
    return retryTransient(() => ask(url, bearer, seams), seams);
  };
}

async function ask(url: URL, bearer: string, { fetch, timeoutMs }: AuthSeams): Promise<string> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', authorization: `Bearer ${bearer}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: JsonValue = response.ok ? JSON.parse(await response.text()) : null;
    const token = isObject(body) ? body['value'] : undefined;
    if (typeof token === 'string') return token;
    throw refusal(`status ${response.status}`, response.status >= 500);
  } catch (error) {
    throw error instanceof IssuerError ? error : refusal('no answer', true, error);
  }
}

function refusal(complaint: string, transient: boolean, cause?: unknown): IssuerError {
  return new IssuerError('issuer-failed', `GitHub gives no ID token (${complaint}).`, {
    hint: 'The job needs the permission `id-token: write`.',
    transient,
    cause,
  });
}
