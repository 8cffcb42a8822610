import type { ServerResponse } from 'node:http';
import { optionalFields } from '../../src/contract/contract.ts';
import { isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { type Received, serve } from '../support/server.ts';
import {
  createSmallCatalog,
  type Landing,
  type PatchAnswer,
  type ServerKind,
  type SmallCatalog,
} from './small-catalog.ts';
import { connectTo } from './world.ts';

/** A patch that arrives: which one it is, from 1, and whether it is guarded. */
export type Arrival = {
  readonly number: number;
  readonly id: string;
  readonly patch: Patch;
  readonly isGuarded: boolean;
};

/** What goes wrong with it: what is answered, and whether it lands, or only when the test says so. */
export type Mishap = {
  readonly answer: number | 'reset' | 'yes';
  readonly lands: 'now' | 'never' | 'late';
  /** Seconds that the answer asks to wait. */
  readonly retryAfter?: string;
};

export type SmallServer = {
  readonly catalog: SmallCatalog;
  readonly received: readonly Received[];
  readonly arrivals: readonly Arrival[];
  /** Lands what was to land late. */
  readonly land: () => void;
  readonly connection: ReturnType<typeof connectTo>;
};

type SmallRequest = Pick<Received, 'method' | 'path' | 'query' | 'body'>;

/** What is answered; `reset`: nothing, ever. */
type SmallAnswer =
  | 'reset'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: JsonObject;
    };

/** A small catalog without a server: it answers what it is asked. */
export type SmallEndpoint = Pick<SmallServer, 'arrivals' | 'land'> & {
  readonly answer: (request: SmallRequest) => SmallAnswer;
};

/** Patches go wrong as they are told to, and so do reads, which are answered with a status. */
export function createSmallEndpoint(
  catalog: SmallCatalog,
  misbehave: (arrival: Arrival) => Mishap | undefined | void = () => undefined,
  misread: () => number | 'reset' | undefined = () => undefined,
): SmallEndpoint {
  const arrivals: Arrival[] = [];
  const late: Landing[] = [];
  const patchContract = ({ path, body }: SmallRequest): SmallAnswer => {
    const arrival = arrivalOf(path, JSON.parse(body), arrivals.length + 1);
    arrivals.push(arrival);
    const mishap = misbehave(arrival);
    const imagined = mishap?.answer === 'yes' ? imagine(catalog, arrival) : undefined;
    const landing = catalog.takeIn(arrival.id, arrival.patch);
    if (mishap?.lands === 'late') late.push(landing);
    const answer = !mishap || mishap.lands === 'now' ? landing() : imagined;
    const replied = reply(mishap?.answer ?? 'yes', answer);
    const { retryAfter } = mishap ?? {};
    if (replied === 'reset' || retryAfter === undefined) return replied;
    return { ...replied, headers: { 'retry-after': retryAfter } };
  };
  const listContracts = ({ query }: SmallRequest): SmallAnswer => {
    const broken = misread();
    if (broken !== undefined) return reply(broken);
    const data = listed(catalog, query);
    return { status: 200, body: { data, paging: { total: data.length } } };
  };
  return {
    arrivals,
    answer: (request) =>
      request.method === 'PATCH' ? patchContract(request) : listContracts(request),
    land: () => {
      const before = catalog.commits.length;
      for (const landing of late.splice(0)) landing();
      for (const commit of catalog.commits.slice(before)) catalog.late.add(commit);
    },
  };
}

/** Fields that lists leave out come where they are asked for (interface §4.1). */
function listed(catalog: SmallCatalog, query: URLSearchParams): JsonObject[] {
  const asked = query.get('fields')?.split(',') ?? [];
  const left = new Set<string>(optionalFields.filter((field) => !asked.includes(field)));
  const entity = query.get('entity');
  return catalog
    .contracts()
    .filter((contract) => entity === null || entityIdOf(contract) === entity)
    .map((contract) =>
      Object.fromEntries(Object.entries(contract).filter(([field]) => !left.has(field))),
    );
}

/** Serves a small catalog whose patches go wrong as they are told to. */
export async function serveSmallCatalog(
  kind: ServerKind,
  seed: readonly JsonObject[],
  misbehave: (arrival: Arrival, catalog: SmallCatalog) => Mishap | undefined | void = () =>
    undefined,
  misread?: () => number | 'reset' | undefined,
): Promise<SmallServer> {
  const catalog = createSmallCatalog(kind, seed);
  const { answer, arrivals, land } = createSmallEndpoint(
    catalog,
    (arrival) => misbehave(arrival, catalog),
    misread,
  );
  const { url, received } = await serve((request, response) => write(response, answer(request)));
  return {
    catalog,
    received,
    arrivals,
    land,
    connection: connectTo({ url: url.href, token: 'token' }),
  };
}

function arrivalOf(path: string, patch: Patch, number: number): Arrival {
  const isGuarded = patch.some(({ op }) => op === 'test');
  return { number, id: path.split('/').at(-1) ?? '', patch, isGuarded };
}

function entityIdOf({ entity }: JsonObject): JsonValue | undefined {
  return isObject(entity) ? entity['id'] : undefined;
}

/** What a server answers that stores nothing and says that it did. */
function imagine({ kind, find }: SmallCatalog, { id, patch }: Arrival): PatchAnswer {
  return createSmallCatalog(kind, [find(id).document]).takeIn(id, patch)();
}

function reply(how: Mishap['answer'], answer?: PatchAnswer): SmallAnswer {
  if (how === 'reset') return how;
  if (how !== 'yes') return refusal(how);
  return answer?.status === 200 ? answer : refusal(answer?.status ?? 500);
}

function refusal(status: number): SmallAnswer {
  const body = { code: status, message: 'Refused.' };
  const isRedirect = status >= 300 && status < 400;
  return { status, body, ...(isRedirect && { headers: { location: '/login' } }) };
}

function write(response: ServerResponse, answer: SmallAnswer): void {
  if (answer === 'reset') return void response.destroy();
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}

/** The same without sockets, for runs by the thousand. */
export function fetchFrom({ answer }: SmallEndpoint): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', body } = init;
    const { pathname: path, searchParams: query } = new URL(
      input instanceof Request ? input.url : input,
    );
    const answered = answer({ method, path, query, body: typeof body === 'string' ? body : '' });
    if (answered !== 'reset')
      return Response.json(answered.body, {
        status: answered.status,
        headers: answered.headers ?? {},
      });
    const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' });
    throw new TypeError('fetch failed', { cause });
  };
}
