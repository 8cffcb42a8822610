import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { expect, onTestFinished } from 'vitest';
import type { GitHub } from '../../src/action/github-request.ts';
import { systemEffects } from '../../src/http/fetch.ts';
import { listen } from '../support/listen.ts';
import { queryFaults, requestFaults } from './github-description.ts';

export type FakeComment = {
  id: number;
  body: string;
  user: { login: string };
  /** The number of its pull request; 7 unless told otherwise. */
  pull?: number;
  /** Who changed it last, if anybody did; null: an account that is gone. */
  editor?: string | null;
};

type FakeIssue = {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  readonly user: { readonly login: string };
  readonly pull_request?: object;
};

export type FakePull = {
  readonly number: number;
  readonly head: { readonly sha: string };
  readonly merge_commit_sha?: string;
  /** ISO 8601; open where there is none. */
  readonly merged_at?: string | null;
  /** What it is to be merged into; `main` unless told otherwise. */
  readonly branch?: string;
  /** When it was merged, unless said otherwise. */
  readonly updated_at?: string;
  /** Who made it; `author` unless told otherwise. */
  readonly author?: string;
  /** Oldest first. */
  readonly reviews?: readonly FakeReview[];
};

export type FakeReview = {
  readonly user: { readonly id: number; readonly login: string } | null;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING';
  readonly commit_id: string;
  /** ISO 8601. */
  readonly submitted_at?: string;
};

/** What GitHub answers with instead; `reset`: it closes the connection. */
type Refusal =
  | 'reset'
  | {
      readonly status: 200 | 401 | 403 | 404 | 410 | 422 | 429 | 500 | 502;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: object;
    };

export type GitHubState = {
  readonly comments?: FakeComment[];
  readonly pulls?: FakePull[];
  readonly issues?: FakeIssue[];
  /** By method and path. */
  readonly refuse?: (request: string) => Refusal | undefined;
  /** Called after a comment has been created: another run may do the same. */
  readonly onCreate?: (comments: FakeComment[]) => void;
  /** Ids of members, by the team's name in its address; others are not to be seen. */
  readonly teams?: Readonly<Record<string, readonly number[]>>;
  /** Whether the job has `checks: write`. */
  readonly mayCheck?: boolean;
  /** How many lookups of a commit's pull request find nothing yet, and know it as open. */
  readonly indexLag?: number;
};

type CheckRun = {
  readonly name: string;
  readonly head_sha: string;
  readonly conclusion: string;
  readonly output: { readonly title: string; readonly summary: string };
};

export type FakeGitHub = {
  readonly url: string;
  readonly token: string;
  readonly comments: FakeComment[];
  readonly pulls: FakePull[];
  readonly issues: FakeIssue[];
  readonly checkRuns: readonly CheckRun[];
  /** `GET /repos/…`, without the query. */
  readonly requests: string[];
};

/** What the Action reaches it by. */
export function connectionTo({ url: apiUrl, token }: FakeGitHub): GitHub {
  const { fetch, sleep } = systemEffects;
  const server = { apiUrl, graphqlUrl: `${apiUrl}/graphql`, repository: 'acme/contracts' };
  return { ...server, token, fetch, sleep, log: () => undefined };
}

type World = { readonly Bindings: HttpBindings };

export const bot = 'github-actions[bot]';

/**
 * Plays the part of GitHub's interfaces that comments and merges need. A request that GitHub would
 * not take, by its own descriptions, fails the test.
 */
export async function serveGitHub(state: GitHubState = {}): Promise<FakeGitHub> {
  const { comments = [], pulls = [], issues: opened = [], refuse } = state;
  const token = 'ghs_token_of_the_workflow';
  const requests: string[] = [];
  const faults: string[] = [];
  const app = new Hono<World>();
  app.use(async (context, next) => {
    const line = `${context.req.method} ${context.req.path}`;
    requests.push(line);
    faults.push(...(await faultsOf(context)));
    if (context.req.header('authorization') !== `Bearer ${token}`) {
      return context.json({ message: 'Bad credentials' }, 401);
    }
    const refusal = refuse?.(line);
    if (refusal === 'reset') {
      context.env.incoming.socket.destroy();
      return context.body(null);
    }
    if (refusal) return context.json(refusal.body ?? {}, refusal.status, refusal.headers);
    return next();
  });
  serveQueries(app, { ...state, comments, pulls });
  serveComments(app, comments, state.onCreate);
  servePulls(app, pulls);
  app.get('/orgs/acme/teams/:team/members', (context) => {
    const members = state.teams?.[context.req.param('team')];
    if (!members) return context.json({ message: 'Not Found' }, 404);
    const page = pageOf(members, context);
    return context.json(page.map((id) => ({ id, login: `member-${id}` })));
  });
  serveIssues(app, opened);
  const checkRuns: CheckRun[] = [];
  app.post(`${repository}/check-runs`, async (context) => {
    if (state.mayCheck !== true)
      return context.json({ message: 'Resource not accessible by integration' }, 403);
    checkRuns.push(await context.req.json<CheckRun>());
    return context.json({ id: checkRuns.length }, 201);
  });
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response));
  const port = await listen(server);
  onTestFinished(() => expect(faults).toEqual([]));
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    comments,
    pulls,
    issues: opened,
    checkRuns,
    requests,
  };
}

