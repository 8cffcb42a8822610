import { Hono } from 'hono/tiny';
import { parsePatch, PatchError } from '../patch/evaluate.ts';
import { limitBody, readPatchBody } from './body.ts';
import {
  authenticate,
  type Call,
  type Environment,
  permit,
  FailedRequest,
  failureBody,
  refuseMethod,
} from './middleware.ts';
import { formatCursor } from './cursor.ts';
import { parseListQuery } from './query.ts';
import type { Store } from './store.ts';
import type { Tokens } from './tokens.ts';
import { updateContract } from './update.ts';

type CatalogParts = {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly now: () => number;
};

const contracts = '/v1/dataContracts';
const contract = `${contracts}/:id`;
const versions = `${contract}/versions`;
const version = `${versions}/:version`;

/** Every operation of the interface (§4), under `/api`. */
export function makeRoutes({ store, tokens, now }: CatalogParts): Hono<Environment> {
  const app = new Hono<Environment>().basePath('/api');
  app.use(authenticate(tokens));

  app.get(contracts, permit('list'), (call) => listContracts(call, store));
  app.patch(contract, permit('update'), limitBody, (call) => patchContract(call, store, now));
  app.get(versions, permit('view'), (call) => listVersions(call, store));
  app.get(version, permit('view'), (call) => showVersion(call, store));

  for (const path of [contracts, versions, version]) app.all(path, refuseMethod('GET'));
  app.all(contract, refuseMethod('PATCH'));

  app.notFound(({ req }) => answer(new FailedRequest(404, `There is nothing at ${req.path}.`)));
  app.onError((error) => answer(toFailedRequest(error)));
  return app;
}

function toFailedRequest(error: Error): FailedRequest {
  if (error instanceof FailedRequest) return error;
  if (error instanceof PatchError) return new FailedRequest(400, error.message);
  return new FailedRequest(500, `The sandbox failed: ${error.message}`);
}

function answer(failure: FailedRequest): Response {
  return Response.json(failureBody(failure), { status: failure.status, headers: failure.headers });
}

/** GET /v1/dataContracts (interface §4.1). */
function listContracts(call: Call, store: Store): Response {
  const query = parseListQuery(call.req.query());
  const { contracts, total, before, after } = store.page(query);
  const paging = {
    total,
    ...(before && { before: formatCursor(before) }),
    ...(after && { after: formatCursor(after) }),
  };
  return call.json({ data: contracts, paging });
}

/** PATCH /v1/dataContracts/{id} (interface §4.2). */
async function patchContract(call: Call, store: Store, now: () => number): Promise<Response> {
  const patch = parsePatch(await readPatchBody(call));
  const { subject } = call.get('principal');
  return call.json(updateContract(store, idOf(call), patch, { subject, now: now() }));
}

/** GET /v1/dataContracts/{id}/versions (interface §4.3). */
function listVersions(call: Call, store: Store): Response {
  const versions = store.history(idOf(call)).map((each) => JSON.stringify(each));
  if (versions.length === 0)
    throw new FailedRequest(404, `There is no data contract ${idOf(call)}.`);
  return call.json({ entityType: 'dataContract', versions });
}

/** GET /v1/dataContracts/{id}/versions/{version} (interface §4.4). */
function showVersion(call: Call, store: Store): Response {
  const version = call.req.param('version') ?? '';
  const snapshot = store.snapshot(idOf(call), version);
  if (snapshot !== undefined) return call.json(snapshot);
  throw new FailedRequest(404, `There is no version ${version} of a data contract ${idOf(call)}.`);
}

function idOf(call: Call): string {
  return call.req.param('id') ?? '';
}
