import { SyncError } from '../core/errors.ts';
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts';
import { bodyText } from '../http/body.ts';
import { sendRequest } from '../http/send.ts';
import { version } from '../version.ts';
import type { PullRequest, WorkflowRun } from './event.ts';
import type { Runner } from './runner.ts';

/** The part of GitHub's REST API that a step needs. */
export type GitHub = {
  /** The login by which this token writes comments. */
  readonly login: () => Promise<string>;
  /** All comments of a pull request, the oldest first. */
  readonly comments: (pull: number) => Promise<Comment[]>;
  readonly createComment: (pull: number, body: string) => Promise<Comment>;
  readonly updateComment: (comment: number, body: string) => Promise<void>;
  readonly deleteComment: (comment: number) => Promise<void>;
  readonly pull: (number: number) => Promise<PullRequest>;
  /** The pull request whose merge made the commit, if one did. */
  readonly pullMergedAs: (sha: string) => Promise<PullRequest | undefined>;
  /** The paths that a pull request adds, changes, renames or removes. */
  readonly changedFiles: (pull: number) => Promise<string[]>;
};

export type Comment = { readonly id: number; readonly login: string; readonly body: string };

export function createGitHub(access: GitHubAccess): GitHub {
  const { repository, graphqlUrl, apiUrl } = access;
  const base = `${apiUrl}/repos/${repository}`;
  const send = (method: string, url: string, body?: JsonObject) =>
    request(access, { method, url, ...(body && { body }) });
  const all = (url: string) => everyPage(url, (page) => send('GET', page));
  return {
    login: async () => loginOf(await send('POST', graphqlUrl, { query: '{ viewer { login } }' })),
    comments: async (pull) => (await all(`${base}/issues/${pull}/comments`)).map(toComment),
    createComment: async (pull, body) =>
      toComment(objectOf(await send('POST', `${base}/issues/${pull}/comments`, { body }))),
    updateComment: async (id, body) => {
      await send('PATCH', `${base}/issues/comments/${id}`, { body });
    },
    deleteComment: async (id) => {
      await send('DELETE', `${base}/issues/comments/${id}`);
    },
    pull: async (number) => toPull(objectOf(await send('GET', `${base}/pulls/${number}`))),
    pullMergedAs: async (sha) => {
      const pulls = await all(`${base}/commits/${sha}/pulls`);
      const merged = pulls.find((pull) => pull['merge_commit_sha'] === sha && pull['merged_at']);
      return merged && toPull(merged);
    },
    changedFiles: async (pull) =>
      (await all(`${base}/pulls/${pull}/files`))
        .flatMap((file) => [file['filename'], file['previous_filename']])
        .filter((name) => typeof name === 'string'),
  };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function loginOf(answer: JsonValue): string {
  const { login } = objectOf(objectOf(objectOf(answer)['data'])['viewer']);
  if (typeof login === 'string') return login;
  throw new SyncError('github', 'GitHub does not say whose token this is.');
}

function toComment(comment: JsonObject): Comment {
  const { id, body } = comment;
  const { login } = objectOf(comment['user']);
  return {
    id: Number(id),
    login: typeof login === 'string' ? login : '',
    body: typeof body === 'string' ? body : '',
  };
}

function toPull(pull: JsonObject): PullRequest {
  const { sha } = objectOf(pull['head']);
  return { number: Number(pull['number']), headSha: typeof sha === 'string' ? sha : '' };
}

/** An answer of GitHub that is none of success. */
export class GitHubError extends SyncError {
  override readonly name = 'GitHubError';
  readonly status: number;

  constructor(status: number, message: string, hint: string) {
    super('github', message, { hint });
    this.status = status;
  }
}

type GitHubAccess = Pick<WorkflowRun, 'apiUrl' | 'graphqlUrl' | 'repository'> & {
  readonly token: string;
  readonly fetch: Runner['fetch'];
};

/** GitHub gives 30 to a page unless asked, and 100 at most. */
const pageSize = 100;

/** Past this a list is no list of ours. */
const mostPages = 300;

/** The items of all pages of a list. */
async function everyPage(
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

type GitHubRequest = {
  readonly method: string;
  readonly url: string;
  readonly body?: JsonObject;
};

/** Milliseconds. */
const timeoutMs = 30_000;

/** Sends one request; anything but success is thrown. */
async function request(
  { token, fetch }: GitHubAccess,
  { method, url: address, body }: GitHubRequest,
): Promise<JsonValue> {
  const url = new URL(address);
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': `contract-sync/${version}`,
    'x-github-api-version': '2022-11-28',
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = { method, url, headers, ...(body && { body: JSON.stringify(body) }) };
  const reply = await sendRequest(sent, { fetch, timeoutMs });
  if ('fault' in reply) {
    const { cause } = reply.fault;
    throw new SyncError('github', `GitHub cannot be reached at ${url.host}.`, { cause });
  }
  const { status } = reply.answer;
  if (status < 200 || status >= 300) throw refused(status, method, url);
  const text = bodyText(reply.answer);
  const value = text === '' ? null : parseJson(text);
  if (value !== undefined) return value;
  throw new SyncError('github', 'GitHub answered with something that is not JSON.');
}

function refused(status: number, method: string, { pathname }: URL): GitHubError {
  const hint = [401, 403, 404].includes(status)
    ? 'Give the job the permissions `pull-requests: write` and `contents: read`.'
    : 'Run the job again.';
  return new GitHubError(status, `GitHub answered ${method} ${pathname} with ${status}.`, hint);
}
