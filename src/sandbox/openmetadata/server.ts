import type { IncomingHttpHeaders } from 'node:http';
import { ErrorAnswer, openServer } from '../http.ts';
import { toList } from '../json.ts';
import { makeTokens, type Tokens } from '../tokens.ts';
import { contractRoutes } from './contract-routes.ts';
import { addNamed } from './entities.ts';
import { addTypes, entityRoutes } from './entity-routes.ts';
import { explainError } from './error-answer.ts';
import type { Caller } from './people.ts';
import { lineageRoutes } from './lineage.ts';
import { answerCall, type Api } from './router.ts';
import { type Seed, sow } from './seed.ts';
import { findEntityByName, makeWorld, quoteName, type World } from './world.ts';

export type OpenMetadataOptions = {
  readonly port?: number;
  readonly seed?: Seed;
  /** An additional token of the admin, accepted as it is. */
  readonly token?: string;
  /** `1.12` by default, `1.13` or `2.0`. */
  readonly release?: string | undefined;
  /** Epoch milliseconds; sessions depend on it. */
  readonly now?: () => number;
};

export type OpenMetadataSandbox = {
  /** Base URL of the API: the list is at `${url}/v1/dataContracts`. */
  readonly url: string;
  readonly token: string;
  /** For one of the users; zero or fewer seconds make an expired one. */
  readonly tokenOf: (user: string, expiresInSeconds?: number) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Behaves as OpenMetadata does, on loopback only. */
export async function startOpenMetadata(
  options: OpenMetadataOptions = {},
): Promise<OpenMetadataSandbox> {
  const { port = 0, token: staticToken, now = Date.now } = options;
  const world = makeOwnWorld(options, now);
  const tokens = makeTokens(now);
  const tokenOf: OpenMetadataSandbox['tokenOf'] = (sub, seconds) => tokens.issue({ sub }, seconds);
  const routes = { ...contractRoutes, ...entityRoutes, ...lineageRoutes };
  const identify: Api['identify'] = (headers) =>
    identifyCaller(world, tokens, { headers, staticToken });
  const server = await openServer(port, (base) => ({
    answer: (request) => answerCall(request, { world, routes, base, identify }),
    explain: explainError,
    zips: true,
  }));
  return { ...server, token: await tokenOf('admin'), tokenOf };
}

// A new server has an admin, a bot, a team and some tags.
function makeOwnWorld({ seed, release }: OpenMetadataOptions, now: () => number): World {
  const world = makeWorld(now, release);
  addTypes(world);
  addNamed(world, 'user', { name: 'admin', isAdmin: true });
  addNamed(world, 'user', { name: 'ingestion-bot', isBot: true, roles: ['IngestionBotRole'] });
  const description = 'Organization under which all the other team hierarchy is created';
  addNamed(world, 'team', { name: 'Organization', teamType: 'Organization', description });
  addNamed(world, 'tag', { name: 'Sensitive' }, 'PII.Sensitive');
  if (seed) sow(world, seed);
  return world;
}

async function identifyCaller(
  world: World,
  tokens: Tokens,
  sent: { readonly headers: IncomingHttpHeaders; readonly staticToken: string | undefined },
): Promise<Caller> {
  const token = /^Bearer +(\S.*)$/u.exec(sent.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new ErrorAnswer(401, 'Not Authorized! Token not present');
  const claims = token === sent.staticToken ? { sub: 'admin' } : await tokens.verify(token);
  if (claims === 'expired') throw new ErrorAnswer(401, 'Expired token!');
  const name = claims === 'invalid' ? '' : (claims.sub ?? '');
  const user = findEntityByName(world, 'user', quoteName(name));
  if (!user) throw new ErrorAnswer(401, 'Not Authorized! Invalid token.');
  const { isAdmin, isBot, roles } = user.rest;
  const rights = {
    isAdmin: isAdmin === true,
    isBot: isBot === true,
    roles: toList(roles).map(String),
  };
  const acting = sent.headers['x-impersonate-user'];
  return isBot === true && typeof acting === 'string'
    ? { name: acting, agent: name, ...rights }
    : { name, ...rights };
}
