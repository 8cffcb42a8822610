import { Hono } from 'hono/tiny';
import { parsePatch, PatchError } from '../patch/evaluate.ts';
import { limitBody, readPatchBody } from './body.ts';
import {
  authenticate,
  type Call,
  delay,
  type Environment,
  permit,
  FailedRequest,
  failureBody,
  refuseMethod,
} from './middleware.ts';
import { formatCursor } from './page.ts';
import { parseListQuery } from './query.ts';
import type { Store } from './store.ts';
import type { Tokens } from './tokens.ts';
import { updateContract } from './update.ts';

type CatalogParts = {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly now: () => number;
  readonly latencyMs: number;
};

const contracts = '/v1/dataContracts';
const contract = `${contracts}/:id`;
const versions = `${contract}/versions`;
const version = `${versions}/:version`;
const search = '/v1/search/query';

/** Every operation of the interface (§4), under `/api`. */
export function makeRoutes({ store, tokens, now, latencyMs }: CatalogParts): Hono<Environment> {
  const app = new Hono<Environment>().basePath('/api');
  if (latencyMs > 0) app.use(delay(latencyMs));
  app.use(authenticate(tokens));

  app.get(contracts, permit('list'), (call) => listContracts(call, store));
  app.patch(contract, permit('update'), limitBody, (call) => patchContract(call, store, now));
  app.get(versions, permit('view'), (call) => listVersions(call, store));
  app.get(version, permit('view'), (call) => showVersion(call, store));
  app.get(search, permit('view'), (call) => searchContracts(call, store));

  for (const path of [contracts, versions, version, search]) app.all(path, refuseMethod('GET'));
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

const searchIndexes = new Set(['dataContract', 'dataContract_search_index', 'all']);
const maximumHits = 100;

/** GET /v1/dataContracts (interface §4.1). */
function listContracts(call: Call, store: Store): Response {
  const query = parseListQuery(call.req.query());
  const { contracts, before, after } = store.page(query);
  const paging = {
    total: store.count(query),
    ...(before && { before: formatCursor(before) }),
    ...(after && { after: formatCursor(after) }),
  };
  // Put together from stored text: parsing and writing it again would be most of the cost.
  return jsonText(`{"data":[${contracts.join(',')}],"paging":${JSON.stringify(paging)}}`);
}

/** PATCH /v1/dataContracts/{id} (interface §4.2). */
async function patchContract(call: Call, store: Store, now: () => number): Promise<Response> {
  const patch = parsePatch(await readPatchBody(call));
  const { subject } = call.get('principal');
  return call.json(updateContract(store, idOf(call), patch, { subject, now: now() }));
}

/** GET /v1/dataContracts/{id}/versions (interface §4.3). */
function listVersions(call: Call, store: Store): Response {
  const versions = store.history(idOf(call));
  if (versions.length === 0)
    throw new FailedRequest(404, `There is no data contract ${idOf(call)}.`);
  return call.json({ entityType: 'dataContract', versions });
}

/** GET /v1/dataContracts/{id}/versions/{version} (interface §4.4). */
function showVersion(call: Call, store: Store): Response {
  const version = call.req.param('version') ?? '';
  const snapshot = store.snapshot(idOf(call), version);
  if (snapshot !== undefined) return jsonText(snapshot);
  throw new FailedRequest(404, `There is no version ${version} of a data contract ${idOf(call)}.`);
}

/** GET /v1/search/query (interface §4.6); the shape of the answer is OpenSearch's, as in practice. */
function searchContracts(call: Call, store: Store): Response {
  const { q, index } = call.req.query();
  if (q === undefined || index === undefined) {
    throw new FailedRequest(400, 'A search needs both `q` and `index`.');
  }
  if (!searchIndexes.has(index))
    throw new FailedRequest(404, `There is no search index "${index}".`);
  const { total, contracts } = store.search(q, maximumHits);
  const hits = contracts.map((contract) => `{"_source":${contract}}`);
  return jsonText(`{"hits":{"total":{"value":${total}},"hits":[${hits.join(',')}]}}`);
}

function idOf(call: Call): string {
  return call.req.param('id') ?? '';
}

function jsonText(text: string): Response {
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
}
