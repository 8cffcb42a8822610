import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { PullRequest, WorkflowRun } from './event.ts';
import {
  type Comment,
  nodeIdOf,
  listComments,
  type ListedPull,
  listPulls,
  objectOf,
  type PullState,
  type Queries,
  readComments,
  readViewer,
} from './github-query.ts';
import { askGitHub, type GitHubAccess, type GitHubRequest } from './github-request.ts';

/** The part of GitHub's interfaces that a step needs. */
export type GitHub = {
  /** Those of a pull request that the account of this token wrote, the oldest first. */
  readonly comments: (pull: number) => Promise<Comment[]>;
  readonly createComment: (pull: number, body: string) => Promise<Pick<Comment, 'id'>>;
  readonly updateComment: (comment: string, body: string) => Promise<void>;
  readonly deleteComment: (comment: string) => Promise<void>;
  readonly pull: (number: number) => Promise<PullRequest>;
  /** The latest ones of a branch, with no text of their comments. */
  readonly pulls: (branch: string, state: PullState) => Promise<ListedPull[]>;
  /** The comments of our own account in pull requests that were listed, in their order. */
  readonly commentsOf: (pulls: readonly ListedPull[]) => Promise<Comment[][]>;
  /** The open issues that the account of this token opened. */
  readonly issues: () => Promise<Issue[]>;
  readonly createIssue: (issue: Omit<Issue, 'number'>) => Promise<Pick<Issue, 'number'>>;
  readonly updateIssue: (issue: Issue) => Promise<void>;
  readonly closeIssue: (number: number) => Promise<void>;
  /** The paths that a pull request adds, changes, renames or removes. */
  readonly changedFiles: (pull: number) => Promise<string[]>;
};

export type Issue = { readonly number: number; readonly title: string; readonly body: string };

type Connection = GitHubAccess & Pick<WorkflowRun, 'apiUrl' | 'graphqlUrl' | 'repository'>;

export function createGitHub(connection: Connection): GitHub {
  const { repository, graphqlUrl, apiUrl } = connection;
  const base = `${apiUrl}/repos/${repository}`;
  const send = async (method: GitHubRequest['method'], address: string, body?: JsonObject) =>
    askGitHub(connection, { method, url: new URL(address), ...(body && { body }) });
  const queries: Queries = {
    repository,
    ask: async (query, variables) => send('POST', graphqlUrl, { query, variables }),
  };
  const all = async (url: string) => everyPage(url, async (page) => send('GET', page));
  return {
    comments: async (number) => listComments(number, queries),
    createComment: async (pull, body) => {
      const { id } = objectOf(await send('POST', `${base}/issues/${pull}/comments`, { body }));
      return { id: nodeIdOf(id) };
    },
    updateComment: async (id, body) => {
      await send('PATCH', `${base}/issues/comments/${id}`, { body });
    },
    deleteComment: async (id) => {
      await send('DELETE', `${base}/issues/comments/${id}`);
    },
    pull: async (number) => toPull(objectOf(await send('GET', `${base}/pulls/${number}`))),
    pulls: async (branch, state) => listPulls(branch, state, queries),
    commentsOf: async (pulls) => readComments(pulls, queries),
    issues: async () => {
      const own = new URLSearchParams({ state: 'open', creator: await readViewer(queries) });
      const found = await all(`${base}/issues?${own.toString()}`);
      // A pull request is an issue too.
      return found.filter((issue) => !issue['pull_request']).map(toIssue);
    },
    createIssue: async ({ title, body }) =>
      toIssue(objectOf(await send('POST', `${base}/issues`, { title, body }))),
    updateIssue: async ({ number, title, body }) => {
      await send('PATCH', `${base}/issues/${number}`, { title, body });
    },
    closeIssue: async (number) => {
      const change = { state: 'closed', state_reason: 'completed' };
      await send('PATCH', `${base}/issues/${number}`, change);
    },
    changedFiles: async (pull) =>
      (await all(`${base}/pulls/${pull}/files`))
        .flatMap((file) => [file['filename'], file['previous_filename']])
        .filter((name) => typeof name === 'string'),
  };
}

function toPull(pull: JsonObject): PullRequest {
  const [headSha = '', baseSha = ''] = [pull['head'], pull['base']].map((side) => {
    const { sha } = objectOf(side);
    return typeof sha === 'string' ? sha : '';
  });
  return { number: Number(pull['number']), headSha, baseSha };
}

function toIssue({ number, title, body }: JsonObject): Issue {
  return {
    number: Number(number),
    title: typeof title === 'string' ? title : '',
    body: typeof body === 'string' ? body : '',
  };
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
    const answer = await fetchPage(
      `${url}${url.includes('?') ? '&' : '?'}per_page=${pageSize}&page=${page}`,
    );
    if (!isArray(answer) || answer.length === 0) break;
    items.push(...answer.filter(isObject));
    if (answer.length < pageSize) break;
  }
  return items;
}
