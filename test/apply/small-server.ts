import type { ServerResponse } from 'node:http';
import { isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/operation.ts';
import { type Received, sendJson, serve } from '../catalog/server.ts';
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
};

export type SmallServer = {
  readonly catalog: SmallCatalog;
  readonly received: readonly Received[];
  readonly arrivals: readonly Arrival[];
  /** Lands what was to land late. */
  readonly land: () => void;
  readonly connection: ReturnType<typeof connectTo>;
};

/** Serves a small catalog whose patches go wrong as they are told to. */
export async function serveSmallCatalog(
  kind: ServerKind,
  seed: readonly JsonObject[],
  misbehave: (arrival: Arrival, catalog: SmallCatalog) => Mishap | undefined | void = () =>
    undefined,
): Promise<SmallServer> {
  const catalog = createSmallCatalog(kind, seed);
  const arrivals: Arrival[] = [];
  const late: Landing[] = [];
  const patchContract = ({ path, body }: Received, response: ServerResponse): void => {
    const arrival = arrivalOf(path, JSON.parse(body), arrivals.length + 1);
    arrivals.push(arrival);
    const mishap = misbehave(arrival, catalog);
    const landing = catalog.takeIn(arrival.id, arrival.patch);
    if (mishap?.lands === 'late') late.push(landing);
    const answer = !mishap || mishap.lands === 'now' ? landing() : undefined;
    reply(response, mishap?.answer ?? 'yes', answer ?? imagine(catalog, arrival));
  };
  const { url, received } = await serve((request, response) => {
    if (request.method === 'PATCH') return patchContract(request, response);
    const entity = request.query.get('entity');
    const data = catalog
      .contracts()
      .filter((contract) => entity === null || entityIdOf(contract) === entity);
    sendJson(response, { data, paging: { total: data.length } });
  });
  return {
    catalog,
    received,
    arrivals,
    land: () => {
      for (const landing of late.splice(0)) landing();
    },
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
function imagine(catalog: SmallCatalog, { id, patch }: Arrival): PatchAnswer {
  return createSmallCatalog('ignores test', [catalog.find(id).document]).takeIn(id, patch)();
}

function reply(response: ServerResponse, how: Mishap['answer'], answer: PatchAnswer): void {
  if (how === 'reset') return void response.destroy();
  if (how !== 'yes') return refuse(response, how);
  if (answer.status !== 200) return refuse(response, answer.status);
  sendJson(response, answer.body);
}

function refuse(response: ServerResponse, status: number): void {
  const headers = status >= 300 && status < 400 ? { location: '/login' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ code: status, message: 'Refused.' }));
}