async function faultsOf({ req }: Context): Promise<string[]> {
  const text = await req.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (req.path === '/graphql') return queryFaults((body as { query: string }).query);
  return requestFaults({
    method: req.method,
    path: req.path,
    query: Object.keys(req.query()),
    body,
  });
}

const issues = '/repos/acme/contracts/issues';

type Variables = {
  readonly after: string | null;
  readonly number: number;
  readonly branch: string;
  readonly states: readonly string[];
  readonly ids: readonly string[];
};

function serveQueries(
  app: Hono<World>,
  state: GitHubState & { readonly comments: FakeComment[]; readonly pulls: FakePull[] },
) {
  let lag = state.indexLag ?? 0;
  const { comments } = state;
  const viewer = { login: bot };
  app.post('/graphql', async (context) => {
    const { query, variables } = await context.req.json<{
      readonly query: string;
      readonly variables: Variables;
    }>();
    if (query.includes('nodes(ids')) {
      const nodes = variables.ids.map((id) => nodeOf(comments.find((each) => nodeId(each) === id)));
      return context.json({ data: { nodes } });
    }
    const isLate = lag > 0;
    const known = isLate ? state.pulls.map(unmerged) : state.pulls;
    if (query.includes('associatedPullRequests(')) {
      lag -= 1;
      const objects = [...query.matchAll(/(c\d+): object\(oid: "(\w+)"\)/gu)].map(
        ([, name = '', oid = '']) => {
          const pulls = known.filter((pull) =>
            [pull.merge_commit_sha, pull.head.sha].includes(oid),
          );
          const nodes = isLate ? [] : pulls.map(listed(comments));
          return [name, { associatedPullRequests: { nodes } }];
        },
      );
      return context.json({ data: { viewer, repository: Object.fromEntries(objects) } });
    }
    if (query.includes('pullRequests(')) {
      const found = known
        .filter(isListed(variables))
        .map(listed(comments))
        .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
      const start = Number(variables.after ?? 0);
      const end = start + 100;
      const pageInfo = { hasNextPage: end < found.length, endCursor: String(end) };
      const pullRequests = { nodes: found.slice(start, end), pageInfo };
      return context.json({ data: { viewer, repository: { pullRequests } } });
    }
    if (!query.includes('pullRequest(')) return context.json({ data: { viewer } });
    const own = comments.filter(({ pull = 7 }) => pull === variables.number);
    const start = Number(variables.after ?? 0);
    const end = start + 100;
    const pageInfo = { hasNextPage: end < own.length, endCursor: String(end) };
    const pull = state.pulls.find(({ number }) => number === variables.number);
    const pullRequest = {
      state: pull?.merged_at ? 'MERGED' : 'OPEN',
      headRefOid: pull?.head.sha ?? null,
      baseRefOid: 'f'.repeat(40),
      comments: { nodes: own.slice(start, end).map(nodeOf), pageInfo },
    };
    return context.json({ data: { viewer, repository: { pullRequest } } });
  });
}

const nodeId = ({ id }: FakeComment) => `IC_${id}`;

function nodeOf(comment: FakeComment | undefined) {
  if (!comment) return null;
  const { id, body, user, editor } = comment;
  return {
    id: nodeId(comment),
    fullDatabaseId: String(id),
    body,
    author: actorOf(user.login),
    editor: editor === undefined || editor === null ? null : actorOf(editor),
    lastEditedAt: editor === undefined ? null : '2026-01-01T00:00:00Z',
  };
}

