import { isObject } from '../../core/json.ts';
import { answerOf, answerOfVersion, keptDocument, strongTag, versionText } from './contract.ts';
import { badRequest, ErrorAnswer, httpError, unhandled } from './error-answer.ts';
import { answerList, parseFields, parseInclude } from './list.ts';
import type { Row } from './revise.ts';
import type { ApiCall, Reply } from './router.ts';
import { uuid } from '../shape.ts';
import {
  findContractOf,
  requireContract,
  requireContractByName,
  requireEntity,
  type World,
} from './world.ts';

/** GET /dataContracts. */
export function showList(world: World, { query, base }: ApiCall): Reply {
  return { document: answerList(world, query, base) };
}

/** The id in an address; what is none leads nowhere. */
export function idOf({ params }: ApiCall): string {
  const { id = '' } = params;
  if (!uuid.test(id)) throw httpError(404);
  return id.toLowerCase();
}

export function show(world: World, call: ApiCall): Reply {
  const include = parseInclude(call.query.get('include'));
  return shown(requireContract(world, idOf(call), include), call);
}

export function showByName(world: World, call: ApiCall): Reply {
  const include = parseInclude(call.query.get('include'));
  return shown(requireContractByName(world, call.params['fqn'] ?? '', include), call);
}

function shown({ current }: Row, { query, base }: ApiCall): Reply {
  const fields = parseFields(query.get('fields'));
  // Asked for among the deleted alone, a contract has lost its people.
  const contract =
    query.get('include') === 'deleted' ? { ...current, owners: [], reviewers: [] } : current;
  return { document: answerOf(contract, { base, self: true, fields }), tag: strongTag(current) };
}

export function showByEntity(world: World, { query, base }: ApiCall): Reply {
  const [type, id] = [query.get('entityType'), query.get('entityId')];
  if (id !== null && !uuid.test(id)) throw httpError(404);
  if (type === null) throw unhandled('resource is marked non-null but is null');
  if (id === null) {
    throw unhandled('Cannot invoke "java.util.UUID.toString()" because "id" is null');
  }
  requireEntity(world, type, id);
  const row = findContractOf(world, { id, type });
  if (!row) throw new ErrorAnswer(404, `Data contract for entity ${id} is not found`);
  const view = { base, self: false, fields: parseFields(query.get('fields')) };
  return { document: answerOf(row.current, view), tag: strongTag(row.current) };
}

export function listVersions(world: World, call: ApiCall): Reply {
  const { current, history } = requireContract(world, idOf(call), 'all');
  const versions = [current, ...history].map((version) => JSON.stringify(keptDocument(version)));
  return { document: { entityType: 'dataContract', versions } };
}

/** A version is a decimal number, however it is written. */
export function showVersion(world: World, call: ApiCall): Reply {
  const id = idOf(call);
  const { version: text = '' } = call.params;
  const wanted = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) ? Number(text) : undefined;
  if (wanted === undefined) throw badRequest(`For input string: "${text}"`);
  const { current, history } = requireContract(world, id, 'all');
  const found = [current, ...history].find(({ version }) => version === wanted);
  if (!found) {
    const name = versionText(wanted);
    throw new ErrorAnswer(404, `dataContract instance for ${id} and version ${name} not found`);
  }
  return { document: answerOfVersion(found), tag: strongTag(found) };
}

export function listResults(world: World, call: ApiCall): Reply {
  const { results } = requireContract(world, idOf(call));
  return { document: { data: results, paging: { total: results.length } } };
}

export function showLatestResult(world: World, call: ApiCall): Reply {
  const { current, results } = requireContract(world, idOf(call));
  const [latest] = results;
  if (isObject(latest)) return { document: latest };
  throw badRequest(
    `Data contract ${current.fullyQualifiedName} does not have a latest result defined`,
  );
}
