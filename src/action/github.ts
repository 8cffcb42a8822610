/** GitHub's API: REST, and GraphQL for the token's account and the editors of comments. */

import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { MergedPull, PullRequest, WorkflowRun } from './event.ts';
import {
  GitHubError,
  askGitHub,
  at,
  type GitHubAccess,
  type GitHubRequest,
  objectOf,
  textOf,
} from './github-request.ts';

export type GitHub = GitHubAccess & Pick<WorkflowRun, 'apiUrl' | 'graphqlUrl' | 'repository'>;

export type Comment = {
  readonly id: string;
  readonly body: string;
  readonly author: string;
  readonly isEdited: boolean;
};

export type ListedPull = MergedPull & {
  /** ISO 8601. */
  readonly updatedAt: string;
  /** GraphQL ids. */
  readonly comments: readonly string[];
  readonly hasMore: boolean;
};

export type Issue = { readonly number: number; readonly title: string; readonly body: string };

// Items of a page, GitHub's maximum.
const pageSize = 100;
const mostPages = 300;

/** Whether the pull request is open, and its comments, oldest first; those of the token's own account apart. */
export async function listComments(github: GitHub, number: number) {
  const all: Comment[] = [];
  let [isOpen, viewer] = [true, ''];
  let after: JsonValue | undefined = null;
  for (let page = 1; page <= mostPages && after !== undefined; page += 1) {
    const answer = await query(github, commentsQuery, { number, after });
    const pull = at(answer, 'repository', 'pullRequest');
    const list = objectOf(pull['comments']);
    isOpen = pull['state'] === 'OPEN';
    viewer = viewerOf(answer);
    all.push(...nodesOf(list).map(toComment));
    const { hasNextPage, endCursor } = objectOf(list['pageInfo']);
    after = hasNextPage === true ? endCursor : undefined;
  }
  const { own: comments = [], others = [] } = Object.groupBy(all, ({ author }) =>
    author === viewer ? 'own' : 'others',
  );
  return { isOpen, comments, others, viewer };
}

const commentFields = `fullDatabaseId body lastEditedAt author { __typename login } editor { __typename login }`;

const commentsQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      state
      comments(first: ${pageSize}, after: $after) {
        nodes { ${commentFields} }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

export async function createComment(github: GitHub, pull: number, body: string): Promise<string> {
  const { id } = objectOf(await send(github, 'POST', `/issues/${pull}/comments`, { body }));
  return textOf(id);
}

export async function updateComment(github: GitHub, id: string, body: string): Promise<void> {
  await send(github, 'PATCH', `/issues/comments/${id}`, { body });
}

export async function deleteComment(github: GitHub, id: string): Promise<void> {
  await send(github, 'DELETE', `/issues/comments/${id}`);
}

export async function readPull(github: GitHub, number: number): Promise<PullRequest> {
  const { head, base } = objectOf(await send(github, 'GET', `/pulls/${number}`));
  return { number, headSha: textOf(objectOf(head)['sha']), baseSha: textOf(objectOf(base)['sha']) };
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
  const { hasNextPage, endCursor } = objectOf(list['pageInfo']);
  return {
    pulls: nodesOf(list).map((pull) => toListedPull(pull, viewerOf(answer))),
    next: hasNextPage === true ? textOf(endCursor) : undefined,
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
  const list = objectOf(pull['comments']);
  const own = nodesOf(list).filter(isBy(viewer));
  const { number, headRefOid, baseRefOid, mergedAt, mergeCommit } = pull;
  const { oid } = objectOf(mergeCommit);
  return {
    number: Number(number),
    headSha: textOf(headRefOid),
    baseSha: textOf(baseRefOid),
    ...(typeof oid === 'string' && { mergeSha: oid }),
    ...(typeof mergedAt === 'string' && { mergedAt }),
    updatedAt: textOf(pull['updatedAt']),
    comments: own.map(({ id }) => textOf(id)),
    hasMore: objectOf(list['pageInfo'])['hasNextPage'] === true,
  };
}

export async function readComments(github: GitHub, pulls: readonly ListedPull[]) {
  const ids = pulls.flatMap(({ comments }) => comments);
  const chunks = Array.from({ length: Math.ceil(ids.length / mostNodes) }, (_, index) =>
    ids.slice(index * mostNodes, (index + 1) * mostNodes),
  );
  const answers = await Promise.all(
    chunks.map(async (chunk) => query(github, nodesQuery, { ids: chunk })),
  );
  const nodes = answers.flatMap(nodesOf);
  const found = new Map(nodes.map((node) => [textOf(node['id']), toComment(node)]));
  return pulls.map(({ comments }) =>
    comments.map((id) => found.get(id)).filter((comment) => comment !== undefined),
  );
}

// Comments are long: with more of them, GitHub's answer takes too long.
const mostNodes = 40;

const nodesQuery = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { ... on IssueComment { id ${commentFields} } }
}`;

export async function readDefaultBranch(github: GitHub): Promise<string | undefined> {
  return textOf(objectOf(await send(github, 'GET', ''))['default_branch']) || undefined;
}

export async function listChangedFiles(github: GitHub, pull: number): Promise<string[]> {
  return (await listAll(github, `/repos/${github.repository}/pulls/${pull}/files?`))
    .flatMap((file) => [file['filename'], file['previous_filename']])
    .filter((name) => typeof name === 'string');
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
    const answer = await askGitHub(github, { method: 'GET', url });
    if (!isArray(answer) || answer.length === 0) break;
    items.push(...answer.filter(isObject));
    if (answer.length < pageSize) break;
  }
  return items;
}

/** `path` is below the repository's: `/issues/12`. */
export async function send(
  github: GitHub,
  method: GitHubRequest['method'],
  path: string,
  body?: JsonObject,
): Promise<JsonValue> {
  const url = new URL(`${github.apiUrl}/repos/${github.repository}${path}`);
  return askGitHub(github, { method, url, body });
}

async function query(github: GitHub, text: string, more: JsonObject): Promise<JsonObject> {
  const [owner = '', name = ''] = github.repository.split('/');
  const variables = text.includes('$owner') ? { owner, name, ...more } : more;
  const url = new URL(github.graphqlUrl);
  const body = { query: text, variables };
  return at(await askGitHub(github, { method: 'POST', url, body }), 'data');
}

function nodesOf({ nodes }: JsonObject): JsonObject[] {
  return isArray(nodes) ? nodes.filter(isObject) : [];
}

function viewerOf(data: JsonObject): string {
  const { login } = at(data, 'viewer');
  if (typeof login === 'string') return login;
  throw new GitHubError("GitHub doesn't say who owns this token.");
}

// An app's account is `name[bot]` as the viewer, and `name` of the type Bot as an author.
function isBy(viewer: string): (comment: JsonObject) => boolean {
  return ({ author }) => accountOf(author) === viewer;
}

function accountOf(actor: JsonValue | undefined): string {
  const { login, __typename: type } = objectOf(actor);
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
