import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { isRecord, toList, toText, uuid } from '../json.ts';
import {
  answerOf,
  answerOfVersion,
  type KeptContract,
  keptDocument,
  type Row,
  strongTag,
  versionText,
} from './contract.ts';
import { bindJson, createContract, parseRequestBody, putContract, readCreate } from './create.ts';
import { httpError, unhandled } from './error-answer.ts';
import { answerList, parseFields, parseInclude } from './list.ts';
import { patchContract } from './patch-contract.ts';
import { requirePermission } from './people.ts';
import { explainPatch, runWorkflow, tagOf } from './release.ts';
import { softDelete, storeRevision } from './revise.ts';
import type { ApiCall, ApiReply, ApiRoutes } from './router.ts';
import { runContract, validateCreate } from './run.ts';
import {
  findContractByName,
  findContractOf,
  putRow,
  requireContract,
  requirePresent,
  requireEntity,
  withPeople,
  type Entity,
  type Include,
  referenceTo,
  type World,
} from './world.ts';

export const contractRoutes: ApiRoutes = {
  'GET /dataContracts': (world, { query, base }) => ({ document: answerList(world, query, base) }),
  'POST /dataContracts': post,
  'PUT /dataContracts': put,
  'GET /dataContracts/entity': showByEntity,
  'PUT /dataContracts/restore': restore,
  'POST /dataContracts/validate': (world, { body }) => ({
    document: validateCreate(world, bindJson(body)),
  }),
  'GET /dataContracts/name/{fqn}': show,
  'DELETE /dataContracts/name/{fqn}': remove,
  // The server removes the contract a moment later, the sandbox at once.
  'DELETE /dataContracts/async/{id}': (world, call) => {
    remove(world, call);
    return { status: 202, document: { message: 'Delete operation initiated.' } };
  },
  'GET /dataContracts/{id}': show,
  'PATCH /dataContracts/{id}': patch,
  'DELETE /dataContracts/{id}': remove,
  'GET /dataContracts/{id}/versions': listVersions,
  'GET /dataContracts/{id}/versions/{version}': showVersion,
  'POST /dataContracts/{id}/validate': (world, call) => ({
    document: runContract(world, call.caller, idOf(call)),
    change: 'entityUpdated',
  }),
  'GET /dataContracts/{id}/results': (world, call) => {
    const { results } = requireContract(world, idOf(call));
    return { document: { data: results, paging: { total: results.length } } };
  },
  'GET /dataContracts/{id}/results/latest': showLatestResult,
};

/** The server answers an id that is no UUID with 404. */
export function idOf({ params }: ApiCall): string {
  const { id = '' } = params;
  if (!uuid.test(id)) throw httpError(404);
  return id.toLowerCase();
}

function requireRow(world: World, call: ApiCall, include: Include): Row {
  const { fqn } = call.params;
  if (fqn === undefined) return requireContract(world, idOf(call), include);
  return requirePresent(findContractByName(world, fqn), fqn, include);
}

function show(world: World, call: ApiCall): ApiReply {
  const { query, base } = call;
  const include = parseInclude(query.get('include'));
  const { current } = requireRow(world, call, include);
  const fields = parseFields(query.get('fields'));
  // With `include=deleted`, a contract has only the people who are deleted too.
  const contract = withPeople(world, current, include);
  return { document: answerOf(contract, { base, self: true, fields }), tag: tagOf(world, current) };
}

function showByEntity(world: World, { query, base }: ApiCall): ApiReply {
  const [type, id] = [query.get('entityType'), query.get('entityId')];
  if (id !== null && !uuid.test(id)) throw httpError(404);
  if (type === null) throw unhandled('resource is marked non-null but is null');
  if (id === null)
    throw unhandled('Cannot invoke "java.util.UUID.toString()" because "id" is null');
  const found = findEffectiveContract(world, requireEntity(world, type, id));
  if (!found) throw new ErrorAnswer(404, `Data contract for entity ${id} is not found`);
  const fields = new Set(parseFields(query.get('fields')));
  // A contract combined with its data product's shows what a patch has written as it is: reviewers
  // too, unrequested.
  if (found.version > 0.1 && found !== findContractOf(world, { id, type })?.current)
    fields.add('reviewers');
  const view = { base, self: false, fields };
  return { document: answerOf(withPeople(world, found), view), tag: strongTag(found) };
}

const sections = ['termsOfUse', 'security', 'sla'];

// GET /entity answers with the asset's contract and what its data product's contract adds, or with
// that contract alone, its id and version included, as if it were the asset's.
function findEffectiveContract(world: World, asset: Entity): KeptContract | undefined {
  const own = findContractOf(world, asset)?.current;
  const product = findProductContract(world, asset);
  if (!product) return own;
  const given = sections.filter((name) => isRecord(product[name]));
  const inherited = {
    ...Object.fromEntries(given.map((name) => [name, markInherited(product[name])])),
    semantics: toList(product['semantics']).map(markInherited),
  };
  if (!own) {
    const entity = referenceTo(asset);
    return { ...product, ...inherited, entity, entityStatus: 'Draft', inherited: true };
  }
  // By name, so that the contract's own rules are not repeated.
  const all = [...inherited.semantics, ...toList(own['semantics'])];
  const rules = new Map(all.map((rule) => [isRecord(rule) ? rule['name'] : undefined, rule]));
  return { ...inherited, ...own, semantics: [...rules.values()] };
}

