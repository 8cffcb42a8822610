/** GitHub's API: REST, and GraphQL for the token's account and the editors of comments. */

import { type Effects, offlineEffects } from '../core/effects.ts';
import { SyncError } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts';
import {
  type Answer,
  oneLine,
  parseRetryAfter,
  retry,
  sendRequest,
  serverReason,
} from '../http/send.ts';
import { version } from '../version.ts';

export type GitHub = Pick<Effects, 'fetch' | 'sleep'> & {
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly token: string;
  readonly log: (line: string) => void;
  /** Those that the job needs for this, where they are not those of a comment. */
  readonly permissions?: string;
};

export type Comment = {
  readonly id: string;
  readonly body: string;
  readonly author: string;
  readonly isEdited: boolean;
};

export type PullRequest = {
  readonly number: number;
  readonly headSha: string;
  readonly baseSha: string;
};

export type MergedPull = PullRequest & {
  readonly mergeSha?: string;
  /** ISO 8601. */
  readonly mergedAt?: string;
};

export type ListedPull = MergedPull & {
  /** ISO 8601. */
  readonly updatedAt: string;
  /** GraphQL ids. */
  readonly comments: readonly string[];
  readonly hasMore: boolean;
};

export type Issue = { readonly number: number; readonly title: string; readonly body: string };

export class GitHubError extends SyncError {
  override readonly name = 'GitHubError';

  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super('github', message, options);
  }
}

// Items of a page, GitHub's maximum.
const pageSize = 100;
const mostPages = 300;

/** A pull request, whether it is open, its comments, oldest first, and the token's account. */
export async function listComments(github: GitHub, number: number) {
  const comments: Comment[] = [];
  let isOpen = true;
  let viewer = '';
  let pull: PullRequest = { number, headSha: '', baseSha: '' };
  let after: JsonValue | undefined = null;
  for (let page = 1; page <= mostPages && after !== undefined; page += 1) {
    const answer = await query(github, commentsQuery, { number, after });
    const found = at(answer, 'repository', 'pullRequest');
    isOpen = found['state'] === 'OPEN';
    viewer = viewerOf(answer);
    pull = { number, headSha: textOf(found['headRefOid']), baseSha: textOf(found['baseRefOid']) };
    comments.push(...nodesOf(at(found, 'comments')).map(toComment));
    after = nextPage(at(found, 'comments'));
  }
  return { pull, isOpen, viewer, comments };
}

const commentFields = `fullDatabaseId body lastEditedAt author { __typename login } editor { __typename login }`;

const commentsQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      state headRefOid baseRefOid
      comments(first: ${pageSize}, after: $after) {
        nodes { ${commentFields} }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

export async function createComment(github: GitHub, pull: number, body: string): Promise<string> {
  return textOf(at(await send(github, 'POST', `/issues/${pull}/comments`, { body }))['id']);
}

export async function updateComment(github: GitHub, id: string, body: string): Promise<void> {
  await send(github, 'PATCH', `/issues/comments/${id}`, { body });
}

export async function deleteComment(github: GitHub, id: string): Promise<void> {
  await send(github, 'DELETE', `/issues/comments/${id}`);
}

/** Last updated first; `next` is the cursor of the next page. */
export async function listPulls(
  github: GitHub,
  branch: string,
  state: 'MERGED' | 'OPEN',
  after: string | null = null,
): Promise<{ readonly pulls: ListedPull[]; readonly next: string | undefined }> {
  const answer = await query(github, pullsQuery, { branch, states: [state], after });
  const list = at(answer, 'repository', 'pullRequests');
  const next = nextPage(list);
  return {
    pulls: nodesOf(list).map((pull) => toListedPull(pull, viewerOf(answer))),
    next: next === undefined ? undefined : textOf(next),
  };
}

// The Action's comment is nearly always among the first ones.
const firstComments = 30;

const pullFields = `
  number headRefOid baseRefOid baseRefName updatedAt mergedAt mergeCommit { oid }
  comments(first: ${firstComments}) {
    nodes { id author { __typename login } }
    pageInfo { hasNextPage }
  }`;

// By update, since GitHub can't order by merge, and a merge is an update.
const pullsQuery = `query ($owner: String!, $name: String!, $branch: String!, $states: [PullRequestState!], $after: String) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequests(first: ${pageSize}, after: $after, baseRefName: $branch, states: $states, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes { ${pullFields} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

export async function listPullsOf(github: GitHub, commits: readonly string[], branch: string) {
  const objects = commits.map(
    (commit, index) => `c${index}: object(oid: ${JSON.stringify(commit)}) {
      ... on Commit { associatedPullRequests(first: 10) { nodes { ${pullFields} } } }
    }`,
  );
  const text = `query ($owner: String!, $name: String!) {
  viewer { login }
  repository(owner: $owner, name: $name) { ${objects.join('\n')} }
}`;
  const answer = await query(github, text, {});
  return commits.map((_, index) =>
    nodesOf(at(answer, 'repository', `c${index}`, 'associatedPullRequests'))
      .filter(({ baseRefName }) => baseRefName === branch)
      .map((pull) => toListedPull(pull, viewerOf(answer))),
  );
}

function toListedPull(pull: JsonObject, viewer: string): ListedPull {
  const list = at(pull, 'comments');
  const own = nodesOf(list).filter(({ author }) => accountOf(author) === viewer);
  const { mergedAt } = pull;
  const { oid } = at(pull, 'mergeCommit');
  return {
    number: Number(pull['number']),
    headSha: textOf(pull['headRefOid']),
    baseSha: textOf(pull['baseRefOid']),
    ...(typeof oid === 'string' && { mergeSha: oid }),
    ...(typeof mergedAt === 'string' && { mergedAt }),
    updatedAt: textOf(pull['updatedAt']),
    comments: own.map(({ id }) => textOf(id)),
    hasMore: at(list, 'pageInfo')['hasNextPage'] === true,
  };
}

// Comments are long: with more of them, GitHub's answer takes too long.
const mostNodes = 40;

const nodesQuery = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { ... on IssueComment { id ${commentFields} } }
}`;

/** For each pull request the listed comments of the token's own account. */
export async function readComments(github: GitHub, pulls: readonly ListedPull[]) {
  const ids = pulls.flatMap(({ comments }) => comments);
  const found = new Map<string, Comment>();
  for (let start = 0; start < ids.length; start += mostNodes) {
    const answer = await query(github, nodesQuery, { ids: ids.slice(start, start + mostNodes) });
    for (const node of nodesOf(answer)) found.set(textOf(node['id']), toComment(node));
  }
  return pulls.map(({ comments }) => comments.flatMap((id) => found.get(id) ?? []));
}

export async function readDefaultBranch(github: GitHub): Promise<string | undefined> {
  return textOf(at(await send(github, 'GET', ''))['default_branch']) || undefined;
}

/** Ids of those whose latest verdict approves the head of the pull request. */
export async function listApprovers(github: GitHub, { number, headSha }: PullRequest) {
  const path = `/repos/${github.repository}/pulls/${number}/reviews?`;
  // Oldest first. A comment takes back no approval; the account of a deleted user is null.
  const verdicts = (await listAll(github, path)).filter(({ state }) => state !== 'COMMENTED');
  const latest = new Map(verdicts.map((review) => [at(review, 'user')['id'], review]));
  return [...latest]
    .filter(([, review]) => review['state'] === 'APPROVED' && review['commit_id'] === headSha)
    .flatMap(([user]) => (typeof user === 'number' ? [user] : []));
}

/** Ids of the members of a team, and of the teams below it, in the organization of the repository. */
export async function listMembers(github: GitHub, team: string): Promise<ReadonlySet<unknown>> {
  const [organization = ''] = github.repository.split('/');
  const members = await listAll(github, `/orgs/${organization}/teams/${team}/members?`);
  return new Set(members.map(({ id }) => id));
}

export async function listIssues(github: GitHub): Promise<Issue[]> {
  const creator = viewerOf(await query(github, 'query { viewer { login } }', {}));
  const own = new URLSearchParams({ state: 'open', creator });
  const found = await listAll(github, `/repos/${github.repository}/issues?${own.toString()}&`);
  // REST lists pull requests as issues too.
  return found
    .filter((issue) => !issue['pull_request'])
    .map(({ number, title, body }) => ({
      number: Number(number),
      title: textOf(title),
      body: textOf(body),
    }));
}

// `path` must end where more query parameters can follow.
async function listAll(github: GitHub, path: string): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const url = new URL(`${github.apiUrl}${path}per_page=${pageSize}&page=${page}`);
    const answer = await ask(github, 'GET', url);
    if (!isArray(answer)) break;
    items.push(...answer.filter(isObject));
    if (answer.length < pageSize) break;
  }
  return items;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** `path` is below the repository's: `/issues/12`. */
