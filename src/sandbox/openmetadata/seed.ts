import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { isAbsent, isList, isRecord, toList, toNumber, toText } from '../json.ts';
import { parseSeed, seededTime, seedError, uuidOf } from '../seed.ts';
import type { KeptContract, Row } from './contract.ts';
import { makeContract, requireCreate } from './create.ts';
import { addContainers, addNamed, addTable, type NamedSpec, type TableSpec } from './entities.ts';
import { type Author, revise, softDelete } from './revise.ts';
import { bindObject, ShapeError } from './shape.ts';
import { createShape, statuses } from './shapes.ts';
import {
  addEntity,
  type CustomProperty,
  type Entity,
  findContractOf,
  findEntityByName,
  putRow,
  quoteName,
  type World,
} from './world.ts';

export type Seed = {
  readonly contracts?: readonly JsonObject[];
  /** With `displayName`, `isAdmin`, `isBot` and the names of `roles`. */
  readonly users?: readonly NamedSpec[];
  /** With `teamType` and the names of `users`. */
  readonly teams?: readonly NamedSpec[];
  readonly tables?: readonly TableSpec[];
  readonly databaseSchemas?: readonly string[];
  readonly properties?: readonly CustomProperty[];
};

/** A list of contracts, or an object with such a list as `data` and other lists beside it. */
export function parseWorldSeed(text: string, file: string): Seed {
  const contracts = parseSeed(text, file);
  const value: JsonValue = JSON.parse(text);
  if (!isRecord(value)) return { contracts };
  const parts = Object.entries(partShapes).flatMap(([part, isPart]) => {
    const given = value[part];
    if (given === undefined) return [];
    if (isList(given) && given.every(isPart)) return [[part, given] as const];
    throw seedError(`The seed file ${file} must contain a list of ${part}, each with its name.`);
  });
  return { ...Object.fromEntries(parts), contracts };
}

const hasName = (value: JsonValue): boolean => isRecord(value) && typeof value['name'] === 'string';

const partShapes: { readonly [part: string]: (value: JsonValue) => boolean } = {
  users: hasName,
  teams: hasName,
  properties: hasName,
  tables: (value) => isRecord(value) && typeof value['fullyQualifiedName'] === 'string',
  databaseSchemas: (value) => typeof value === 'string',
};

export function sow(world: World, seed: Seed): void {
  // Built-in users may be named again.
  for (const user of seed.users ?? []) findOrAdd(world, 'user', user);
  for (const team of seed.teams ?? []) addNamed(world, 'team', team);
  for (const schema of seed.databaseSchemas ?? []) addContainers(world, schema);
  for (const table of seed.tables ?? []) addTable(world, table);
  for (const property of seed.properties ?? []) world.properties.set(property.name, property);
  sowContracts(world, seed.contracts);
}

// A seed is refused for the reasons for which the server refuses a request.
function sowContracts(world: World, contracts: readonly JsonObject[] = []): void {
  for (const [index, contract] of contracts.entries()) {
    try {
      sowContract(world, contract);
    } catch (error) {
      if (!(error instanceof ErrorAnswer) && !(error instanceof ShapeError)) throw error;
      const status = contract['entityStatus'];
      const isUnknown = typeof status === 'string' && !statuses.includes(status);
      const reason = isUnknown ? `OpenMetadata has no status "${status}".` : error.message;
      throw seedError(`Contract ${index + 1} of the seed is not valid: ${reason}`, {
        hint: 'Seed it with contracts of OpenMetadata, as in examples/openmetadata/catalog.json; for others start the sandbox with --dialect standard.',
      });
    }
  }
}

function sowContract(world: World, given: JsonObject): void {
  const states = [...toList(given['versions']).filter(isRecord), given];
  const asset = findAsset(world, given, states);
  if (findContractOf(world, asset))
    throw badRequest(`${asset.fullyQualifiedName} already has another one.`);
  let row: Row | undefined;
  for (const each of states) row = sowVersion(world, row, { state: { ...given, ...each }, asset });
  if (row && given['deleted'] === true) row = softDelete(row, authorOf(world, given));
  if (row) putRow(world, row);
}

