import { SyncError } from '../../core/errors.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { parseSeed } from '../seed.ts';
import {
  addContainers,
  addTable,
  addTeam,
  addUser,
  type TableSpec,
  type TeamSpec,
  type UserSpec,
} from './entities.ts';
import { ErrorAnswer } from './error-answer.ts';
import { statuses } from './part-shapes.ts';
import { sowContract } from './seed-contract.ts';
import { ShapeError } from './shape.ts';
import { type CustomProperty, findEntityByName, quoteName, type World } from './world.ts';

/** What a catalog holds at the start: what contracts need beside this is made for them. */
export type Seed = {
  readonly contracts?: readonly JsonObject[];
  readonly users?: readonly UserSpec[];
  readonly teams?: readonly TeamSpec[];
  readonly tables?: readonly TableSpec[];
  /** Qualified names of schemas in which tables can be made. */
  readonly databaseSchemas?: readonly string[];
  readonly properties?: readonly CustomProperty[];
};

/** A seed file: a list of contracts, or an object with such a list as `data` and more besides. */
export function parseWorldSeed(text: string, file: string): Seed {
  const contracts = parseSeed(text, file);
  const value: JsonValue = JSON.parse(text);
  if (!isObject(value)) return { contracts };
  const parts = Object.entries(partShapes).flatMap(([part, isPart]) => {
    const given = value[part];
    if (given === undefined) return [];
    if (isArray(given) && given.every(isPart)) return [[part, given] as const];
    throw seedError(`The seed file ${file} must contain a list of ${part}, each with its name.`);
  });
  return { ...Object.fromEntries(parts), contracts };
}

const hasName = (value: JsonValue): boolean => isObject(value) && typeof value['name'] === 'string';

/** The lists that a seed file may hold beside contracts. */
const partShapes: { readonly [part: string]: (value: JsonValue) => boolean } = {
  users: hasName,
  teams: hasName,
  properties: hasName,
  tables: (value) => isObject(value) && typeof value['fullyQualifiedName'] === 'string',
  databaseSchemas: (value) => typeof value === 'string',
};

/** Fills a world: people and assets first, then the contracts that name them. */
export function sow(world: World, seed: Seed): void {
  sowPeople(world, seed);
  for (const schema of seed.databaseSchemas ?? []) addContainers(world, schema);
  for (const table of seed.tables ?? []) addTable(world, table);
  for (const property of seed.properties ?? []) world.properties.set(property.name, property);
  for (const [index, contract] of (seed.contracts ?? []).entries()) {
    explainContract(index, contract, () => sowContract(world, contract));
  }
}

/** Users who are there out of the box may be named again. */
function sowPeople(world: World, { users = [], teams = [] }: Seed): void {
  for (const user of users) {
    if (!findEntityByName(world, 'user', quoteName(user.name))) addUser(world, user);
  }
  for (const team of teams) addTeam(world, team);
}

/** A seed is refused for the reasons for which the server refuses a request. */
function explainContract(index: number, contract: JsonObject, sowIt: () => void): void {
  try {
    sowIt();
  } catch (error) {
    if (!(error instanceof ErrorAnswer) && !(error instanceof ShapeError)) throw error;
    const status = contract['entityStatus'];
    const reason = isUnknown(status)
      ? `OpenMetadata has no status ${quote(status)}.`
      : error.message;
    throw seedError(`Contract ${index + 1} of the seed is not valid: ${reason}`, seedHint);
  }
}

function isUnknown(status: JsonValue | undefined): status is string {
  return typeof status === 'string' && !statuses.some((known) => known === status);
}

const seedHint =
  'Seed it with contracts of OpenMetadata, as in examples/openmetadata/catalog.json; for others start the sandbox with --dialect standard.';

function seedError(message: string, hint?: string): SyncError {
  return new SyncError('sandbox-seed', message, { hint });
}
