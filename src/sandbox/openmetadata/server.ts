import { createServer } from 'node:http';
import { closeServer, listen } from '../listen.ts';
import { contractRoutes } from './contract-routes.ts';
import { addUser } from './entities.ts';
import { serveRequest } from './http.ts';
import { otherRoutes } from './other-routes.ts';
import type { Caller } from './permissions.ts';
import { type Seed, sow } from './seed.ts';
import { invalidToken, makeUserTokens } from './tokens.ts';
import { findEntityByName, makeWorld, quoteName, type World } from './world.ts';

export type OpenMetadataOptions = {
  /** Any free port unless given. */
  readonly port?: number;
  /** What the catalog holds at the start. */
  readonly seed?: Seed;
  /** A further token, accepted as it is, as the admin's. */
  readonly token?: string;
  /** The clock, in epoch milliseconds: sessions are counted by it. */
  readonly now?: () => number;
};

export type OpenMetadataSandbox = {
  /** The catalog's base URL: the list is at `${url}/v1/dataContracts`. */
  readonly url: string;
  /** The admin's token. */
  readonly token: string;
  /** A token of one of the users; zero or fewer seconds make an expired one. */
  readonly tokenOf: (user: string, expiresInSeconds?: number) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Serves a catalog that behaves as OpenMetadata does, to this machine alone. */
export async function startOpenMetadata(
  options: OpenMetadataOptions = {},
): Promise<OpenMetadataSandbox> {
  const { port = 0, token: staticToken, now = Date.now } = options;
  const world = makeOwnWorld(options.seed, now);
  const tokens = makeUserTokens({ now, staticToken });
  const routes = [...contractRoutes(world), ...otherRoutes(world)];
  const identify = async (authorization: string | undefined): Promise<Caller> =>
    callerOf(world, await tokens.verify(authorization));
  let base = '';
  const server = createServer(
    (request, response) => void serveRequest(request, response, { routes, base, identify }),
  );
  base = await listen(server, port);
  return {
    url: base,
    token: await tokens.issue('admin'),
    tokenOf: tokens.issue,
    close: () => closeServer(server),
  };
}

/** Out of the box there are an admin and a bot. */
function makeOwnWorld(seed: Seed | undefined, now: () => number): World {
  const world = makeWorld(now);
  addUser(world, { name: 'admin', isAdmin: true });
  addUser(world, { name: 'ingestion-bot', isBot: true, roles: ['IngestionBotRole'] });
  if (seed) sow(world, seed);
  return world;
}

function callerOf(world: World, name: string): Caller {
  const user = findEntityByName(world, 'user', quoteName(name));
  if (!user) throw invalidToken();
  const { isAdmin = false, isBot = false, roles = [] } = user.rest;
  return {
    name,
    isAdmin: isAdmin === true,
    isBot: isBot === true,
    roles: Array.isArray(roles) ? roles.map(String) : [],
  };
}
