import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { onTestFinished } from 'vitest';

type FakeComment = { id: number; body: string; user: { login: string } };

export type FakePull = {
  readonly number: number;
  readonly head: { readonly sha: string };
  readonly merge_commit_sha?: string;
  readonly merged_at?: string | null;
  readonly files?: readonly string[];
};

export type GitHubState = {
  readonly comments?: FakeComment[];
  readonly pulls?: readonly FakePull[];
  /** The status to answer with instead, by method and path. */
  readonly refuse?: (request: string) => 403 | 404 | 500 | undefined;
  /** Called after a comment has been created: another run may do the same. */
  readonly onCreate?: (comments: FakeComment[]) => void;
  /** How many lookups of a merged pull request find nothing yet. */
  readonly indexLag?: number;
};

export type FakeGitHub = {
  readonly url: string;
  readonly token: string;
  readonly comments: FakeComment[];
  /** `GET /repos/…`, without the query. */
  readonly requests: string[];
};

export const bot = 'github-actions[bot]';

/** Plays the part of GitHub's API that comments and merges need. */
export async function serveGitHub(state: GitHubState = {}): Promise<FakeGitHub> {
  const { comments = [], refuse } = state;
  const token = 'ghs_token_of_the_workflow';
  const requests: string[] = [];
  const app = new Hono();
  app.use(async (context, next) => {
    const line = `${context.req.method} ${context.req.path}`;
    requests.push(line);
    if (context.req.header('authorization') !== `Bearer ${token}`) return context.json({}, 401);
    const status = refuse?.(line);
    if (status !== undefined) return context.json({}, status);
    return next();
  });
  app.post('/graphql', (context) => context.json({ data: { viewer: { login: bot } } }));
  serveComments(app, comments, state.onCreate);
  servePulls(app, state);
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, token, comments, requests };
}

const issues = '/repos/acme/contracts/issues';

function serveComments(app: Hono, comments: FakeComment[], onCreate: GitHubState['onCreate']) {
  let nextId = 1000;
  app.get(`${issues}/:number/comments`, (context) => context.json(pageOf(comments, context)));
  app.post(`${issues}/:number/comments`, async (context) => {
    const { body } = await context.req.json<{ readonly body: string }>();
    if (body.length > 65_536) return context.json({}, 422);
    const comment = { id: (nextId += 1), body, user: { login: bot } };
    comments.push(comment);
    onCreate?.(comments);
    return context.json(comment, 201);
  });
  app.patch(`${issues}/comments/:id`, async (context) => {
    const { body } = await context.req.json<{ readonly body: string }>();
    const comment = comments.find(({ id }) => String(id) === context.req.param('id'));
    if (!comment || body.length > 65_536) return context.json({}, 422);
    comment.body = body;
    return context.json(comment);
  });
  app.delete(`${issues}/comments/:id`, (context) => {
    const index = comments.findIndex(({ id }) => String(id) === context.req.param('id'));
    comments.splice(index, 1);
    return context.body(null, 204);
  });
}

const repository = '/repos/acme/contracts';

function servePulls(app: Hono, { pulls = [], indexLag = 0 }: GitHubState) {
  let lag = indexLag;
  app.get(`${repository}/commits/:sha/pulls`, (context) => {
    lag -= 1;
    return context.json(lag >= 0 ? [] : pageOf(pulls, context));
  });
  app.get(`${repository}/pulls/:number`, (context) => {
    const pull = pulls.find(({ number }) => String(number) === context.req.param('number'));
    return pull ? context.json(pull) : context.json({}, 404);
  });
  app.get(`${repository}/pulls/:number/files`, (context) => {
    const pull = pulls.find(({ number }) => String(number) === context.req.param('number'));
    const files = (pull?.files ?? []).map((filename) => ({ filename }));
    return context.json(pageOf(files, context));
  });
}

/** GitHub gives 30 to a page unless asked for more, and 100 at most. */
function pageOf<Item>(items: readonly Item[], { req }: Context): readonly Item[] {
  const size = Math.min(Number(req.query('per_page') ?? 30), 100);
  const page = Number(req.query('page') ?? 1);
  return items.slice((page - 1) * size, page * size);
}
