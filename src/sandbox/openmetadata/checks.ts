import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest } from '../http.ts';
import { isRecord, toList, toText } from '../json.ts';
import type { KeptContract } from './contract.ts';
import { notFound } from './error-answer.ts';
import { type Entity, requireEntity, type World } from './world.ts';

type Draft = {
  readonly entity: KeptContract['entity'];
  readonly schema?: JsonValue;
  readonly qualityExpectations?: JsonValue;
};

const supported = new Set(
  `table storedProcedure database databaseSchema dashboard chart dashboardDataModel
  pipeline topic searchIndex apiCollection apiEndpoint api mlmodel container directory file
  spreadsheet worksheet dataProduct metric`.split(/\s+/u),
);

const withSchema = new Set(['table', 'topic', 'apiEndpoint', 'dashboardDataModel']);

export function checkAsset(world: World, draft: Draft): Entity {
  const { type, id } = draft.entity;
  const isKnown = supported.has(type);
  const hasSchema = isKnown && toList(draft.schema).length > 0;
  const hasExpectations = isKnown && toList(draft.qualityExpectations).length > 0;
  const violations = [
    !isKnown && `Entity type '${type}' is not supported for data contracts`,
    hasSchema &&
      !withSchema.has(type) &&
      `Schema validation is not supported for ${type} entities. Only table, topic, apiEndpoint, and dashboardDataModel entities support schema validation`,
    hasExpectations &&
      type !== 'table' &&
      `Quality expectations are not supported for ${type} entities. Only table entities support quality expectations`,
  ].filter((each) => each !== false);
  if (violations.length === 0) return requireEntity(world, type, id);
  throw badRequest(`Data contract validation failed for ${type} entity: ${violations.join('; ')}`);
}

/** The sandbox keeps no test cases, so none is ever found. */
export function checkExpectations({ qualityExpectations }: Draft): void {
  const [first] = toList(qualityExpectations);
  if (isRecord(first)) throw notFound('testCase', toText(first['id']));
}

/** Also refuses a change that does not touch the columns. */
export function checkColumns(world: World, draft: Draft): void {
  const { duplicateFields = [], failedFields = [] } = compareSchema(world, draft);
  const problems = [
    duplicateFields.length > 0 &&
      `Duplicate column names in contract schema: ${duplicateFields.join(', ')}`,
    failedFields.length > 0 &&
      `The following fields specified in the data contract do not exist in the ${draft.entity.type}: ${failedFields.join(', ')}`,
  ].filter((each) => each !== false);
  if (problems.length > 0) throw badRequest(`Schema validation failed. ${problems.join('. ')}`);
}

export function compareSchema(world: World, { entity, schema }: Draft) {
  const columns = toList(schema).filter(isRecord);
  if (columns.length === 0) return { passed: 0, failed: 0, total: 0, ...noFields };
  const { columns: own, messageSchema } = requireEntity(world, entity.type, entity.id).rest;
  const known = columnsOf(isRecord(messageSchema) ? messageSchema['schemaFields'] : own);
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

// Without columns the server sends these empty lists, which it leaves out otherwise.
const noFields = { failedFields: [], duplicateFields: [], typeMismatchFields: [] };

function columnsOf(columns: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  const found = toList(columns).filter(isRecord);
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

function describeMismatch({ name, dataType }: JsonObject, known: ReadonlyMap<string, JsonObject>) {
  const actual = known.get(toText(name))?.['dataType'];
  if (dataType === undefined || actual === undefined || dataType === actual) return [];
  const isAkin = families.some(
    (family) => family.includes(toText(dataType)) && family.includes(toText(actual)),
  );
  return isAkin ? [] : [`${toText(name)}: expected ${toText(actual)}, got ${toText(dataType)}`];
}
