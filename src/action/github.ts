import { SyncError } from '../core/errors.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { PullRequest, WorkflowRun } from './event.ts';
import { askGitHub, type GitHubAccess, type GitHubRequest } from './github-request.ts';

/** The part of GitHub's interfaces that a step needs. */
export type GitHub = {
  /** Those of a pull request that the account of this token wrote, the oldest first. */
  readonly comments: (pull: number) => Promise<Comment[]>;
  readonly createComment: (pull: number, body: string) => Promise<Pick<Comment, 'id'>>;
  readonly updateComment: (comment: string, body: string) => Promise<void>;
  readonly deleteComment: (comment: string) => Promise<void>;
  readonly pull: (number: number) => Promise<PullRequest>;
  /** The pull request whose merge made the commit, if one did. */
  readonly pullMergedAs: (sha: string) => Promise<PullRequest | undefined>;
  /** The paths that a pull request adds, changes, renames or removes. */
  readonly changedFiles: (pull: number) => Promise<string[]>;
};

export type Comment = {
  readonly id: string;
  readonly body: string;
  /** Somebody else changed it last. */
  readonly isEdited: boolean;
};

type Connection = GitHubAccess & Pick<WorkflowRun, 'apiUrl' | 'graphqlUrl' | 'repository'>;

export function createGitHub(connection: Connection): GitHub {
  const { repository, graphqlUrl, apiUrl } = connection;
  const base = `${apiUrl}/repos/${repository}`;
  const send = async (method: GitHubRequest['method'], address: string, body?: JsonObject) =>
    askGitHub(connection, { method, url: new URL(address), ...(body && { body }) });
  const all = async (url: string) => everyPage(url, async (page) => send('GET', page));
  return {
    comments: async (number) =>
      everyComment(repository, number, async (query, variables) =>
        send('POST', graphqlUrl, { query, variables }),
      ),
    createComment: async (pull, body) => {
      const { id } = objectOf(await send('POST', `${base}/issues/${pull}/comments`, { body }));
      return { id: idOf(id) };
    },
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

/** A number in REST, in GraphQL a string. */
function idOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

function at(value: JsonValue | undefined, ...names: readonly string[]): JsonObject {
  return names.reduce((object, name) => objectOf(object[name]), objectOf(value));
}

function toPull(pull: JsonObject): PullRequest {
  const [headSha = '', baseSha = ''] = [pull['head'], pull['base']].map((side) => {
    const { sha } = objectOf(side);
    return typeof sha === 'string' ? sha : '';
  });
  return { number: Number(pull['number']), headSha, baseSha };
}

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

/** By GraphQL: REST tells neither whose token this is nor who edited a comment. */
const commentsQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: ${pageSize}, after: $after) {
        nodes { fullDatabaseId body author { __typename login } editor { __typename login } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

async function everyComment(
  repository: string,
  number: number,
  ask: (query: string, variables: JsonObject) => Promise<JsonValue>,
): Promise<Comment[]> {
  const [owner = '', name = ''] = repository.split('/');
  const comments: Comment[] = [];
  let after: JsonValue = null;
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask(commentsQuery, { owner, name, number, after });
    const { login } = at(answer, 'data', 'viewer');
    if (typeof login !== 'string') {
      throw new SyncError('github', 'GitHub does not say whose token this is.');
    }
    const list = at(answer, 'data', 'repository', 'pullRequest', 'comments');
    const nodes = isArray(list['nodes']) ? list['nodes'].filter(isObject) : [];
    comments.push(...nodes.filter(({ author }) => isActor(author, login)).map(toComment));
    const { hasNextPage, endCursor = null } = objectOf(list['pageInfo']);
    if (hasNextPage !== true) break;
    after = endCursor;
  }
  return comments;
}

/** An app's account is `name[bot]` as the viewer, and `name` of the type Bot as an author. */
function isActor(actor: JsonValue | undefined, viewer: string): boolean {
  const { login, __typename: type } = objectOf(actor);
  const [, name] = /^(.*)\[bot\]$/u.exec(viewer) ?? [];
  return name === undefined ? login === viewer : login === name && type === 'Bot';
}

function toComment({ fullDatabaseId, body, author, editor }: JsonObject): Comment {
  return {
    id: idOf(fullDatabaseId),
    body: typeof body === 'string' ? body : '',
    isEdited: isObject(editor) && objectOf(author)['login'] !== editor['login'],
  };
}
