import { isObject, type JsonObject } from '../../core/json.ts';
import { strongTag } from './contract.ts';
import { idOf } from './contract-reads.ts';
import { propertyTypes } from './custom-properties.ts';
import { answerOfEntity, parseEntityFields, requireDocument } from './entity-answers.ts';
import { createEntity, deleteEntity, findNamed, patchTable } from './entity-changes.ts';
import { badRequest, notFound } from './error-answer.ts';
import { toText } from './java-json.ts';
import { requirePermission } from './permissions.ts';
import { parseRequestBody } from './requests.ts';
import type { ApiCall, Endpoint, Reply, Route } from './router.ts';
import { addEntity, type Entity, findEntityByName, requireEntity, type World } from './world.ts';

/** The release whose behaviour this is. */
const release = { version: '1.12.6', revision: 'none' };

const kinds = { users: 'user', teams: 'team', tables: 'table' } as const;
const containers = { databases: 'database', databaseSchemas: 'databaseSchema' } as const;

/** Users, teams and assets, as far as contracts need them. */
export function otherRoutes(world: World): readonly Route[] {
  const started = world.now();
  const version: Endpoint = {
    open: true,
    run: () => ({ document: { ...release, timestamp: started } }),
  };
  return [
    { path: '/system/version', endpoints: { GET: version } },
    {
      path: '/users/loggedInUser',
      endpoints: { GET: { run: (call) => showCaller(world, call) } },
    },
    ...Object.entries({ ...kinds, ...containers }).flatMap(([path, type]) =>
      readRoutes(world, path, type),
    ),
    ...Object.entries(kinds).map(([path, type]) => createRoute(world, path, type)),
    ...typeRoutes(world),
  ];
}

function readRoutes(world: World, path: string, type: string): readonly Route[] {
  const show = (call: ApiCall, entity: Entity): Reply => shown(world, call, entity);
  const byName: Endpoint = {
    run: (call) => show(call, findNamed(world, type, call.params['name'] ?? '')),
  };
  const byId: Endpoint = { run: (call) => show(call, requireEntity(world, type, idOf(call))) };
  return [
    { path: `/${path}/name/{name}`, endpoints: { GET: byName } },
    {
      path: `/${path}/{id}`,
      endpoints: {
        GET: byId,
        ...(isDeletable(type) && { DELETE: deletion(world, type) }),
        ...(type === 'table' && tableEndpoints(world)),
      },
    },
  ];
}

function createRoute(world: World, path: string, type: string): Route {
  const create: Endpoint = {
    run: (call) => {
      const request = parseRequestBody(call.body);
      const entity = createEntity(world, call.caller, { type, request });
      const { document = {} } = shown(world, call, entity);
      return { status: 201, document, headers: { Location: toText(document['href']) } };
    },
  };
  return { path: `/${path}`, endpoints: { POST: create } };
}

function isDeletable(type: string): boolean {
  return Object.values<string>(kinds).includes(type);
}

function deletion(world: World, type: string): Endpoint {
  return {
    run: (call) => {
      const hard = call.query.get('hardDelete') === 'true';
      const entity = deleteEntity(world, call.caller, { type, id: idOf(call), hard });
      const { document = {} } = shown(world, call, entity);
      return { document, change: hard ? 'entityDeleted' : 'entitySoftDeleted' };
    },
  };
}

function tableEndpoints(world: World): Route['endpoints'] {
  return {
    PATCH: {
      takes: ['application/json-patch+json'],
      run: (call) => {
        const { table, changed } = patchTable(world, call.caller, {
          id: idOf(call),
          text: call.body,
        });
        const asking = { base: call.base, caller: call.caller, fields: new Set(['owners']) };
        return {
          document: answerOfEntity(world, table, asking),
          tag: strongTag(table),
          change: changed ? 'entityUpdated' : 'entityNoChange',
        };
      },
    },
  };
}

function shown(world: World, { base, caller, query }: ApiCall, entity: Entity): Reply {
  const fields = parseEntityFields(entity.type, query.get('fields'));
  return {
    document: answerOfEntity(world, entity, { base, caller, fields }),
    tag: strongTag(entity),
  };
}

function showCaller(world: World, call: ApiCall): Reply {
  return shown(world, call, findNamed(world, 'user', call.caller.name));
}

/** The type of contracts, and the types that a custom property can have. */
function typeRoutes(world: World): readonly Route[] {
  for (const name of [contractType, ...propertyTypes]) {
    addEntity(world, { type: 'type', name, fullyQualifiedName: name });
  }
  const define: Endpoint = { run: (call) => defineProperty(world, call) };
  return [
    {
      path: '/metadata/types/name/{name}',
      endpoints: {
        GET: {
          run: (call) => showType(world, findNamed(world, 'type', call.params['name'] ?? '')),
        },
      },
    },
    {
      path: '/metadata/types/{id}',
      endpoints: {
        GET: { run: (call) => showType(world, requireEntity(world, 'type', idOf(call))) },
        PUT: define,
      },
    },
  ];
}

const contractType = 'dataContract';

function showType(world: World, entity: Entity): Reply {
  return { document: answerOfType(world, entity), tag: strongTag(entity) };
}

function answerOfType(world: World, { id, name }: Entity): JsonObject {
  const isContract = name === contractType;
  return {
    id,
    name,
    fullyQualifiedName: name,
    category: isContract ? 'entity' : 'field',
    ...(isContract && { customProperties: listProperties(world) }),
  };
}

function listProperties(world: World): readonly JsonObject[] {
  return [...world.properties.values()].map(({ name, description, type, config }) => ({
    name,
    description,
    propertyType: {
      id: findEntityByName(world, 'type', type)?.id ?? '',
      type: 'type',
      name: type,
      fullyQualifiedName: type,
    },
    ...(config !== undefined && { customPropertyConfig: config }),
  }));
}

/** Adds a custom property to contracts. */
function defineProperty(world: World, call: ApiCall): Reply {
  const target = requireEntity(world, 'type', idOf(call));
  requirePermission(world, call.caller, ['EditAll']);
  const { name, description, propertyType, customPropertyConfig } = requireDocument(
    parseRequestBody(call.body),
  );
  if (typeof name !== 'string') throw badRequest('[query param name must not be null]');
  const typeId = isObject(propertyType) ? toText(propertyType['id']) : '';
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