function markInherited(part: JsonValue | undefined): JsonObject {
  return { ...(isRecord(part) && part), inherited: true };
}

// Only for an asset in exactly one data product with an approved contract.
function findProductContract(world: World, asset: Entity): KeptContract | undefined {
  const [first, ...others] = toList(asset.rest['dataProducts']);
  if (!isRecord(first) || others.length > 0) return undefined;
  const product = { id: toText(first['id']), type: 'dataProduct' };
  const contract = findContractOf(world, product)?.current;
  return contract?.entityStatus === 'Approved' ? contract : undefined;
}

function listVersions(world: World, call: ApiCall): ApiReply {
  const { current, history } = requireContract(world, idOf(call), 'all');
  const versions = [withPeople(world, current), ...history].map((version) =>
    JSON.stringify(keptDocument(version)),
  );
  return { document: { entityType: 'dataContract', versions } };
}

function showVersion(world: World, call: ApiCall): ApiReply {
  const id = idOf(call);
  const { version: text = '' } = call.params;
  const wanted = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) ? Number(text) : undefined;
  if (wanted === undefined) throw badRequest(`For input string: "${text}"`);
  const { current, history } = requireContract(world, id, 'all');
  const found = [withPeople(world, current), ...history].find(({ version }) => version === wanted);
  if (found) return { document: answerOfVersion(found), tag: strongTag(found) };
  const name = versionText(wanted);
  throw new ErrorAnswer(404, `dataContract instance for ${id} and version ${name} not found`);
}

function showLatestResult(world: World, call: ApiCall): ApiReply {
  const { current, results } = requireContract(world, idOf(call));
  const [latest] = results;
  if (isRecord(latest)) return { document: latest };
  throw badRequest(
    `Data contract ${current.fullyQualifiedName} does not have a latest result defined`,
  );
}

function post(world: World, call: ApiCall): ApiReply {
  return readCreate(call, (create) => {
    const contract = createContract(world, call.caller, create);
    runWorkflow(world, contract);
    return created(contract, create, call);
  });
}

// The server shows only those of owners, reviewers and extension that the request names.
function created(contract: KeptContract, create: JsonObject, { base }: ApiCall): ApiReply {
  const fields = new Set(Object.keys(create));
  return {
    status: 201,
    document: answerOf(contract, { base, self: true, fields }),
    location: `${base}/v1/dataContracts/${contract.id}`,
  };
}

function put(world: World, call: ApiCall): ApiReply {
  return readCreate(call, (create) => {
    const { change, answer } = putContract(world, call.caller, create);
    if (change === 'entityCreated') return { ...created(answer, create, call), change };
    return { document: answerOf(answer, { base: call.base, self: true }), change };
  });
}

function patch(world: World, call: ApiCall): ApiReply {
  const { caller, body: text, headers, base } = call;
  const request = { id: idOf(call), caller, text, ifMatch: headers['if-match'] };
  const { answer, change } = explainPatch(world, () => patchContract(world, request));
  const tag = tagOf(world, requireContract(world, answer.id).current);
  runWorkflow(world, answer);
  return { document: answerOf(answer, { base, self: true }), tag, change };
}

// A soft delete is a version; a hard one removes the history too.
function remove(world: World, call: ApiCall): ApiReply {
  const row = requireRow(world, call, 'all');
  const { current } = row;
  requirePermission(world, call.caller, ['Delete'], current);
  const view = { base: call.base, self: false };
  if (call.query.get('hardDelete') === 'true') {
    world.contracts.delete(current.id);
    return { document: answerOf(current, view), change: 'entityDeleted' };
  }
  const deleted = current.deleted
    ? row
    : softDelete(row, { name: call.caller.name, now: world.now() });
  putRow(world, deleted);
  return { document: answerOf(deleted.current, view), change: 'entitySoftDeleted' };
}

// Another contract may have come to the asset since then, and both remain.
function restore(world: World, call: ApiCall): ApiReply {
  const body = parseRequestBody(call.body);
  const id = isRecord(body) ? body['id'] : undefined;
  if (typeof id !== 'string') throw badRequest('[query param id must not be null]');
  const row = world.contracts.get(id);
  requirePermission(world, call.caller, ['EditAll'], row?.current);
  if (!row?.current.deleted) {
    throw unhandled(
      'Cannot invoke "org.openmetadata.service.util.RestUtil$PutResponse.getEntity()" because "response" is null',
    );
  }
  const author = { name: call.caller.name, now: world.now() };
  const restored = { ...row.current, deleted: false };
  const { answer } = storeRevision(world, row, restored, { author, means: 'put' });
  const document = answerOf(answer, { base: call.base, self: false });
  return { document, change: 'entityRestored' };
}
