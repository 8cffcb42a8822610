import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { ErrorAnswer } from '../http.ts';
import { toList } from '../json.ts';
import type { KeptContract, Reference } from './contract.ts';
import { notFound, unhandled } from './error-answer.ts';
import { type Author, type Means, revise, type Revision, type Row } from './revise.ts';

/** A user, a team or an asset: all that is not a contract. */
export type Entity = {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly displayName?: string;
  readonly version: number;
  readonly updatedAt: number;
  readonly updatedBy: string;
  readonly deleted: boolean;
  readonly owners: readonly Reference[];
  /** What only this type has: a user's roles, a team's users, a table's columns. */
  readonly rest: JsonObject;
};

/** A custom property of contracts. */
export type CustomProperty = {
  readonly name: string;
  readonly description: string;
  /** The name of its type. */
  readonly type: string;
  readonly config?: JsonValue;
};

/** All that the server holds, in memory; operations put new rows in the place of old ones. */
export type World = {
  readonly contracts: Map<string, Row>;
  readonly entities: Map<string, Entity>;
  /** The ids of entities, by type and qualified name. */
  readonly ids: Map<string, string>;
  readonly properties: Map<string, CustomProperty>;
  /** Epoch milliseconds; no two are the same, so that each change has a time of its own. */
  readonly now: () => number;
  readonly started: number;
};

export function makeWorld(clock: () => number): World {
  let last = 0;
  const now = (): number => {
    last = Math.max(clock(), last + 1);
    return last;
  };
  return {
    contracts: new Map(),
    entities: new Map(),
    ids: new Map(),
    properties: new Map(),
    now,
    started: now(),
  };
}

type NewEntity = Pick<Entity, 'type' | 'name' | 'fullyQualifiedName'> & Partial<Entity>;

export function addEntity(world: World, entity: NewEntity): Entity {
  const added: Entity = {
    id: randomUUID(),
    version: 0.1,
    updatedAt: world.now(),
    updatedBy: 'admin',
    deleted: false,
    owners: [],
    rest: {},
    ...entity,
  };
  world.entities.set(added.id, added);
  world.ids.set(`${added.type} ${added.fullyQualifiedName}`, added.id);
  return added;
}

export function findEntity(world: World, type: string, id: string): Entity | undefined {
  const found = world.entities.get(id);
  return found?.type === type && !found.deleted ? found : undefined;
}

export function findEntityByName(world: World, type: string, name: string): Entity | undefined {
  return findEntity(world, type, world.ids.get(`${type} ${name}`) ?? '');
}

export function requireEntity(world: World, type: string, id: string): Entity {
  const found = findEntity(world, type, id);
  if (!found) throw notFound(type, id);
  return found;
}

export function referenceTo(entity: Entity): Reference {
  const { id, type, name, fullyQualifiedName, displayName = name, deleted } = entity;
  return { id, type, name, fullyQualifiedName, displayName, deleted };
}

/** Names with a dot are quoted inside qualified names. */
export function quoteName(name: string): string {
  return name.includes('.') && !name.includes('"') ? `"${name}"` : name;
}

/** Whether a user is one of these, or in a team that is. */
export function isAmong(world: World, user: string, references: readonly Reference[]): boolean {
  return references.some((reference) =>
    reference.type === 'team'
      ? usersOf(world.entities.get(reference.id)).includes(user)
      : reference.name === user,
  );
}

/** The names of a team's users. */
export function usersOf(team: Entity | undefined): readonly string[] {
  const users = team?.rest['users'];
  return toList(users).map(String);
}

export type Include = 'non-deleted' | 'deleted' | 'all';

export function includes(include: Include, { deleted }: { readonly deleted: boolean }): boolean {
  return include === 'all' || deleted === (include === 'deleted');
}

export function requireContract(world: World, id: string, include: Include = 'non-deleted'): Row {
  const row = world.contracts.get(id);
  if (!row || !includes(include, row.current)) throw notFound('dataContract', id);
  return row;
}

export function requireContractByName(
  world: World,
  name: string,
  include: Include = 'non-deleted',
): Row {
  const row = findContractByName(world, name);
  if (!row || !includes(include, row.current)) throw notFound('dataContract', name);
  return row;
}

export function findContractByName(world: World, name: string): Row | undefined {
  return world.contracts.values().find(({ current }) => current.fullyQualifiedName === name);
}

/** The live contract of an asset; of two, which a restore can bring about, either. */
export function findContractOf(
  world: World,
  { id, type }: { readonly id: string; readonly type: string },
): Row | undefined {
  return world.contracts
    .values()
    .find(
      ({ current: { entity, deleted } }) => !deleted && entity.id === id && entity.type === type,
    );
}

export function putRow(world: World, row: Row): void {
  // PostgreSQL keeps no text with a NUL in it.
  if (JSON.stringify(row.current).includes(String.raw`\u0000`)) {
    throw unhandled('ERROR: unsupported Unicode escape sequence');
  }
  world.contracts.set(row.current.id, row);
}

export type Revised = Extract<Revision, { kind: 'revised' }>;

/** Puts a revision into the world; one that is refused may leave its traces. */
export function storeRevision(
  world: World,
  row: Row,
  next: KeptContract,
  { author, means }: { readonly author: Author; readonly means: Means },
): Revised {
  const revision = revise(row, next, {
    author,
    means,
    mayReview: (reviewers) => reviewers.length === 0 || isAmong(world, author.name, reviewers),
  });
  putRow(world, revision.row);
  if (revision.kind === 'revised') return revision;
  throw new ErrorAnswer(403, `User '${author.name}' is not a reviewer`);
}
