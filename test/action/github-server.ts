import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { expect, onTestFinished } from 'vitest';
import { queryFaults, requestFaults } from './github-description.ts';

type FakeComment = {
  id: number;
  body: string;
  user: { login: string };
  /** Who changed it last, if anybody did. */
  editor?: string;
};

export type FakePull = {
  readonly number: number;
  readonly head: { readonly sha: string };
  readonly merge_commit_sha?: string;
  readonly merged_at?: string | null;
  readonly files?: readonly string[];
};

/** What GitHub answers with instead; `reset`: it closes the connection. */
type Refusal =
  | 'reset'
  | {
      readonly status: 200 | 401 | 403 | 404 | 422 | 429 | 500 | 502;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: object;
    };

export type GitHubState = {
  readonly comments?: FakeComment[];
  readonly pulls?: readonly FakePull[];
  /** By method and path. */
  readonly refuse?: (request: string) => Refusal | undefined;
  /** Called after a comment has been created: another run may do the same. */
  readonly onCreate?: (comments: FakeComment[]) => void;
  /** How many lookups of a merged pull request find nothing yet. */
  readonly indexLag?: number;
  readonly latencyMs?: number;
};

export type FakeGitHub = {
  readonly url: string;
  readonly token: string;
  readonly comments: FakeComment[];
  /** `GET /repos/…`, without the query. */
  readonly requests: string[];
};

type World = { readonly Bindings: HttpBindings };

export const bot = 'github-actions[bot]';

/**
 * Plays the part of GitHub's interfaces that comments and merges need. A request that GitHub would
 * not take, by its own descriptions, fails the test.
 */
export async function serveGitHub(state: GitHubState = {}): Promise<FakeGitHub> {
  const { comments = [], refuse, latencyMs = 0 } = state;
  const token = 'ghs_token_of_the_workflow';
  const requests: string[] = [];
  const faults: string[] = [];
  const app = new Hono<World>();
  app.use(async (context, next) => {
    const line = `${context.req.method} ${context.req.path}`;
    requests.push(line);
    faults.push(...(await faultsOf(context)));
    if (latencyMs > 0) await sleep(latencyMs);
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
  serveQueries(app, comments);
  serveComments(app, comments, state.onCreate);
  servePulls(app, state);
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    expect(faults).toEqual([]);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, token, comments, requests };
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

function serveQueries(app: Hono<World>, comments: readonly FakeComment[]) {
  app.post('/graphql', async (context) => {
    const { variables } = await context.req.json<{ variables: { after: string | null } }>();
    const start = Number(variables.after ?? 0);
    const end = start + 100;
    const pageInfo = { hasNextPage: end < comments.length, endCursor: String(end) };
    const nodes = comments.slice(start, end).map(({ id, body, user, editor }) => ({
      fullDatabaseId: String(id),
      body,
      author: actorOf(user.login),
      editor: editor === undefined ? null : actorOf(editor),
    }));
    const pullRequest = { comments: { nodes, pageInfo } };
    return context.json({ data: { viewer: { login: bot }, repository: { pullRequest } } });
  });
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
    comment.editor = bot;
    return context.json(comment);
  });
  app.delete(`${issues}/comments/:id`, (context) => {
    const index = comments.findIndex(({ id }) => String(id) === context.req.param('id'));
    comments.splice(index, 1);
    return context.body(null, 204);
  });
}

const repository = '/repos/acme/contracts';

function servePulls(app: Hono<World>, { pulls = [], indexLag = 0 }: GitHubState) {
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
