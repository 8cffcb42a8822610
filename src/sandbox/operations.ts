import { parsePatch } from '../patch/evaluate.ts';
import { readPatchBody } from './body.ts';
import { formatCursor } from './cursor.ts';
import type { Call } from './gate.ts';
import { Problem } from './problem.ts';
import { parseListQuery } from './query.ts';
import type { Store } from './store.ts';
import { updateContract } from './update.ts';

const searchIndexes = new Set(['dataContract', 'dataContract_search_index', 'all']);
const maximumHits = 100;

/** GET /v1/dataContracts (interface §4.1). */
export function listContracts(call: Call, store: Store): Response {
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
export async function patchContract(
  call: Call,
  store: Store,
  now: () => number,
): Promise<Response> {
  const patch = parsePatch(await readPatchBody(call));
  const { subject } = call.get('principal');
  return call.json(updateContract(store, idOf(call), patch, { subject, now: now() }));
}

/** GET /v1/dataContracts/{id}/versions (interface §4.3). */
export function listVersions(call: Call, store: Store): Response {
  const versions = store.history(idOf(call));
  if (versions.length === 0) throw new Problem(404, `There is no data contract ${idOf(call)}.`);
  return call.json({ entityType: 'dataContract', versions });
}

/** GET /v1/dataContracts/{id}/versions/{version} (interface §4.4). */
export function showVersion(call: Call, store: Store): Response {
  const version = call.req.param('version') ?? '';
  const snapshot = store.snapshot(idOf(call), version);
  if (snapshot !== undefined) return jsonText(snapshot);
  throw new Problem(404, `There is no version ${version} of a data contract ${idOf(call)}.`);
}

/** GET /v1/search/query (interface §4.6); the shape of the answer is OpenSearch's, as in practice. */
export function searchContracts(call: Call, store: Store): Response {
  const { q, index } = call.req.query();
  if (q === undefined || index === undefined) {
    throw new Problem(400, 'A search needs both `q` and `index`.');
  }
  if (!searchIndexes.has(index)) throw new Problem(404, `There is no search index "${index}".`);
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