function isListed({ branch, states }: Variables) {
  return (pull: FakePull) =>
    (pull.branch ?? 'main') === branch && states.includes(pull.merged_at ? 'MERGED' : 'OPEN');
}

/** Before GitHub knows of the merge. */
function unmerged({ merge_commit_sha: _sha, merged_at: _time, ...pull }: FakePull): FakePull {
  return pull;
}

function listed(comments: readonly FakeComment[]) {
  return (pull: FakePull) => {
    const { number, head, merged_at: mergedAt = null, merge_commit_sha: oid } = pull;
    const own = comments.filter(({ pull = 7 }) => pull === number);
    return {
      number,
      headRefOid: head.sha,
      baseRefOid: 'f'.repeat(40),
      baseRefName: pull.branch ?? 'main',
      updatedAt: pull.updated_at ?? mergedAt ?? '2026-01-01T00:00:00Z',
      mergedAt,
      mergeCommit: oid === undefined ? null : { oid },
      comments: {
        nodes: own.slice(0, 30).map((comment) => ({
          id: nodeId(comment),
          author: actorOf(comment.user.login),
        })),
        pageInfo: { hasNextPage: own.length > 30 },
      },
    };
  };
}

/** An app is `name[bot]` in REST, and `name` of another type in GraphQL. */
function actorOf(login: string) {
  return login.endsWith('[bot]')
    ? { __typename: 'Bot', login: login.replace('[bot]', '') }
    : { __typename: 'User', login };
}

function serveComments(
  app: Hono<World>,
  comments: FakeComment[],
  onCreate: GitHubState['onCreate'],
) {
  let nextId = 1000;
  app.post(`${issues}/:number/comments`, async (context) => {
    const { body } = await context.req.json<{ readonly body: string }>();
    if (body.length > 65_536) return context.json({}, 422);
    const pull = Number(context.req.param('number'));
    const comment = { id: (nextId += 1), body, user: { login: bot }, pull };
    comments.push(comment);
    onCreate?.(comments);
    return context.json(comment, 201);
  });
  app.patch(`${issues}/comments/:id`, async (context) => {
    const { body } = await context.req.json<{ readonly body: string }>();
    const comment = comments.find(({ id }) => String(id) === context.req.param('id'));
    if (!comment || body.length > 65_536) return context.json({}, 422);
    comment.body = body;
    comment.editor = bot;
    return context.json(comment);
  });
  app.delete(`${issues}/comments/:id`, (context) => {
    const index = comments.findIndex(({ id }) => String(id) === context.req.param('id'));
    comments.splice(index, 1);
    return context.body(null, 204);
  });
}

function serveIssues(app: Hono<World>, opened: FakeIssue[]) {
  app.get(issues, (context) => {
    const { state, creator } = context.req.query();
    const found = opened.filter((issue) => issue.state === state && issue.user.login === creator);
    return context.json(pageOf(found, context));
  });
  app.post(issues, async (context) => {
    const { title, body } = await context.req.json<Pick<FakeIssue, 'title' | 'body'>>();
    const number = 500 + opened.length;
    opened.push({ number, title, body, state: 'open', user: { login: bot } });
    return context.json({ number, title, body }, 201);
  });
  app.patch(`${issues}/:number`, async (context) => {
    const change = await context.req.json<Partial<FakeIssue>>();
    const issue = opened.find(({ number }) => String(number) === context.req.param('number'));
    if (!issue) return context.json({}, 404);
    return context.json(Object.assign(issue, change));
  });
}

const repository = '/repos/acme/contracts';

function servePulls(app: Hono<World>, pulls: readonly FakePull[]) {
  app.get(repository, (context) => context.json({ default_branch: 'main' }));
  app.get(`${repository}/pulls/:number`, (context) => {
    const pull = pulls.find(({ number }) => String(number) === context.req.param('number'));
    return context.json({ number: pull?.number, user: { login: pull?.author ?? 'author' } });
  });
  app.get(`${repository}/pulls/:number/reviews`, (context) => {
    const pull = pulls.find(({ number }) => String(number) === context.req.param('number'));
    return context.json(pageOf(pull?.reviews ?? [], context));
  });
}

/** GitHub gives 30 to a page unless asked for more, and 100 at most. */
function pageOf<Item>(items: readonly Item[], { req }: Context): readonly Item[] {
  const size = Math.min(Number(req.query('per_page') ?? 30), 100);
  const page = Number(req.query('page') ?? 1);
  return items.slice((page - 1) * size, page * size);
}