export async function send(github: GitHub, method: Method, path: string, body?: JsonObject) {
  const url = new URL(`${github.apiUrl}/repos/${github.repository}${path}`);
  return ask(github, method, url, body);
}

async function query(github: GitHub, text: string, more: JsonObject): Promise<JsonObject> {
  const [owner = '', name = ''] = github.repository.split('/');
  const variables = text.includes('$owner') ? { owner, name, ...more } : more;
  const answer = await ask(github, 'POST', new URL(github.graphqlUrl), { query: text, variables });
  return at(answer, 'data');
}

function nodesOf({ nodes }: JsonObject): JsonObject[] {
  return isArray(nodes) ? nodes.filter(isObject) : [];
}

function nextPage(list: JsonObject): JsonValue | undefined {
  const { hasNextPage, endCursor } = at(list, 'pageInfo');
  return hasNextPage === true ? endCursor : undefined;
}

function viewerOf(data: JsonObject): string {
  const { login } = at(data, 'viewer');
  if (typeof login === 'string') return login;
  throw new GitHubError("GitHub doesn't say who owns this token.");
}

// An app's account is `name[bot]` as the viewer, and `name` of the type Bot as an author.
function accountOf(actor: JsonValue | undefined): string {
  const { login, __typename: type } = at(actor);
  return `${textOf(login)}${type === 'Bot' ? '[bot]' : ''}`;
}

function toComment({ fullDatabaseId, body, author, editor, lastEditedAt }: JsonObject): Comment {
  return {
    id: textOf(fullDatabaseId),
    body: textOf(body),
    author: accountOf(author),
    // The editor is null also where the account is gone.
    isEdited: typeof lastEditedAt === 'string' && accountOf(editor) !== accountOf(author),
  };
}

