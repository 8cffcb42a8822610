import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { JsonObject } from '../core/json.ts';
import { closeServer, listen } from './listen.ts';
import { makeRoutes } from './routes.ts';
import { completeSeed } from './seed.ts';
import { makeStore } from './store.ts';
import { makeTokens, permissions, type TokenRequest } from './tokens.ts';

export { parseSeed } from './seed.ts';

export type SandboxOptions = {
  /** Any free port unless given. */
  readonly port?: number;
  /** Contracts to start with. */
  readonly seed?: readonly JsonObject[];
  /** A further token, accepted as it is, with every permission. */
  readonly token?: string;
  /** The clock, in epoch milliseconds. */
  readonly now?: () => number;
};

export type Sandbox = {
  /** The catalog's base URL: the list is at `${url}/v1/dataContracts`. */
  readonly url: string;
  /** A token with every permission. */
  readonly token: string;
  /** A token that may list and view, but not update. */
  readonly readOnlyToken: string;
  /** A token with another name, fewer permissions or an end. */
  readonly issueToken: (request: TokenRequest) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Serves an embedded catalog to this machine alone. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, seed = [], token: staticToken, now = Date.now } = options;
  const store = makeStore(completeSeed(seed, now()));
  const tokens = makeTokens({ secret: randomBytes(32), now, staticToken });
  const server = makeServer(makeRoutes({ store, tokens, now }).fetch);
  return {
    url: await listen(server, port),
    token: await tokens.issue({ subject: 'admin', permissions }),
    readOnlyToken: await tokens.issue({ subject: 'viewer', permissions: ['list', 'view'] }),
    issueToken: tokens.issue,
    close: () => closeServer(server),
  };
}

/** The globals stay as they are: this process has other users of Request and Response. */
function makeServer(fetch: (request: Request) => Response | Promise<Response>): Server {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  return createServer((request, response) => void listener(request, response));
}
