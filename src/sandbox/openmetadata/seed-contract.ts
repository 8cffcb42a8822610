import { isArray, isNothing, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { seededTime, uuidOf } from '../seed.ts';
import { createShape } from './contract-shapes.ts';
import { makeContract } from './create.ts';
import { requireCreate } from './create-request.ts';
import { addTable, addTeam, addUser } from './entities.ts';
import { badRequest } from './error-answer.ts';
import { toList, toNumber, toText } from './java-json.ts';
import { softDelete } from './remove.ts';
import { type Author, revise, type Row } from './revise.ts';
import { bindObject } from './shape.ts';
import {
  addEntity,
  type Entity,
  findContractOf,
  findEntityByName,
  putRow,
  quoteName,
  type World,
} from './world.ts';

/**
 * Puts a contract of a seed into the world, as people and pipelines would have made it: its table
 * has its columns, its owners exist, and `versions`, oldest first, are its earlier versions.
 */
export function sowContract(world: World, given: JsonObject): void {
  const { versions } = given;
  const earlier = toList(versions).filter(isObject);
  const asset = findAsset(world, given, [...earlier, given]);
  const states = [...earlier, given].map((state) => ({ ...given, ...state }));
  const [first = given, ...later] = states;
  if (findContractOf(world, asset)) {
    throw badRequest(`${asset.fullyQualifiedName} already has another one.`);
  }
  let row = sowFirst(world, first, asset);
  for (const state of later) row = sowNext(world, row, { state, asset });
  putRow(world, given['deleted'] === true ? softDelete(row, authorOf(world, given)) : row);
}

/** Found by name, or made with the columns of all versions of the contract. */
function findAsset(world: World, given: JsonObject, states: readonly JsonObject[]): Entity {
  const entity = isObject(given['entity']) ? given['entity'] : {};
  const type = toText(entity['type'] ?? 'table');
  const name = assetName(given, entity);
  const found = findEntityByName(world, type, name);
  if (found) return found;
  const id = typeof entity['id'] === 'string' ? entity['id'] : uuidOf(`${type} ${name}`);
  if (type !== 'table') return addEntity(world, { id, type, name, fullyQualifiedName: name });
  const columns = states.flatMap(({ schema }) => toList(schema)).filter(isObject);
  const distinct = new Map(columns.map((column) => [column['name'], column]));
  return addTable(world, { id, fullyQualifiedName: name, columns: [...distinct.values()] });
}

/** The asset's own name, or what the contract's tells of it. */
function assetName({ name, fullyQualifiedName }: JsonObject, entity: JsonObject): string {
  const own = entity['fullyQualifiedName'] ?? fullyQualifiedName;
  if (typeof own !== 'string') {
    throw badRequest('it needs an `entity` with a `fullyQualifiedName`.');
  }
  const suffix = `.dataContract_${toText(name)}`;
  return own.endsWith(suffix) ? own.slice(0, -suffix.length) : own;
}

function sowFirst(world: World, state: JsonObject, asset: Entity): Row {
  const author = authorOf(world, state);
  const create = requestOf(world, state, asset);
  const id = state['id'] ?? uuidOf(`${asset.fullyQualifiedName} ${create.name}`);
  const contract = makeContract(world, create, { id: toText(id), author });
  return {
    current: { ...contract, version: toNumber(state['version']) ?? contract.version },
    history: [],
    results: [],
  };
}

type Next = { readonly state: JsonObject; readonly asset: Entity };

function sowNext(world: World, row: Row, { state, asset }: Next): Row {
  const author = authorOf(world, state);
  const { id, createdAt, createdBy } = row.current;
  const made = makeContract(world, requestOf(world, state, asset), { id, author });
  const next = { ...made, createdAt, createdBy };
  const revision = revise(row, next, { author, means: 'put', mayReview: () => true });
  const { current, ...rest } = revision.row;
  if (current === row.current) {
    throw badRequest('two consecutive versions differ in nothing that makes a new version.');
  }
  return {
    ...rest,
    current: { ...current, version: toNumber(state['version']) ?? current.version },
  };
}

/** Whoever has made a version exists. */
function authorOf(world: World, { updatedBy, updatedAt }: JsonObject): Author {
  const name = typeof updatedBy === 'string' ? updatedBy : 'admin';
  findOrAdd(world, 'user', name);
  const now = world.now();
  return { name, now: toNumber(seededTime(updatedAt ?? now, now)) ?? now };
}

/** What would have been sent to create this version. */
function requestOf(world: World, state: JsonObject, asset: Entity) {
  const { termsOfUse, extension } = state;
  const content = Object.keys(createShape.members).filter((name) => !isNothing(state[name]));
  if (isObject(extension)) defineProperties(world, extension);
  return requireCreate(
    bindObject(createShape, {
      ...Object.fromEntries(content.map((name) => [name, state[name] ?? null])),
      ...(isObject(termsOfUse) && { termsOfUse: termsOfUse['content'] ?? null }),
      entity: { id: asset.id, type: asset.type },
      owners: resolvePeople(world, state['owners']),
      reviewers: resolvePeople(world, state['reviewers']),
    }),
  );
}

/** People by their names; those who are not there are made. */
function resolvePeople(world: World, given: JsonValue | undefined): readonly JsonObject[] {
  return toList(given)
    .filter(isObject)
    .map(({ type, name }) => {
      const kind = type === 'team' ? 'team' : 'user';
      if (typeof name !== 'string') throw badRequest('each owner and reviewer needs a `name`.');
      return { type: kind, id: findOrAdd(world, kind, name).id };
    });
}

function findOrAdd(world: World, type: 'user' | 'team', name: string): Entity {
  const found = findEntityByName(world, type, quoteName(name));
  if (found) return found;
  return type === 'team' ? addTeam(world, { name }) : addUser(world, { name });
}

function defineProperties(world: World, extension: JsonObject): void {
  for (const [name, value] of Object.entries(extension)) {
    if (world.properties.has(name)) continue;
    world.properties.set(name, { name, description: '', type: typeOf(value) });
  }
}

function typeOf(value: JsonValue): string {
  const number = toNumber(value);
  if (number !== undefined) return Number.isInteger(number) ? 'integer' : 'number';
  return isArray(value) ? 'enum' : 'string';
}
