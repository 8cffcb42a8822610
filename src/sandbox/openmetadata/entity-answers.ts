import { isArray, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { linked } from './contract.ts';
import { badRequest } from './error-answer.ts';
import { decimal } from './java-json.ts';
import type { Caller } from './permissions.ts';
import { type Entity, referenceTo, usersOf, type World } from './world.ts';

/** What an answer about a user, team or asset needs to know of the request. */
export type Asking = {
  readonly base: string;
  readonly caller: Caller;
  readonly fields: ReadonlySet<string>;
};

/** A user, team or asset as answers show it. */
export function answerOfEntity(world: World, entity: Entity, asking: Asking): JsonObject {
  const { id, type, name, fullyQualifiedName, displayName, deleted } = entity;
  return {
    id,
    name,
    fullyQualifiedName,
    ...(displayName !== undefined && { displayName }),
    version: decimal(entity.version),
    updatedAt: entity.updatedAt,
    updatedBy: entity.updatedBy,
    href: linked({ id, type }, asking.base).href,
    ...ownMembers(world, entity, asking),
    ...(asking.fields.has('owners') && {
      owners: entity.owners.map((owner) => linked(owner, asking.base)),
    }),
    deleted,
  };
}

/** Members that only this type has. */
function ownMembers(world: World, entity: Entity, asking: Asking): JsonObject {
  switch (entity.type) {
    case 'user':
      return userMembers(world, entity, asking);
    case 'team':
      return teamMembers(world, entity, asking);
    default:
      return entity.rest;
  }
}

/** E-mails of others are for admins. */
function userMembers(world: World, { name, rest }: Entity, { caller, fields }: Asking): JsonObject {
  const { email = '', isAdmin = false, isBot = false, roles = [] } = rest;
  const teams = [...world.entities.values()].filter((team) => usersOf(team).includes(name));
  return {
    email: caller.isAdmin || caller.name === name ? email : '********@masked.com',
    isBot,
    isAdmin,
    allowImpersonation: false,
    ...(fields.has('teams') && { teams: teams.map(referenceTo) }),
    ...(fields.has('roles') && { roles: namedReferences(roles) }),
    personaPreferences: [],
  };
}

function teamMembers(world: World, team: Entity, { fields }: Asking): JsonObject {
  const names = usersOf(team);
  const users = [...world.entities.values()].filter(
    ({ type, name }) => type === 'user' && names.includes(name),
  );
  return {
    teamType: team.rest['teamType'] ?? 'Group',
    childrenCount: 0,
    userCount: users.length,
    isJoinable: true,
    ...(fields.has('users') && { users: users.map(referenceTo) }),
  };
}

function namedReferences(names: JsonValue): JsonValue {
  return isArray(names) ? names.map((name) => ({ type: 'role', name })) : [];
}

/** Fields that may be asked for, by type; what is asked for and not kept here is left out. */
const knownFields: { readonly [type: string]: ReadonlySet<string> } = {
  user: new Set('profile roles teams follows owns domains personas defaultPersona'.split(' ')),
  team: new Set(
    'owners profile users owns defaultRoles parents children policies userCount childrenCount domains'.split(
      ' ',
    ),
  ),
  table: new Set(
    `tableConstraints tablePartition usageSummary owners customMetrics columns sampleData
    tableProfilerConfig tags followers joins schemaDefinition dataModel extension testSuite domains
    dataProducts lifeCycle sourceHash`.split(/\s+/u),
  ),
};

export function parseEntityFields(type: string, text: string | null): ReadonlySet<string> {
  const names = (text ?? '').split(',').map((name) => name.trim());
  const known = knownFields[type];
  const unknown = names.find((name) => name && name !== '*' && known && !known.has(name));
  if (unknown !== undefined) throw badRequest(`Invalid field name ${unknown}`);
  return names.includes('*') && known ? known : new Set(names);
}

/** A table as a patch finds it: without links. */
export function patchableTable({
  name,
  fullyQualifiedName,
  rest,
  owners,
  ...entity
}: Entity): JsonObject {
  const { id, version, updatedAt, updatedBy, deleted, displayName } = entity;
  return {
    id,
    name,
    ...(displayName !== undefined && { displayName }),
    fullyQualifiedName,
    version: decimal(version),
    updatedAt,
    updatedBy,
    ...rest,
    owners,
    deleted,
  };
}

export function requireDocument(value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  throw badRequest('Unable to process JSON');
}
