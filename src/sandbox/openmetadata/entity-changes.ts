import { deepEqual, type JsonObject, type JsonValue } from '../../core/json.ts';
import { addTable, addTeam, addUser, bindColumns, namesByIds } from './entities.ts';
import { patchableTable, requireDocument } from './entity-answers.ts';
import { badRequest, ErrorAnswer, notFound } from './error-answer.ts';
import { evaluateOperations, parseOperations, withoutLinks } from './java-patch.ts';
import { versionAfter } from './contract.ts';
import { toList, toText } from './java-json.ts';
import { type Caller, operationsOf, requirePermission } from './permissions.ts';
import { resolveOwners } from './references.ts';
import { softDelete } from './remove.ts';
import {
  type Entity,
  findEntityByName,
  putRow,
  quoteName,
  requireEntity,
  type World,
} from './world.ts';

/** GET …/name/{name}: users by any case, and names with a dot in quotes. */
export function findNamed(world: World, type: string, given: string): Entity {
  const name = type === 'user' ? quoteName(given.toLowerCase()) : nameOf(type, given);
  const found = findEntityByName(world, type, name);
  if (!found) throw notFound(type, name);
  return found;
}

function nameOf(type: string, given: string): string {
  return type === 'team' ? quoteName(given) : given;
}

type Creator = (world: World, request: JsonObject & { readonly name: string }) => Entity;

const creators: { readonly [type: string]: Creator } = {
  user: (world, { name, ...request }) => {
    const user = addUser(world, {
      ...textsOf(request),
      name,
      isAdmin: request['isAdmin'] === true,
    });
    for (const team of namesByIds(world, 'team', request['teams'])) join(world, team, name);
    return user;
  },
  team: (world, { name, users, ...request }) =>
    addTeam(world, { ...textsOf(request), name, users: namesByIds(world, 'user', users) }),
  table: (world, { name, databaseSchema, columns }) => {
    const schema = toText(databaseSchema);
    if (!findEntityByName(world, 'databaseSchema', schema)) {
      throw notFound('databaseSchema', schema);
    }
    return addTable(world, {
      fullyQualifiedName: `${schema}.${quoteName(name)}`,
      columns: toList(columns),
    });
  },
};

function textsOf({ displayName, email, teamType }: JsonObject): Readonly<Record<string, string>> {
  const texts = Object.entries({ displayName, email, teamType });
  return Object.fromEntries(
    texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function join(world: World, team: string, user: string): void {
  const found = findEntityByName(world, 'team', quoteName(team));
  if (!found) return;
  const users = [...namesIn(found), user];
  world.entities.set(found.id, { ...found, rest: { ...found.rest, users } });
}

function namesIn({ rest }: Entity): readonly JsonValue[] {
  return toList(rest['users']);
}

/** POST of a user, a team or a table. */
export function createEntity(
  world: World,
  caller: Caller,
  { type, request }: { readonly type: string; readonly request: JsonValue },
): Entity {
  requirePermission(world, caller, ['Create']);
  const document = requireDocument(request);
  const { name } = document;
  if (typeof name !== 'string') throw badRequest('[query param name must not be null]');
  const create = creators[type];
  if (!create) throw new ErrorAnswer(405, 'HTTP 405 Method Not Allowed');
  if (isTaken(world, type, document)) throw new ErrorAnswer(409, 'Entity already exists');
  return create(world, { ...document, name });
}

function isTaken(world: World, type: string, { name, databaseSchema }: JsonObject): boolean {
  const own = quoteName(toText(name));
  const full = type === 'table' ? `${toText(databaseSchema)}.${own}` : own;
  return [...world.entities.values()].some(
    (entity) => entity.type === type && entity.fullyQualifiedName === full,
  );
}

/** PATCH of a table: its columns, owners and description. */
export function patchTable(
  world: World,
  caller: Caller,
  { id, text }: { readonly id: string; readonly text: string },
): { readonly table: Entity; readonly changed: boolean } {
  const table = requireEntity(world, 'table', id);
  const operations = parseOperations(text);
  requirePermission(world, caller, operationsOf(operations), table);
  const before = patchableTable(table);
  const after = requireDocument(evaluateOperations(before, withoutLinks(operations)));
  const { columns, description, owners } = after;
  const next = {
    ...table,
    owners: resolveOwners(world, owners),
    rest: {
      columns: bindColumns(toList(columns), table.fullyQualifiedName),
      ...(description !== undefined && description !== null && { description }),
    },
  };
  if (deepEqual(patchableTable(next), before)) return { table, changed: false };
  const revised = {
    ...next,
    version: versionAfter(table.version),
    updatedAt: world.now(),
    updatedBy: caller.name,
  };
  world.entities.set(id, revised);
  return { table: revised, changed: true };
}

/** DELETE of a table, a user or a team. */
export function deleteEntity(
  world: World,
  caller: Caller,
  { type, id, hard }: { readonly type: string; readonly id: string; readonly hard: boolean },
): Entity {
  const entity = world.entities.get(id);
  if (entity?.type !== type) throw notFound(type, id);
  requirePermission(world, caller, ['Delete'], entity);
  if (type === 'table') deleteContractsOf(world, caller, { id, hard });
  else if (hard) dropPerson(world, id);
  if (hard) world.entities.delete(id);
  else world.entities.set(id, { ...entity, deleted: true });
  return { ...entity, deleted: !hard };
}

/** The contracts of a table go the way that it goes. */
function deleteContractsOf(
  world: World,
  caller: Caller,
  { id, hard }: { readonly id: string; readonly hard: boolean },
): void {
  for (const row of world.contracts.values()) {
    if (row.current.entity.id !== id) continue;
    if (hard) world.contracts.delete(row.current.id);
    else if (!row.current.deleted) {
      putRow(world, softDelete(row, { name: caller.name, now: world.now() }));
    }
  }
}

/** Whoever is gone owns and reviews nothing any more; no contract gets a version of it. */
function dropPerson(world: World, id: string): void {
  for (const row of world.contracts.values()) {
    const [owners, reviewers] = [row.current.owners, row.current.reviewers].map((people) =>
      people.filter((person) => person.id !== id),
    );
    world.contracts.set(row.current.id, {
      ...row,
      current: { ...row.current, owners: owners ?? [], reviewers: reviewers ?? [] },
    });
  }
}
