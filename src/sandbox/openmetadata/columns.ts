import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { KeptContract } from './contract.ts';
import { badRequest, notFound } from './error-answer.ts';
import { toList, toText } from './java-json.ts';
import { type Entity, requireEntity, type World } from './world.ts';

/** The part of a contract that is checked against its asset. */
type Draft = {
  readonly entity: KeptContract['entity'];
  readonly schema?: JsonValue;
  readonly qualityExpectations?: JsonValue;
};

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
export function checkAsset(world: World, draft: Draft): Entity {
  const { type, id } = draft.entity;
  const violations = findViolations(type, draft);
  if (violations.length > 0) {
    throw badRequest(
      `Data contract validation failed for ${type} entity: ${violations.join('; ')}`,
    );
  }
  return requireEntity(world, type, id);
}

/** Test cases are not kept here, so that none is ever found. */
export function checkExpectations({ qualityExpectations }: Draft): void {
  const [first] = toList(qualityExpectations);
  if (isObject(first)) throw notFound('testCase', toText(first['id']));
}

/** Refuses columns that the asset has not, also by a change that does not touch them. */
export function checkColumns(world: World, draft: Draft): void {
  const { duplicateFields = [], failedFields = [] } = compareSchema(world, draft);
  const duplicates = `Duplicate column names in contract schema: ${duplicateFields.join(', ')}`;
  const unknown = `The following fields specified in the data contract do not exist in the ${draft.entity.type}: ${failedFields.join(', ')}`;
  const problems = [
    ...(duplicateFields.length > 0 ? [duplicates] : []),
    ...(failedFields.length > 0 ? [unknown] : []),
  ];
  if (problems.length > 0) throw badRequest(`Schema validation failed. ${problems.join('. ')}`);
}

function findViolations(type: string, draft: Draft): readonly string[] {
  if (!supported.has(type)) return [`Entity type '${type}' is not supported for data contracts`];
  const hasSchema = toList(draft.schema).length > 0 && !withSchema.has(type);
  const hasTests = toList(draft.qualityExpectations).length > 0 && type !== 'table';
  return [
    ...(hasSchema
      ? [
          `Schema validation is not supported for ${type} entities. Only table, topic, apiEndpoint, and dashboardDataModel entities support schema validation`,
        ]
      : []),
    ...(hasTests
      ? [
          `Quality expectations are not supported for ${type} entities. Only table entities support quality expectations`,
        ]
      : []),
  ];
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
  if (columns.length === 0) return noColumns;
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

/** Only where there is nothing to say does the server say it of each. */
const noColumns: SchemaValidation = {
  passed: 0,
  failed: 0,
  total: 0,
  failedFields: [],
  duplicateFields: [],
  typeMismatchFields: [],
};

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
