import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Contract } from './contract.ts';
import { badRequest } from './error-answer.ts';
import { toList, toText } from './java-json.ts';
import { type Entity, requireEntity, type World } from './world.ts';

/** The part of a contract that is checked against its asset (page §9). */
type Draft = { readonly entity: Contract['entity']; readonly schema?: JsonValue };

const supported: ReadonlySet<string> = new Set(
  `table storedProcedure database databaseSchema dashboard chart dashboardDataModel pipeline topic
  searchIndex apiCollection apiEndpoint api mlmodel container directory file spreadsheet worksheet
  dataProduct`.split(/\s+/u),
);

const withSchema: ReadonlySet<string> = new Set([
  'table',
  'topic',
  'apiEndpoint',
  'dashboardDataModel',
]);

/** Refuses an asset that is not there, and what no contract of such an asset can have. */
export function checkAsset(world: World, { entity: { type, id }, schema }: Draft): Entity {
  const violation = findViolation(type, toList(schema).length > 0);
  if (violation !== undefined) {
    throw badRequest(`Data contract validation failed for ${type} entity: ${violation}`);
  }
  return requireEntity(world, type, id);
}

/** Refuses columns that the asset has not, also by a change that does not touch them. */
export function checkColumns(world: World, draft: Draft): void {
  const { duplicateFields: duplicates = [], failedFields: unknown = [] } = compareSchema(
    world,
    draft,
  );
  const problems = [
    `Duplicate column names in contract schema: ${duplicates.join(', ')}`,
    `The following fields specified in the data contract do not exist in the ${draft.entity.type}: ${unknown.join(', ')}`,
  ].filter((_, index) => [duplicates, unknown][index]?.length);
  if (problems.length > 0) throw badRequest(`Schema validation failed. ${problems.join('. ')}`);
}

function findViolation(type: string, hasSchema: boolean): string | undefined {
  if (!supported.has(type)) return `Entity type '${type}' is not supported for data contracts`;
  if (!hasSchema || withSchema.has(type)) return undefined;
  return `Schema validation is not supported for ${type} entities. Only table, topic, apiEndpoint, and dashboardDataModel entities support schema validation`;
}

export type SchemaValidation = {
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  readonly failedFields?: readonly string[];
  readonly duplicateFields?: readonly string[];
  readonly typeMismatchFields?: readonly string[];
};

/** How a contract's columns agree with those of its asset; types are told, and never refused. */
export function compareSchema(world: World, { entity, schema }: Draft): SchemaValidation {
  const columns = toList(schema).filter(isObject);
  if (columns.length === 0) {
    const none: readonly string[] = [];
    return {
      passed: 0,
      failed: 0,
      total: 0,
      failedFields: none,
      duplicateFields: none,
      typeMismatchFields: none,
    };
  }
  const known = columnsOf(requireEntity(world, entity.type, entity.id).rest['columns']);
  const names = columns.map(({ name }) => toText(name));
  const failedFields = names.filter((name) => !known.has(name));
  const duplicateFields = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
  const typeMismatchFields = columns.flatMap((column) => describeMismatch(column, known));
  const failed = failedFields.length + duplicateFields.length;
  return {
    passed: Math.max(0, columns.length - failed),
    failed,
    total: columns.length,
    ...(failedFields.length > 0 && { failedFields }),
    ...(duplicateFields.length > 0 && { duplicateFields }),
    ...(typeMismatchFields.length > 0 && { typeMismatchFields }),
  };
}

/** Nested columns too, each by its last name. */
function columnsOf(columns: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  const found = toList(columns).filter(isObject);
  return new Map(
    found.flatMap((column) => [
      [toText(column['name']), column] as const,
      ...columnsOf(column['children']),
    ]),
  );
}

const families = [
  'STRING VARCHAR CHAR TEXT MEDIUMTEXT NTEXT CLOB',
  'INT BIGINT SMALLINT TINYINT BYTEINT LONG',
  'DECIMAL NUMERIC NUMBER DOUBLE FLOAT MONEY',
  'DATE DATETIME TIMESTAMP TIMESTAMPZ TIME',
  'BINARY VARBINARY BLOB BYTEA BYTES LONGBLOB MEDIUMBLOB',
  'ARRAY MAP STRUCT JSON',
].map((family) => family.split(' '));

function describeMismatch(
  { name, dataType }: JsonObject,
  known: ReadonlyMap<string, JsonObject>,
): readonly string[] {
  const actual = known.get(toText(name))?.['dataType'];
  if (dataType === undefined || actual === undefined || dataType === actual) return [];
  const isAkin = families.some(
    (family) => family.includes(toText(dataType)) && family.includes(toText(actual)),
  );
  return isAkin ? [] : [`${toText(name)}: expected ${toText(actual)}, got ${toText(dataType)}`];
}