type Fault = {
  readonly message: string;
  readonly hint: string;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

async function ask(
  github: GitHub,
  method: Method,
  url: URL,
  body?: JsonObject,
): Promise<JsonValue> {
  const effects = { ...offlineEffects, sleep: github.sleep };
  const result = await retry(
    () => attempt(github, method, url, body),
    effects,
    github.log,
    'limits',
  );
  if ('value' in result) return result.value;
  const { message, hint, cause } = result.fault;
  throw new GitHubError(message, { hint, cause });
}

const timeoutMs = 30_000;

async function attempt(
  { token, fetch, permissions }: GitHub,
  method: Method,
  url: URL,
  body?: JsonObject,
): Promise<{ readonly value: JsonValue } | { readonly fault: Fault }> {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': `contract-sync/${version}`,
    'x-github-api-version': '2022-11-28',
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = { method, url, headers, body: body ? JSON.stringify(body) : null };
  const reply = await sendRequest(sent, { fetch, timeoutMs });
  if ('fault' in reply) {
    const message = `Can't reach GitHub at ${url.host} (${reply.fault.message}).`;
    return { fault: transientFault(message, { cause: reply.fault.cause }) };
  }
  const { status, text } = reply.answer;
  // Another run was faster, or the answer to an earlier attempt was lost.
  if (method === 'DELETE' && status === 404) return { value: null };
  if (status < 200 || status >= 300)
    return { fault: faultOfStatus(reply.answer, `${method} ${url.pathname}`, permissions) };
  const value = text === '' ? null : parseJson(text);
  if (value === undefined) return { fault: transientFault("GitHub's answer isn't JSON.") };
  const errors = isObject(value) ? value['errors'] : undefined;
  return isArray(errors) ? { fault: faultOfQuery(errors, reply.answer) } : { value };
}

function transientFault(message: string, more: Partial<Fault> = {}): Fault {
  return { message, hint: 'Run the job again.', transient: true, ...more };
}

function permit(permissions = 'permissions `pull-requests: write` and `contents: read`'): string {
  return `Give the job the ${permissions}.`;
}

// https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
function faultOfStatus(answer: Answer, request: string, permissions?: string): Fault {
  const { status, text } = answer;
  const { errors } = at(parseJson(text));
  const details = isArray(errors) ? errors.map(detailOf).join(', ') : '';
  const reason = `${serverReason(text) ?? ''}${details === '' ? '' : ` (${oneLine(details)})`}`;
  const words = reason === '' ? '' : `: ${reason.replace(/\.$/u, '')}`;
  const message = `GitHub answered ${request} with ${status}${words}.`;
  if (status >= 500 || isTooMany(answer, reason))
    return transientFault(message, { retryAfterMs: pauseOf(answer, reason) });
  return { message, hint: hintOf(status, reason, permissions) };
}

function detailOf(error: JsonValue): string {
  const { message, code, field } = at(error);
  return textOf(error) || textOf(message) || `${textOf(code)} ${textOf(field)}`;
}

function hintOf(status: number, reason: string, permissions: string | undefined): string {
  if (status === 401)
    return 'The token of the input `github-token` is wrong or has expired: remove the input to use the job’s own token.';
  if (/\blocked\b/iu.test(reason))
    return 'Unlock the conversation of the pull request, then run the job again.';
  if (status === 410)
    return 'Turn on issues in the settings of the repository, or remove the input `drift-issue`.';
  return [403, 404].includes(status) ? permit(permissions) : 'Run the job again.';
}

// GitHub reports limits by 403 as well, secondary ones only in the message.
function isTooMany({ status, headers }: Answer, reason: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isSpent = headers.get('x-ratelimit-remaining') === '0';
  return isSpent || headers.has('retry-after') || isLimit(reason);
}

function isLimit(reason: string): boolean {
  return /rate limit/iu.test(reason);
}

// Milliseconds, after a secondary limit that names no pause.
const secondaryPause = 60_000;

function pauseOf({ headers }: Answer, reason: string): number | undefined {
  const asked = parseRetryAfter(headers.get('retry-after'), Date.now());
  if (asked !== undefined) return asked;
  if (headers.get('x-ratelimit-remaining') !== '0')
    return isLimit(reason) ? secondaryPause : undefined;
  // Seconds since 1970.
  const reset = Number(headers.get('x-ratelimit-reset'));
  return Math.max(0, reset * 1000 - Date.now());
}

// GraphQL answers with 200 even for errors.
function faultOfQuery(errors: readonly JsonValue[], answer: Answer): Fault {
  const { message: detail, type } = errors.find(isObject) ?? {};
  const reason = typeof detail === 'string' ? detail : 'no reason given';
  const message = `GitHub can't answer a query: ${reason}`;
  if (typeof type === 'string' && finalTypes.has(type)) return { message, hint: permit() };
  return transientFault(message, {
    retryAfterMs: isLimit(reason) ? pauseOf(answer, reason) : undefined,
  });
}

const finalTypes: ReadonlySet<string> = new Set(['FORBIDDEN', 'INSUFFICIENT_SCOPES', 'NOT_FOUND']);

// An id is a number in REST and a string in GraphQL.
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

/** The object at these members; empty where there is none. */
export function at(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const found = path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
  return isObject(found) ? found : {};
}
