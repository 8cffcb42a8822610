import { SyncError } from '../core/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { PullRequest } from './event.ts';
import { everyPage, request, type GitHubAccess } from './github-request.ts';

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
