/** What is read from GitHub, and written there: pull requests, comments and issues. */

import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import {
  at,
  type GitHub,
  GitHubError,
  listAll,
  pageSize,
  query,
  send,
  textOf,
} from './github-request.ts';

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

// Pages of a list.
const mostPages = 300;

/** The comments of a pull request, oldest first, whether it is open, and the token's account. */
export async function listComments(github: GitHub, number: number) {
  const comments: Comment[] = [];
  let isOpen = true;
  let viewer = '';
  let after: JsonValue | undefined = null;
  for (let page = 1; page <= mostPages && after !== undefined; page += 1) {
    const answer = await query(github, commentsQuery, { number, after });
    const found = at(answer, 'repository', 'pullRequest');
    isOpen = found['state'] === 'OPEN';
    viewer = viewerOf(answer);
    comments.push(...nodesOf(at(found, 'comments')).map(toComment));
    after = nextPage(at(found, 'comments'));
  }
  return { isOpen, viewer, comments };
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

export async function readPull(github: GitHub, number: number): Promise<PullRequest> {
  const found = at(await query(github, pullQuery, { number }), 'repository', 'pullRequest');
  return { number, headSha: textOf(found['headRefOid']), baseSha: textOf(found['baseRefOid']) };
}

const pullQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { headRefOid baseRefOid }
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