function findAsset(world: World, given: JsonObject, states: readonly JsonObject[]): Entity {
  const entity = isRecord(given['entity']) ? given['entity'] : {};
  const type = toText(entity['type'] ?? 'table');
  const name = assetName(given, entity);
  const found = findEntityByName(world, type, name);
  if (found) return found;
  const id = typeof entity['id'] === 'string' ? entity['id'] : uuidOf(`${type} ${name}`);
  if (type !== 'table') return addEntity(world, { id, type, name, fullyQualifiedName: name });
  const columns = states.flatMap(({ schema }) => toList(schema)).filter(isRecord);
  const distinct = new Map(columns.map((column) => [column['name'], column]));
  return addTable(world, { id, fullyQualifiedName: name, columns: [...distinct.values()] });
}

function assetName({ name, fullyQualifiedName }: JsonObject, entity: JsonObject): string {
  const own = entity['fullyQualifiedName'] ?? fullyQualifiedName;
  if (typeof own !== 'string')
    throw badRequest('it needs an `entity` with a `fullyQualifiedName`.');
  const suffix = `.dataContract_${toText(name)}`;
  return own.endsWith(suffix) ? own.slice(0, -suffix.length) : own;
}

function sowVersion(
  world: World,
  before: Row | undefined,
  { state, asset }: { readonly state: JsonObject; readonly asset: Entity },
): Row {
  const author = authorOf(world, state);
  const create = requestOf(world, state, asset);
  const given = state['id'] ?? uuidOf(`${asset.fullyQualifiedName} ${create.name}`);
  const id = before?.current.id ?? toText(given);
  const made = makeContract(world, create, { id, author });
  const row = nextRow(before, made, author);
  const version = toNumber(state['version']) ?? row.current.version;
  return { ...row, current: { ...row.current, version } };
}

function nextRow(before: Row | undefined, made: KeptContract, author: Author): Row {
  if (!before) return { current: made, history: [], results: [] };
  const { createdAt, createdBy } = before.current;
  const next = { ...made, createdAt, createdBy };
  const { row } = revise(before, next, { author, means: 'put', mayReview: () => true });
  if (row.current !== before.current) return row;
  throw badRequest('two consecutive versions differ in nothing that makes a new version.');
}

function authorOf(world: World, { updatedBy, updatedAt }: JsonObject): Author {
  const name = typeof updatedBy === 'string' ? updatedBy : 'admin';
  findOrAdd(world, 'user', { name });
  const now = world.now();
  return { name, now: toNumber(seededTime(updatedAt ?? now, now)) ?? now };
}

function requestOf(world: World, state: JsonObject, asset: Entity) {
  const { termsOfUse, extension } = state;
  const content = Object.keys(createShape.members).filter((name) => !isAbsent(state[name]));
  for (const [name, value] of Object.entries(isRecord(extension) ? extension : {})) {
    if (!world.properties.has(name))
      world.properties.set(name, { name, description: '', type: typeOf(value) });
  }
  return requireCreate(
    bindObject(createShape, {
      ...Object.fromEntries(content.map((name) => [name, state[name] ?? null])),
      ...(isRecord(termsOfUse) && { termsOfUse: termsOfUse['content'] ?? null }),
      entity: { id: asset.id, type: asset.type },
      owners: resolvePeople(world, state['owners']),
      reviewers: resolvePeople(world, state['reviewers']),
    }),
  );
}

function resolvePeople(world: World, given: JsonValue | undefined): readonly JsonObject[] {
  return toList(given)
    .filter(isRecord)
    .map(({ type, name }) => {
      const kind = type === 'team' ? 'team' : 'user';
      if (typeof name !== 'string') throw badRequest('each owner and reviewer needs a `name`.');
      return { type: kind, id: findOrAdd(world, kind, { name }).id };
    });
}

function findOrAdd(world: World, type: 'user' | 'team', spec: NamedSpec): Entity {
  return findEntityByName(world, type, quoteName(spec.name)) ?? addNamed(world, type, spec);
}

function typeOf(value: JsonValue): string {
  const number = toNumber(value);
  if (number !== undefined) return Number.isInteger(number) ? 'integer' : 'number';
  return isList(value) ? 'enum' : 'string';
}
