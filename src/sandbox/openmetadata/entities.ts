import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { toList, toText } from './java-json.ts';
import { columnShape } from './part-shapes.ts';
import { bindObject } from './shape.ts';
import { addEntity, type Entity, findEntityByName, quoteName, type World } from './world.ts';

export type UserSpec = {
  readonly name: string;
  readonly displayName?: string;
  readonly email?: string;
  readonly isAdmin?: boolean;
  readonly isBot?: boolean;
  readonly roles?: readonly string[];
};

export function addUser(world: World, spec: UserSpec): Entity {
  const { name, displayName, isAdmin = false, isBot = false, roles = [] } = spec;
  return addEntity(world, {
    type: 'user',
    name,
    fullyQualifiedName: quoteName(name),
    ...(displayName !== undefined && { displayName }),
    rest: { email: spec.email ?? `${name}@open-metadata.org`, isAdmin, isBot, roles },
  });
}

export type TeamSpec = {
  readonly name: string;
  readonly displayName?: string;
  readonly teamType?: string;
  /** The names of its users. */
  readonly users?: readonly string[];
};

export function addTeam(world: World, spec: TeamSpec): Entity {
  const { name, displayName, teamType = 'Group', users = [] } = spec;
  return addEntity(world, {
    type: 'team',
    name,
    fullyQualifiedName: quoteName(name),
    ...(displayName !== undefined && { displayName }),
    rest: { teamType, users },
  });
}

export type TableSpec = {
  readonly fullyQualifiedName: string;
  readonly columns?: readonly JsonValue[];
  readonly id?: string;
};

/** A table, with the schema, database and service that its name tells of. */
export function addTable(world: World, { fullyQualifiedName, columns, id }: TableSpec): Entity {
  const names = splitName(fullyQualifiedName);
  addContainers(world, names.slice(0, -1).join('.'));
  return addEntity(world, {
    type: 'table',
    name: unquote(names.at(-1) ?? ''),
    fullyQualifiedName,
    ...(id !== undefined && { id }),
    rest: { columns: bindColumns(columns ?? [], fullyQualifiedName) },
  });
}

const containers = ['databaseService', 'database', 'databaseSchema'] as const;

/** What a qualified name tells of: a service, a database, a schema. */
export function addContainers(world: World, qualifiedName: string): void {
  const names = splitName(qualifiedName);
  for (const [depth, name] of names.entries()) {
    const type = containers[depth];
    const fullyQualifiedName = names.slice(0, depth + 1).join('.');
    if (type && !findEntityByName(world, type, fullyQualifiedName)) {
      addEntity(world, { type, name: unquote(name), fullyQualifiedName });
    }
  }
}

/** The names that a qualified name is made of, each as it stands there. */
function splitName(fullyQualifiedName: string): readonly string[] {
  return fullyQualifiedName.match(/"[^"]*"|[^."]+/gu) ?? [];
}

function unquote(name: string): string {
  return name.replaceAll('"', '');
}

/** Columns as a table holds them: each knows its qualified name. */
export function bindColumns(columns: readonly JsonValue[], parent: string): readonly JsonObject[] {
  return columns.map((column) => {
    const { tags, children, ...bound } = bindObject(columnShape, column);
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

/** The names of references in a request, found by their ids. */
export function namesByIds(
  world: World,
  type: string,
  ids: JsonValue | undefined,
): readonly string[] {
  return toList(ids).flatMap((id) => {
    const entity = world.entities.get(toText(isObject(id) ? id['id'] : id));
    return entity?.type === type ? [entity.name] : [];
  });
}
