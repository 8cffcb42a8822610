import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { isAbsent, isList, isRecord, toList, toNumber, toText } from '../json.ts';
import { longAgo, parseSeed, refuseUnknown, seededTime, seedError, uuidOf } from '../seed.ts';
import type { Row } from './contract.ts';
import { makeContract, requireCreate } from './create.ts';
import { addContainers, addNamed, addTable, type NamedSpec } from './entities.ts';
import { storeEdge } from './entity-routes.ts';
import { resolveOwners } from './people.ts';
import { type Author, revise, softDelete } from './revise.ts';
import { bindObject, ShapeError } from './shape.ts';
import { contractShape, createShape, statuses } from './shapes.ts';
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
  /** With `displayName`, `isAdmin`, `isBot`, the names of `roles`, and `deleted` if they have left. */
  readonly users?: readonly NamedSpec[];
  readonly teams?: readonly NamedSpec[];
  /** With `id`, `displayName`, `owners` and `columns`. */
  readonly tables?: readonly TableSpec[];
  /** The same of assets of any type, with `messageSchema` of topics. */
  readonly assets?: readonly AssetSpec[];
  readonly lineage?: readonly EdgeSpec[];
  readonly databaseSchemas?: readonly string[];
  readonly properties?: readonly CustomProperty[];
};

type TableSpec = JsonObject & { readonly fullyQualifiedName: string };

type AssetSpec = TableSpec & { readonly type: string };

/** By qualified names; `columns` by the names of columns in `to`: those in `from`. */
type EdgeSpec = JsonObject & { readonly from: string; readonly to: string };

/** A list of contracts, or an object with such a list as `data` and other lists beside it. */
export function parseWorldSeed(text: string, file: string): Seed {
  const contracts = parseSeed(text, file, Object.keys(partShapes));
  const value: JsonValue = JSON.parse(text);
  const seed = { text, file };
  for (const [index, contract] of contracts.entries())
    refuseUnknown(contract, isRecord(value) ? ['data', index] : [index], contractKeys, seed);
  if (!isRecord(value)) return { contracts };
  const parts = Object.entries(partShapes).flatMap(([part, { required, known }]) => {
    const given = value[part];
    if (given === undefined) return [];
    if (!isList(given) || !given.every((each) => hasTexts(each, required)))
      throw seedError(`The seed file ${file} must contain a list of ${part}, each with its name.`);
    for (const [index, each] of given.entries())
      if (isRecord(each) && known) refuseUnknown(each, [part, index], known, seed);
    return [[part, given] as const];
  });
  return { ...Object.fromEntries(parts), contracts };
}

const contractKeys = [
  ...Object.keys(contractShape.members),
  ...(contractShape.dropped ?? []),
  'versions',
];

// A text in a list is its own name.
function hasTexts(value: JsonValue, names: readonly string[]): boolean {
  if (!isRecord(value)) return names.length === 0 && typeof value === 'string';
  return names.length > 0 && names.every((name) => typeof value[name] === 'string');
}

type PartShape = {
  readonly required: readonly string[];
  /** Absent: any. */
  readonly known?: readonly string[];
};

const ofTable = 'id fullyQualifiedName displayName columns owners'.split(' ');
const ofPeople = 'name displayName email deleted'.split(' ');

const partShapes: { readonly [part: string]: PartShape } = {
  users: { required: ['name'], known: [...ofPeople, 'isAdmin', 'isBot', 'roles'] },
  teams: { required: ['name'], known: [...ofPeople, 'teamType', 'description', 'users'] },
  properties: { required: ['name'], known: ['name', 'description', 'type', 'config'] },
  tables: { required: ['fullyQualifiedName'], known: ofTable },
  assets: { required: ['type', 'fullyQualifiedName'] },
  lineage: { required: ['from', 'to'], known: ['from', 'to', 'columns'] },
  databaseSchemas: { required: [] },
};

export function sow(world: World, seed: Seed): void {
  // Built-in users may be named again.
  for (const user of seed.users ?? []) findOrAdd(world, 'user', user);
  for (const team of seed.teams ?? []) addNamed(world, 'team', team);
  for (const schema of seed.databaseSchemas ?? []) addContainers(world, schema);
  for (const property of seed.properties ?? []) world.properties.set(property.name, property);
  const tables = (seed.tables ?? []).map((table) => ({ ...table, type: 'table' }));
  sowAssets(world, [...tables, ...(seed.assets ?? [])]);
  sowContracts(world, seed.contracts);
  sowLineage(world, seed.lineage);
  sowLeavers(world, 'user', seed.users);
  sowLeavers(world, 'team', seed.teams);
}

