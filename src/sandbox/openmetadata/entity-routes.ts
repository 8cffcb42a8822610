import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { decimal, isRecord, toList, toText } from '../json.ts';
import { collectionOf, linked, type Reference, strongTag } from './contract.ts';
import { describeRelease } from './release.ts';
import { idOf } from './contract-routes.ts';
import { parseRequestBody } from './create.ts';
import { createEntity, deleteEntity, findNamed, patchEntity, requireDocument } from './entities.ts';
import { notFound } from './error-answer.ts';
import { parseCount, parseInclude } from './list.ts';
import { type Caller, requirePermission } from './people.ts';
import type { ApiCall, ApiReply, ApiRoutes, Endpoint } from './router.ts';
import {
  type Entity,
  findEntityByName,
  referenceTo,
  requireEntity,
  usersOf,
  type World,
} from './world.ts';

export const contractType = 'dataContract';

const types =
  `user team table topic messagingService pipeline pipelineService database databaseSchema
  databaseService dashboard dashboardService domain dataProduct metric glossary glossaryTerm classification tag`.split(
    /\s+/u,
  );

export const entityRoutes: ApiRoutes = {
  'GET /system/version': (world) => ({ document: describeRelease(world) }),
  'GET /users/loggedInUser': (world, call) =>
    shown(world, call, findNamed(world, 'user', call.caller.name)),
  ...Object.fromEntries(types.flatMap((type) => Object.entries(routesOf(type)))),
  'GET /metadata/types/name/{name}': showType,
  'GET /metadata/types/{id}': showType,
  'PUT /metadata/types/{id}': defineProperty,
  'PUT /lineage': (world, call) => {
    const { edge } = requireDocument(parseRequestBody(call.body));
    storeEdge(world, isRecord(edge) ? edge : {}, call.caller);
    return {};
  },
  'GET /lineage/{type}/name/{name}': showLineage,
  'GET /lineage/{type}/{id}': showLineage,
  'DELETE /lineage/{fromType}/{from}/{toType}/{to}': (world, { params, caller }) => {
    requirePermission(world, caller, ['EditLineage']);
    if (world.edges.delete(`${params['from']} ${params['to']}`)) return {};
    throw new ErrorAnswer(404, 'Lineage edge not found');
  },
};

function entityOf(world: World, type: string, call: ApiCall): Entity {
  const { name } = call.params;
  const include = parseInclude(call.query.get('include'));
  if (name !== undefined) return findNamed(world, type, name, include);
  return requireEntity(world, type, idOf(call), include);
}

function routesOf(type: string): ApiRoutes {
  const path = collectionOf(type);
  const show: Endpoint = (world, call) => shown(world, call, entityOf(world, type, call));
  return {
    [`POST /${path}`]: (world, call) => {
      const { document } = shown(world, call, createEntity(world, call, type));
      return { status: 201, document, location: toText(document['href']) };
    },
    [`GET /${path}/name/{name}`]: show,
    [`PUT /${path}/restore`]: (world, call) => {
      const { id } = requireDocument(parseRequestBody(call.body));
      const entity = requireEntity(world, type, toText(id), 'deleted');
      requirePermission(world, call.caller, ['EditAll'], entity);
      const restored = { ...entity, deleted: false };
      world.entities.set(entity.id, restored);
      return { document: shown(world, call, restored).document, change: 'entityRestored' };
    },
    [`GET /${path}/{id}`]: show,
    [`PATCH /${path}/{id}`]: (world, call) => {
      const { entity, change } = patchEntity(world, call, type, idOf(call));
      const document = answerOfEntity(world, entity, call, new Set(['owners']));
      return { document, tag: strongTag(entity), change };
    },
    [`DELETE /${path}/{id}`]: (world, call) => {
      const hard = call.query.get('hardDelete') === 'true';
      const entity = deleteEntity(world, call.caller, { type, id: idOf(call), hard });
      const { document } = shown(world, call, entity);
      return { document, change: hard ? 'entityDeleted' : 'entitySoftDeleted' };
    },
  };
}

function shown(world: World, call: ApiCall, entity: Entity) {
  const names = (call.query.get('fields') ?? '').split(',').map((name) => name.trim());
  const known = knownFields[entity.type];
  const unknown = names.find((name) => name && name !== '*' && known && !known.includes(name));
  if (unknown !== undefined) throw badRequest(`Invalid field name ${unknown}`);
  const fields = new Set(names.includes('*') && known ? known : names);
  return { document: answerOfEntity(world, entity, call, fields), tag: strongTag(entity) };
}

// Valid values of `fields`; what the sandbox does not keep is left out.
const knownFields: { readonly [type: string]: readonly string[] } = {
  user: 'profile roles teams follows owns domains personas defaultPersona'.split(' '),
  team: `owners profile users owns defaultRoles parents children policies userCount childrenCount
    domains`.split(/\s+/u),
  table: `tableConstraints tablePartition usageSummary owners customMetrics columns sampleData
    tableProfilerConfig tags followers joins schemaDefinition dataModel extension testSuite domains
    dataProducts lifeCycle sourceHash`.split(/\s+/u),
};

function answerOfEntity(
  world: World,
  entity: Entity,
  { base, caller }: ApiCall,
  fields: ReadonlySet<string>,
): JsonObject {
  const { type: _, owners, rest: _own, version, ...shared } = entity;
  return {
    ...shared,
    version: decimal(version),
    href: linked(entity, base).href,
    ...membersOf(world, entity, caller.isAdmin || caller.name === entity.name),
    ...(fields.has('teams') && { teams: teamsOf(world, entity).map((team) => linked(team, base)) }),
    ...(fields.has('owners') && { owners: owners.map((owner) => linked(owner, base)) }),
  };
}

