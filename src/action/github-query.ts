/** What is asked of GitHub by GraphQL: REST tells neither whose token this is nor who edited a comment. */

import { SyncError } from '../core/errors.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { MergedPull } from './event.ts';

export type Comment = {
  readonly id: string;
  readonly body: string;
  /** Somebody else changed it last. */
  readonly isEdited: boolean;
};

export type PullState = 'MERGED' | 'OPEN';

/** A pull request and where the comments of our own account in it are. */
export type ListedPull = MergedPull & {
  /** Ids of GraphQL. */
  readonly comments: readonly string[];
  /** Whether it has comments beyond those. */
  readonly hasMore: boolean;
};

export type Queries = {
  /** `owner/name`. */
  readonly repository: string;
  readonly ask: (query: string, variables: JsonObject) => Promise<JsonValue>;
};

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** A number in REST, in GraphQL a string. */
export function nodeIdOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

/** The account of this token. */
export async function readViewer({ ask }: Queries): Promise<string> {
  return viewerOf(await ask('query { viewer { login } }', {}));
}

const pageSize = 100;
/** Past this a list is no list of ours. */
const mostPages = 300;

const commentFields = `fullDatabaseId body author { __typename login } editor { __typename login }`;

const commentsQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: ${pageSize}, after: $after) {
        nodes { ${commentFields} }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

/** The comments of our own account in a pull request, the oldest first. */
export async function listComments(number: number, queries: Queries): Promise<Comment[]> {
  const comments: Comment[] = [];
  let after: JsonValue = null;
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await queries.ask(commentsQuery, { ...names(queries), number, after });
    const viewer = viewerOf(answer);
    const list = at(answer, 'data', 'repository', 'pullRequest', 'comments');
    comments.push(...nodesOf(list).filter(isBy(viewer)).map(toComment));
    const { hasNextPage, endCursor = null } = objectOf(list['pageInfo']);
    if (hasNextPage !== true) break;
    after = endCursor;
  }
  return comments;
}

/** Ours is among the first comments of a pull request, but where people were quick. */
const firstComments = 30;

/** By the last update, since GitHub can't order by merge; a merge is one. */
const pullsQuery = `query ($owner: String!, $name: String!, $branch: String!, $states: [PullRequestState!]) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequests(first: ${pageSize}, baseRefName: $branch, states: $states, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes {
        number headRefOid baseRefOid mergedAt mergeCommit { oid }
        comments(first: ${firstComments}) {
          nodes { id author { __typename login } }
          pageInfo { hasNextPage }
        }
      }
    }
  }
}`;

/** The pull requests of a branch that were updated last. */
export async function listPulls(
  branch: string,
  state: PullState,
  queries: Queries,
): Promise<ListedPull[]> {
  const variables = { ...names(queries), branch, states: [state] };
  const answer = await queries.ask(pullsQuery, variables);
  const viewer = viewerOf(answer);
  return nodesOf(at(answer, 'data', 'repository', 'pullRequests')).map((pull) => {
    const list = objectOf(pull['comments']);
    return {
      ...toMergedPull(pull),
      comments: nodesOf(list)
        .filter(isBy(viewer))
        .map(({ id }) => nodeIdOf(id)),
      hasMore: objectOf(list['pageInfo'])['hasNextPage'] === true,
    };
  });
}

function toMergedPull(pull: JsonObject): MergedPull {
  const [headSha, baseSha, mergedAt] = ['headRefOid', 'baseRefOid', 'mergedAt'].map(
    (name) => pull[name],
  );
  const mergeSha = objectOf(pull['mergeCommit'])['oid'];
  return {
    number: Number(pull['number']),
    headSha: nodeIdOf(headSha),
    baseSha: nodeIdOf(baseSha),
    ...(typeof mergeSha === 'string' && { mergeSha }),
    ...(typeof mergedAt === 'string' && { mergedAt }),
  };
}

const nodesQuery = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { ... on IssueComment { id ${commentFields} } }
}`;

/** Comments are long: with more of them an answer takes GitHub too much time. */
const mostNodes = 40;

/** The comments of our own account in pull requests that were listed. */
export async function readComments(
  pulls: readonly ListedPull[],
  queries: Queries,
): Promise<Comment[][]> {
  const ids = pulls.flatMap(({ comments }) => comments);
  const chunks = Array.from({ length: Math.ceil(ids.length / mostNodes) }, (_, index) =>
    ids.slice(index * mostNodes, (index + 1) * mostNodes),
  );
  const answers = await Promise.all(
    chunks.map(async (chunk) => queries.ask(nodesQuery, { ids: chunk })),
  );
  const nodes = answers.flatMap((answer) => nodesOf(at(answer, 'data')));
  const found = new Map(nodes.map((node) => [nodeIdOf(node['id']), toComment(node)]));
  return pulls.map(({ comments }) =>
    comments.map((id) => found.get(id)).filter((comment) => comment !== undefined),
  );
}

function names({ repository }: Queries): { readonly owner: string; readonly name: string } {
  const [owner = '', name = ''] = repository.split('/');
  return { owner, name };
}

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  return path.reduce((object, name) => objectOf(object[name]), objectOf(value));
}

function nodesOf({ nodes }: JsonObject): JsonObject[] {
  return isArray(nodes) ? nodes.filter(isObject) : [];
}

function viewerOf(answer: JsonValue): string {
  const { login } = at(answer, 'data', 'viewer');
  if (typeof login === 'string') return login;
  throw new SyncError('github', "GitHub doesn't say who owns this token.");
}

/** An app's account is `name[bot]` as the viewer, and `name` of the type Bot as an author. */
function isBy(viewer: string): (comment: JsonObject) => boolean {
  const [, app] = /^(.*)\[bot\]$/u.exec(viewer) ?? [];
  return ({ author }) => {
    const { login, __typename: type } = objectOf(author);
    return app === undefined ? login === viewer : login === app && type === 'Bot';
  };
}

function toComment({ fullDatabaseId, body, author, editor }: JsonObject): Comment {
  return {
    id: nodeIdOf(fullDatabaseId),
    body: typeof body === 'string' ? body : '',
    isEdited: isObject(editor) && objectOf(author)['login'] !== editor['login'],
  };
}
