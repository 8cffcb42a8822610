import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { decimal, isAbsent, isRecord, isSame, toList, toText } from '../json.ts';
import { versionAfter } from './contract.ts';
import { parseRequestBody } from './create.ts';
import { notFound } from './error-answer.ts';
import { evaluateOperations, parseOperations, withoutLinks } from './java-patch.ts';
import { type Caller, operationsOf, requirePermission, resolveOwners } from './people.ts';
import { softDelete } from './revise.ts';
import type { ApiCall } from './router.ts';
import { bindObject } from './shape.ts';
import { createdColumn } from './shapes.ts';
import {
  addEntity,
  type Entity,
  findEntityByName,
  type Include,
  putRow,
  quoteName,
  requireEntity,
  type World,
} from './world.ts';

export type NamedSpec = JsonObject & { readonly name: string };

export function addNamed(
  world: World,
  type: string,
  { name, displayName, ...given }: NamedSpec,
  fullyQualifiedName = quoteName(name),
): Entity {
  return addEntity(world, {
    type,
    name,
    fullyQualifiedName,
    ...(typeof displayName === 'string' && { displayName }),
    rest: membersOf(type, name, given, fullyQualifiedName),
  });
}

function membersOf(type: string, name: string, given: JsonObject, qualified: string): JsonObject {
  const { email, isAdmin = false, isBot = false, roles = [], ...team } = given;
  switch (type) {
    case 'user':
      return { email: email ?? `${name}@open-metadata.org`, isAdmin, isBot, roles };
    case 'team':
      return { teamType: 'Group', users: [], ...team };
    case 'table':
      return { columns: bindColumns(toList(given['columns']), qualified) };
    default:
      return given;
  }
}

export type TableSpec = {
  readonly fullyQualifiedName: string;
  readonly columns?: readonly JsonValue[];
  readonly id?: string;
};

export function addTable(world: World, { fullyQualifiedName, columns, id }: TableSpec): Entity {
  const names = splitName(fullyQualifiedName);
  addContainers(world, names.slice(0, -1).join('.'));
  return addEntity(world, {
    type: 'table',
    name: (names.at(-1) ?? '').replaceAll('"', ''),
    fullyQualifiedName,
    ...(id !== undefined && { id }),
    rest: { columns: bindColumns(columns ?? [], fullyQualifiedName) },
  });
}

const containers = ['databaseService', 'database', 'databaseSchema'] as const;

export function addContainers(world: World, qualifiedName: string): void {
  const names = splitName(qualifiedName);
  for (const [depth, name] of names.entries()) {
    const type = containers[depth];
    const fullyQualifiedName = names.slice(0, depth + 1).join('.');
    if (type && !findEntityByName(world, type, fullyQualifiedName))
      addEntity(world, { type, name: name.replaceAll('"', ''), fullyQualifiedName });
  }
}

function splitName(fullyQualifiedName: string): readonly string[] {
  return fullyQualifiedName.match(/"[^"]*"|[^."]+/gu) ?? [];
}

function bindColumns(columns: readonly JsonValue[], parent: string): readonly JsonObject[] {
  return columns.map((column) => {
    const { tags, children, ...bound } = bindObject(createdColumn, column);
    const fullyQualifiedName = `${parent}.${quoteName(toText(bound['name']))}`;
    const nested = toList(children);
    return {
      ...bound,
      fullyQualifiedName,
      tags: tags ?? [],
      ...(nested.length > 0 && { children: bindColumns(nested, fullyQualifiedName) }),
    };
  });
}

/** GET …/name/{name}: users by any case, and names with a dot in quotes. */
export function findNamed(world: World, type: string, given: string, include?: Include): Entity {
  const own = type === 'user' ? given.toLowerCase() : given;
  const name = type === 'user' || type === 'team' ? quoteName(own) : given;
  const found = findEntityByName(world, type, name, include);
  if (!found) throw notFound(type, name);
  return found;
}

const parents: { readonly [type: string]: readonly [member: string, type: string] } = {
  table: ['databaseSchema', 'databaseSchema'],
  dashboard: ['service', 'dashboardService'],
  topic: ['service', 'messagingService'],
  pipeline: ['service', 'pipelineService'],
  glossaryTerm: ['glossary', 'glossary'],
  tag: ['classification', 'classification'],
};

