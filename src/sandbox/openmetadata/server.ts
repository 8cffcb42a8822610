import type { IncomingHttpHeaders } from 'node:http';
import { ErrorAnswer, openServer } from '../http.ts';
import { toList } from '../json.ts';
import type { SandboxOptions } from '../sandbox.ts';
import { makeTokens } from '../tokens.ts';
import { contractRoutes } from './contract-routes.ts';
import { addNamed } from './entities.ts';
import { contractType, entityRoutes } from './entity-routes.ts';
import { explainError } from './error-answer.ts';
import type { Caller } from './people.ts';
import { propertyTypes } from './properties.ts';
import { answerCall, type Api } from './router.ts';
import { type Seed, sow } from './seed.ts';
import { addEntity, findEntityByName, makeWorld, quoteName, type World } from './world.ts';

export type OpenMetadataOptions = Omit<SandboxOptions, 'seed'> & {
  readonly seed?: Seed;
  /** `1.12` by default, `1.13`, `2.0` or `2.1`. */
  readonly release?: string | undefined;
};

export type OpenMetadataSandbox = Readonly<Awaited<ReturnType<typeof startOpenMetadata>>>;

export async function startOpenMetadata(options: OpenMetadataOptions = {}) {
  const { port = 0, token: staticToken, now = Date.now } = options;
  const world = makeOwnWorld(options, now);
  const tokens = makeTokens(now);
  const tokenOf = (sub: string, expiresInSeconds?: number): Promise<string> =>
    tokens.issue({ sub }, expiresInSeconds);
  const routes = { ...contractRoutes, ...entityRoutes };
  const identify: Api['identify'] = async (headers) => {
    const token = /^Bearer +(\S.*)$/u.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) throw new ErrorAnswer(401, 'Not Authorized! Token not present');
    const claims = token === staticToken ? { sub: 'admin' } : tokens.verify(token);
    if (claims === 'expired') throw new ErrorAnswer(401, 'Expired token!');
    return callerOf(world, claims === 'invalid' ? '' : (claims.sub ?? ''), headers);
  };
  const server = await openServer(port, (base) => ({
    answer: (request) => answerCall(request, { world, routes, base, identify }),
    explain: explainError,
    zips: true,
    now,
  }));
  const [first] = world.contracts.keys();
  return { ...server, token: await tokenOf('admin'), tokenOf, first };
}

function makeOwnWorld({ seed, release }: OpenMetadataOptions, now: () => number): World {
  const world = makeWorld(now, release);
  for (const name of [contractType, ...propertyTypes])
    addEntity(world, { type: 'type', name, fullyQualifiedName: name });
  addNamed(world, 'user', { name: 'admin', isAdmin: true });
  addNamed(world, 'user', { name: 'ingestion-bot', isBot: true, roles: ['IngestionBotRole'] });
  const description = 'Organization under which all the other team hierarchy is created';
  addNamed(world, 'team', { name: 'Organization', teamType: 'Organization', description });
  for (const tag of tags) addNamed(world, 'tag', { name: tag.split('.')[1] ?? '' }, tag);
  if (seed) sow(world, seed);
  return world;
}

// Those that every server begins with.
const tags =
  `PII.None PII.NonSensitive PII.Sensitive PersonalData.Personal PersonalData.SpecialCategory
  Tier.Tier1 Tier.Tier2 Tier.Tier3 Tier.Tier4 Tier.Tier5`.split(/\s+/u);

function callerOf(world: World, name: string, headers: IncomingHttpHeaders): Caller {
  const user = findEntityByName(world, 'user', quoteName(name));
  if (!user) throw new ErrorAnswer(401, 'Not Authorized! Invalid token.');
  const { isAdmin, isBot, roles } = user.rest;
  const acting = isBot === true ? headers['x-impersonate-user'] : undefined;
  return {
    ...(typeof acting === 'string' ? { name: acting, agent: name } : { name }),
    isAdmin: isAdmin === true,
    isBot: isBot === true,
    roles: toList(roles).map(String),
  };
}
