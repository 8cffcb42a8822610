import { SyncError } from '../core/errors.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { version } from '../version.ts';
import type { WorkflowRun } from './event.ts';
import type { Runner } from './runner.ts';

/** An answer of GitHub that is none of success. */
export class GitHubError extends SyncError {
  override readonly name = 'GitHubError';
  readonly status: number;

  constructor(status: number, message: string, hint: string) {
    super('github', message, { hint });
    this.status = status;
  }
}

export type GitHubAccess = Pick<WorkflowRun, 'apiUrl' | 'graphqlUrl' | 'repository'> & {
  readonly token: string;
  readonly fetch: Runner['fetch'];
};

/** GitHub gives 30 to a page unless asked, and 100 at most. */
const pageSize = 100;

/** Past this a list is no list of ours. */
const mostPages = 300;

/** The items of all pages of a list. */
export async function everyPage(
  url: string,
  fetchPage: (url: string) => Promise<JsonValue>,
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await fetchPage(`${url}?per_page=${pageSize}&page=${page}`);
    if (!isArray(answer) || answer.length === 0) break;
    items.push(...answer.filter(isObject));
    if (answer.length < pageSize) break;
  }
  return items;
}

export type GitHubRequest = {
  readonly method: string;
  readonly url: string;
  readonly body?: JsonObject;
};

/** Sends one request; anything but success is thrown. */
export async function request(access: GitHubAccess, sent: GitHubRequest): Promise<JsonValue> {
  const { status, ok, text } = await send(access, sent);
  if (!ok) throw refusal(status, sent);
  return text === '' ? null : parse(text);
}

async function send({ token, fetch }: GitHubAccess, { method, url, body }: GitHubRequest) {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': `contract-sync/${version}`,
        'x-github-api-version': '2022-11-28',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, ok: response.ok, text: await response.text() };
  } catch (cause) {
    throw new SyncError('github', `GitHub cannot be reached at ${new URL(url).host}.`, { cause });
  }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyncError('github', 'GitHub answered with something that is not JSON.', { cause });
  }
}

function refusal(status: number, { method, url }: GitHubRequest): GitHubError {
  const hint = [401, 403, 404].includes(status)
    ? 'Give the job the permissions `pull-requests: write` and `contents: read`.'
    : 'Run the job again.';
  const { pathname } = new URL(url);
  return new GitHubError(status, `GitHub answered ${method} ${pathname} with ${status}.`, hint);
}