// A person who has left still owns what the seed gave.
function sowLeavers(world: World, type: 'user' | 'team', all: readonly NamedSpec[] = []): void {
  for (const spec of all.filter(({ deleted }) => deleted === true)) {
    const person = findOrAdd(world, type, spec);
    world.entities.set(person.id, { ...person, deleted: true });
  }
}

function sowAssets(world: World, assets: readonly AssetSpec[]): void {
  for (const { type, fullyQualifiedName, displayName, columns, owners, ...rest } of assets) {
    const name = fullyQualifiedName.slice(fullyQualifiedName.lastIndexOf('.') + 1);
    const shown = typeof displayName === 'string' && { displayName };
    const added =
      type === 'table'
        ? addTable(world, { fullyQualifiedName, columns: toList(columns), ...idOf(rest) })
        : addEntity(world, { type, name, fullyQualifiedName, ...shown, rest });
    const people = resolveOwners(world, resolvePeople(world, owners));
    world.entities.set(added.id, { ...added, ...shown, owners: people });
  }
}

function idOf({ id }: JsonObject): { readonly id?: string } {
  return typeof id === 'string' ? { id } : {};
}

function sowLineage(world: World, edges: readonly EdgeSpec[] = []): void {
  const admin = { name: 'admin', isAdmin: true, isBot: false, roles: [] };
  const assets = new Map(world.entities.values().map((each) => [each.fullyQualifiedName, each]));
  for (const { from, to, columns } of edges) {
    const [fromEntity = null, toEntity = null] = [from, to].map((name) => {
      const found = assets.get(name);
      if (found) return { id: found.id, type: found.type };
      throw seedError(`The lineage of the seed names ${name}, which the seed lacks.`);
    });
    const sources = Object.entries(isRecord(columns) ? columns : {});
    const isSound = columns === undefined || isRecord(columns);
    if (!isSound || !sources.every(([, given]) => Array.isArray(given)))
      throw seedError(
        `The lineage of the seed from ${from} to ${to} has other \`columns\` than it can read.`,
        {
          hint: 'Name each column of `to` with a list of those of `from`: "columns": {"iban": ["iban"]}.',
        },
      );
    const columnsLineage = sources.map(([name, given]) => ({
      fromColumns: toList(given).map((source) => `${from}.${toText(source)}`),
      toColumn: `${to}.${name}`,
    }));
    storeEdge(world, { fromEntity, toEntity, lineageDetails: { columnsLineage } }, admin);
  }
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
  const own = entity['fullyQualifiedName'] ?? given['fullyQualifiedName'];
  if (typeof own !== 'string')
    throw badRequest('it needs an `entity` with a `fullyQualifiedName`.');
  const suffix = `.dataContract_${toText(given['name'])}`;
  const name = own.endsWith(suffix) ? own.slice(0, -suffix.length) : own;
  const found = findEntityByName(world, type, name);
  if (found) return found;
  const id = typeof entity['id'] === 'string' ? entity['id'] : uuidOf(`${type} ${name}`);
  const columns = states.flatMap(({ schema }) => toList(schema)).filter(isRecord);
  const distinct = new Map(columns.map((column) => [column['name'], column]));
  const schemaFields = [...distinct.values()];
  if (type === 'table')
    return addTable(world, { id, fullyQualifiedName: name, columns: schemaFields });
  const rest = type === 'topic' ? { messageSchema: { schemaFields } } : {};
  return addEntity(world, { id, type, name, fullyQualifiedName: name, rest });
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
  let row: Row = { current: made, history: [], results: [] };
  if (before) {
    const { createdAt, createdBy } = before.current;
    const next = { ...made, createdAt, createdBy };
    ({ row } = revise(before, next, { author, means: 'put', mayReview: () => true }));
    if (row.current === before.current)
      throw badRequest('two consecutive versions differ in nothing that makes a new version.');
  }
  const version = toNumber(state['version']) ?? row.current.version;
  return { ...row, current: { ...row.current, version } };
}

function authorOf(world: World, { updatedBy, updatedAt }: JsonObject): Author {
  const name = typeof updatedBy === 'string' ? updatedBy : 'admin';
  findOrAdd(world, 'user', { name });
  const now = world.now();
  return { name, now: toNumber(seededTime(updatedAt ?? longAgo, now)) ?? now };
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