function teamsOf(world: World, { name }: Entity): readonly Reference[] {
  return [...world.entities.values()]
    .filter((each) => each.type === 'team' && usersOf(each).includes(name))
    .map(referenceTo);
}

// Only admins see the e-mail addresses of others.
function membersOf(world: World, entity: Entity, showsEmail: boolean): JsonObject {
  const { type, rest } = entity;
  if (type === 'user') {
    const { email = '', isAdmin = false, isBot = false } = rest;
    const shownEmail = showsEmail ? email : '********@masked.com';
    const fixed = { allowImpersonation: false, personaPreferences: [] };
    return { email: shownEmail, isBot, isAdmin, ...fixed };
  }
  if (type !== 'team') return rest;
  const names = usersOf(entity);
  const users = [...world.entities.values()].filter(
    (each) => each.type === 'user' && names.includes(each.name),
  );
  return {
    teamType: rest['teamType'] ?? 'Group',
    childrenCount: 0,
    userCount: users.length,
    isJoinable: true,
  };
}

function showType(world: World, call: ApiCall): ApiReply {
  const entity = entityOf(world, 'type', call);
  return { document: answerOfType(world, entity), tag: strongTag(entity) };
}

function answerOfType(world: World, { id, name }: Entity): JsonObject {
  const named = { id, name, fullyQualifiedName: name };
  if (name !== contractType) return { ...named, category: 'field' };
  const customProperties = [...world.properties.values()].map((property) => {
    const { type, config, description } = property;
    const typeId = findEntityByName(world, 'type', type)?.id ?? '';
    return {
      name: property.name,
      description,
      propertyType: { id: typeId, type: 'type', name: type, fullyQualifiedName: type },
      ...(config !== undefined && { customPropertyConfig: config }),
    };
  });
  return { ...named, category: 'entity', customProperties };
}

function defineProperty(world: World, call: ApiCall): ApiReply {
  const target = requireEntity(world, 'type', idOf(call));
  requirePermission(world, call.caller, ['EditAll']);
  const { name, description, propertyType, customPropertyConfig } = requireDocument(
    parseRequestBody(call.body),
  );
  if (typeof name !== 'string') throw badRequest('[query param name must not be null]');
  const typeId = isRecord(propertyType) ? toText(propertyType['id']) : '';
  const type = world.entities.get(typeId);
  if (type?.type !== 'type') throw notFound('type', typeId);
  world.properties.set(name, {
    name,
    description: toText(description ?? ''),
    type: type.name,
    ...(customPropertyConfig !== undefined && { config: customPropertyConfig }),
  });
  return { document: answerOfType(world, target), change: 'entityUpdated' };
}

export function storeEdge(world: World, edge: JsonObject, caller: Caller): void {
  const { fromEntity, toEntity, lineageDetails } = edge;
  const from = requireEnd(world, 'fromEntity', fromEntity);
  const to = requireEnd(world, 'toEntity', toEntity);
  requirePermission(world, caller, ['EditLineage']);
  const given = isRecord(lineageDetails) ? lineageDetails : {};
  const [at, by] = [world.now(), caller.name];
  const written = { createdAt: at, createdBy: by, updatedAt: at, updatedBy: by };
  const columnsLineage = toList(given['columnsLineage']).filter(
    (line) =>
      isRecord(line) &&
      columnNames(to).has(line['toColumn']) &&
      toList(line['fromColumns']).every((column) => columnNames(from).has(column)),
  );
  const details = { source: 'Manual', ...given, columnsLineage, ...written };
  world.edges.set(`${from.id} ${to.id}`, { from: from.id, to: to.id, details });
}

function requireEnd(world: World, name: string, end: JsonValue | undefined): Entity {
  if (!isRecord(end)) throw badRequest(`[query param ${name} must not be null]`);
  return requireEntity(world, toText(end['type']), toText(end['id']));
}

function columnNames({ rest }: Entity): ReadonlySet<JsonValue | undefined> {
  return new Set(
    toList(rest['columns']).map((column) => (isRecord(column) ? column['fullyQualifiedName'] : '')),
  );
}

function showLineage(world: World, call: ApiCall): ApiReply {
  const { params, query, base } = call;
  const { type = '', name } = params;
  const asset =
    name === undefined ? requireEntity(world, type, idOf(call)) : findNamed(world, type, name);
  const nodes = new Map<string, JsonObject>();
  const walk = (id: string, depth: number, side: 'from' | 'to'): readonly JsonObject[] => {
    if (depth === 0) return [];
    return [...world.edges.values()].flatMap((edge) => {
      const next = world.entities.get(side === 'from' ? edge.to : edge.from);
      if (edge[side] !== id || !next) return [];
      nodes.set(next.id, linked(referenceTo(next), base));
      const { from: fromEntity, to: toEntity, details: lineageDetails } = edge;
      return [{ fromEntity, toEntity, lineageDetails }, ...walk(next.id, depth - 1, side)];
    });
  };
  const depth = (name: string): number => parseCount(query.get(name), name, 3, 1);
  const upstreamEdges = walk(asset.id, depth('upstreamDepth'), 'to');
  const downstreamEdges = walk(asset.id, depth('downstreamDepth'), 'from');
  const entity = linked(referenceTo(asset), base);
  return { document: { entity, nodes: [...nodes.values()], upstreamEdges, downstreamEdges } };
}
