import { createServer, type Server } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import { getRequestListener } from '@hono/node-server';
import type { JsonObject } from '../core/json.ts';
import { openDatabase, signingSecret } from './database.ts';
import { closeServer, listen } from './listen.ts';
import { makeRoutes } from './routes.ts';
import { completeSeed } from './seed.ts';
import { openStore } from './store.ts';
import {
  makeTokens,
  permissions,
  type TokenRequest,
  type TrustedIssuer,
  trustIssuer,
} from './tokens.ts';

export { parseSeed } from './seed.ts';

export type SandboxOptions = {
  /** Any free port unless given. */
  readonly port?: number;
  /** Contracts to start with; ignored if the data file already holds some. */
  readonly seed?: readonly JsonObject[];
  /** An SQLite file; without it the contracts live in memory. */
  readonly dataFile?: string;
  /** A further token, accepted as it is, with every permission. */
  readonly token?: string;
  /** Its tokens are accepted, with every permission. */
  readonly issuer?: TrustedIssuer;
  /** Added to each answer. */
  readonly latencyMs?: number;
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
  const database = openDatabase(options.dataFile ?? ':memory:');
  try {
    return await serve(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

async function serve(database: DatabaseSync, options: SandboxOptions): Promise<Sandbox> {
  const { port = 0, seed = [], token: staticToken, latencyMs = 0, now = Date.now } = options;
  const store = openStore(database);
  if (store.isEmpty()) store.fill(completeSeed(seed, now()));
  const verifyIssued = options.issuer && (await trustIssuer(options.issuer, now));
  const tokens = makeTokens({ secret: signingSecret(database), now, staticToken, verifyIssued });
  const server = makeServer(makeRoutes({ store, tokens, now, latencyMs }).fetch);
  return {
    url: await listen(server, port),
    token: await tokens.issue({ subject: 'admin', permissions }),
    readOnlyToken: await tokens.issue({ subject: 'viewer', permissions: ['list', 'view'] }),
    issueToken: tokens.issue,
    close: async () => {
      await closeServer(server);
      if (database.isOpen) database.close();
    },
  };
}

/** The globals stay as they are: this process has other users of Request and Response. */
function makeServer(fetch: (request: Request) => Response | Promise<Response>): Server {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  return createServer((request, response) => void listener(request, response));
}
