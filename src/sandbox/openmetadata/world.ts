import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { isSame, toList } from '../json.ts';
import type { KeptContract, Reference, Row } from './contract.ts';
import { notFound, unhandled } from './error-answer.ts';

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
  /** Members of its type: a user's roles, a team's users, a table's columns. */
  readonly rest: JsonObject;
};

export type CustomProperty = {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly config?: JsonValue;
};

export type World = Readonly<ReturnType<typeof makeWorld>>;

export function makeWorld(clock: () => number, release = '1.12') {
  let last = 0;
  // Strictly increasing, so that each change has a time of its own.
  const now = (): number => {
    last = Math.max(clock(), last + 1);
    return last;
  };
  return {
    contracts: new Map<string, Row>(),
    entities: new Map<string, Entity>(),
    ids: new Map<string, string>(),
    properties: new Map<string, CustomProperty>(),
    edges: new Map<string, { from: string; to: string; details: JsonObject }>(),
    now,
    started: now(),
    release,
  };
}

export function addEntity(
  world: World,
  entity: Pick<Entity, 'type' | 'name' | 'fullyQualifiedName'> & Partial<Entity>,
): Entity {
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

export function findEntityByName(
  world: World,
  type: string,
  name: string,
  include: Include = 'non-deleted',
): Entity | undefined {
  const found = world.entities.get(world.ids.get(`${type} ${name}`) ?? '');
  return found && includes(include, found) ? found : undefined;
}

export function requireEntity(
  world: World,
  type: string,
  id: string,
  include: Include = 'non-deleted',
): Entity {
  const found = world.entities.get(id);
  if (found?.type !== type || !includes(include, found)) throw notFound(type, id);
  return found;
}

export function referenceTo(entity: Entity): Reference {
  const { id, type, name, fullyQualifiedName, displayName = name, deleted } = entity;
  return { id, type, name, fullyQualifiedName, displayName, deleted };
}

export function quoteName(name: string): string {
  return name.includes('.') && !name.includes('"') ? `"${name}"` : name;
}

/** Deleted people come back if restored, unless the delete was a hard one. */
export function refresh(
  world: World,
  references: readonly Reference[],
  include: Include = 'non-deleted',
): readonly Reference[] {
  return references.flatMap(({ id }) => {
    const person = world.entities.get(id);
    if (!person || !includes(include, person)) return [];
    const { description } = person.rest;
    return [{ ...referenceTo(person), ...(typeof description === 'string' && { description }) }];
  });
}

export function withPeople(world: World, contract: KeptContract, include?: Include): KeptContract {
  const owners = refresh(world, contract.owners, include);
  const reviewers = refresh(world, contract.reviewers, include);
  const isCurrent = isSame(owners, contract.owners) && isSame(reviewers, contract.reviewers);
  return isCurrent ? contract : { ...contract, owners, reviewers };
}

export function isAmong(world: World, user: string, references: readonly Reference[]): boolean {
  return references.some((reference) =>
    reference.type === 'team'
      ? usersOf(world.entities.get(reference.id)).includes(user)
      : reference.name === user,
  );
}

export function usersOf(team: Entity | undefined): readonly string[] {
  return toList(team?.rest['users']).map(String);
}

export type Include = 'non-deleted' | 'deleted' | 'all';

export function includes(include: Include, { deleted }: { readonly deleted: boolean }): boolean {
  return include === 'all' || deleted === (include === 'deleted');
}

export function requireContract(world: World, id: string, include?: Include): Row {
  return requirePresent(world.contracts.get(id), id, include);
}

export function requirePresent(
  row: Row | undefined,
  key: string,
  include: Include = 'non-deleted',
) {
  if (row && includes(include, row.current)) return row;
  throw notFound('dataContract', key);
}

export function findContractByName(world: World, name: string): Row | undefined {
  return world.contracts.values().find(({ current }) => current.fullyQualifiedName === name);
}

/** A restore can leave an asset with two contracts: either is returned. */
export function findContractOf(world: World, { id, type }: Pick<Entity, 'id' | 'type'>) {
  return world.contracts.values().find(({ current: { entity, deleted } }) => {
    return !deleted && entity.id === id && entity.type === type;
  });
}

export function putRow(world: World, row: Row): void {
  // PostgreSQL stores no text with a NUL.
  if (JSON.stringify(row.current).includes(String.raw`\u0000`))
    throw unhandled(
      'org.postgresql.util.PSQLException: ERROR: unsupported Unicode escape sequence',
    );
  world.contracts.set(row.current.id, row);
}