export function createEntity(world: World, { caller, body }: ApiCall, type: string): Entity {
  const request = parseRequestBody(body);
  requirePermission(world, caller, ['Create']);
  const document = requireDocument(request);
  const { name, owners, users } = document;
  if (typeof name !== 'string') throw badRequest('[query param name must not be null]');
  const fullyQualifiedName = qualifiedName(world, type, { ...document, name });
  const isTaken = [...world.entities.values()].some(
    (entity) => entity.type === type && entity.fullyQualifiedName === fullyQualifiedName,
  );
  if (isTaken) throw new ErrorAnswer(409, 'Entity already exists');
  const names = toList(users).flatMap((id) => world.entities.get(toText(id))?.name ?? []);
  const spec = { ...document, name, ...(type === 'team' && { users: names }) };
  const entity = addNamed(world, type, spec, fullyQualifiedName);
  const owned = { ...entity, owners: resolveOwners(world, owners) };
  world.entities.set(entity.id, owned);
  return owned;
}

function qualifiedName(world: World, type: string, request: NamedSpec): string {
  const own = quoteName(request.name);
  const [member, parentType] = parents[type] ?? [];
  if (member === undefined || parentType === undefined) return own;
  if (isAbsent(request[member])) throw badRequest(`[query param ${member} must not be null]`);
  const parent = toText(request[member]);
  if (!findEntityByName(world, parentType, parent)) throw notFound(parentType, parent);
  return `${parent}.${own}`;
}

export function patchEntity(world: World, { caller, body }: ApiCall, type: string, id: string) {
  const entity = requireEntity(world, type, id);
  const operations = parseOperations(body);
  requirePermission(world, caller, operationsOf(operations), entity);
  const before = patchable(entity);
  const after = requireDocument(evaluateOperations(before, withoutLinks(operations)));
  const { owners, columns, name, version: _v, updatedAt: _t, updatedBy: _b, ...content } = after;
  const rest = Object.entries(content).filter(([name]) => !Object.hasOwn(entity, name));
  const renamed = toText(name);
  const fullyQualifiedName = quoteName(renamed);
  // Only data products can be renamed.
  if (type === 'dataProduct') world.ids.set(`${type} ${fullyQualifiedName}`, id);
  const next = {
    ...entity,
    ...(type === 'dataProduct' && { name: renamed, fullyQualifiedName }),
    owners: resolveOwners(world, owners),
    rest: {
      ...Object.fromEntries(rest.filter(([, value]) => value !== null)),
      ...(type === 'table' && { columns: bindColumns(toList(columns), entity.fullyQualifiedName) }),
    },
  };
  if (isSame(patchable(next), before)) return { entity, change: 'entityNoChange' };
  const revised = {
    ...next,
    version: versionAfter(entity.version),
    updatedAt: world.now(),
    updatedBy: caller.name,
  };
  world.entities.set(id, revised);
  return { entity: revised, change: 'entityUpdated' };
}

// Patches apply to the asset without links.
function patchable({ type: _type, rest, version, ...entity }: Entity): JsonObject {
  return { ...entity, version: decimal(version), ...rest };
}

export function deleteEntity(
  world: World,
  caller: Caller,
  { type, id, hard }: { readonly type: string; readonly id: string; readonly hard: boolean },
): Entity {
  const entity = requireEntity(world, type, id, 'all');
  requirePermission(world, caller, ['Delete'], entity);
  const inside = `${entity.fullyQualifiedName}.`;
  for (const each of hard ? world.entities.values() : []) {
    if (each.fullyQualifiedName.startsWith(inside))
      deleteEntity(world, caller, { type: each.type, id: each.id, hard });
  }
  for (const row of world.contracts.values()) {
    const { current } = row;
    // A table's contract is deleted as the table is.
    if (current.entity.id === id) {
      if (hard) world.contracts.delete(current.id);
      else if (!current.deleted) {
        putRow(world, softDelete(row, { name: caller.name, now: world.now() }));
      }
    } else if (hard) {
      // A deleted person owns and reviews nothing any more, which makes no version of a contract.
      const owners = current.owners.filter((owner) => owner.id !== id);
      const reviewers = current.reviewers.filter((reviewer) => reviewer.id !== id);
      world.contracts.set(current.id, { ...row, current: { ...current, owners, reviewers } });
    }
  }
  if (hard) world.entities.delete(id);
  else world.entities.set(id, { ...entity, deleted: true });
  return { ...entity, deleted: entity.deleted || !hard };
}

export function requireDocument(value: JsonValue): JsonObject {
  if (isRecord(value)) return value;
  throw badRequest('Unable to process JSON');
}
