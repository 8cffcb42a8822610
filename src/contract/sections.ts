/**
 * What columns, rules and promises may hold in any catalog. The check of files and the products
 * build on it, and `schemas/contract.schema.json` explains it to editors.
 */

/** But for `children`, which are columns. */
export const columnMembers = {
  name: 'text',
  displayName: 'text',
  dataType: 'text',
  arrayDataType: 'text',
  dataLength: 'whole number',
  precision: 'whole number',
  scale: 'whole number',
  dataTypeDisplay: 'text',
  description: 'text',
  fullyQualifiedName: 'text',
  tags: { listOf: 'any' },
  constraint: { oneOf: ['NULL', 'NOT_NULL', 'UNIQUE', 'PRIMARY_KEY'] },
  ordinalPosition: 'whole number',
} as const;

/** The words of catalogs for the types of columns; one may take others. */
export const dataTypes: readonly string[] = [
  ...`NUMBER TINYINT SMALLINT INT BIGINT BYTEINT BYTES FLOAT DOUBLE DECIMAL NUMERIC TIMESTAMP
  TIMESTAMPZ TIME DATE DATETIME INTERVAL STRING MEDIUMTEXT TEXT CHAR LONG VARCHAR BOOLEAN BINARY
  VARBINARY ARRAY BLOB LONGBLOB MEDIUMBLOB MAP STRUCT UNION SET GEOGRAPHY ENUM JSON UUID VARIANT
  GEOMETRY BYTEA AGGREGATEFUNCTION ERROR FIXED RECORD NULL SUPER HLLSKETCH PG_LSN PG_SNAPSHOT
  TSQUERY TXID_SNAPSHOT XML MACADDR TSVECTOR UNKNOWN CIDR INET CLOB ROWID LOWCARDINALITY YEAR
  POINT POLYGON TUPLE SPATIAL TABLE NTEXT IMAGE IPV4 IPV6 DATETIMERANGE HLL LARGEINT
  QUANTILE_STATE AGG_STATE BITMAP UINT BIT MONEY MEASURE KPI HEIRARCHY HIERARCHYID`.split(/\s+/u),
  'MEASURE HIDDEN',
  'MEASURE VISIBLE',
];

export const ruleMembers = {
  name: 'text',
  description: 'text',
  rule: 'text',
  enabled: 'boolean',
  ignoredEntities: { listOf: 'text' },
} as const;

/** Durations of the SLA: what the amount is called, and its units. A catalog may take more. */
export const promises = {
  refreshFrequency: { amount: 'interval', units: ['hour', 'day', 'week', 'month', 'year'] },
  maxLatency: { amount: 'value', units: ['minute', 'hour', 'day'] },
  retention: { amount: 'period', units: ['day', 'week', 'month', 'year'] },
} as const;

/** Of the SLA, beside the promises. */
export const levelMembers = {
  availabilityTime: 'text',
  timezone: 'text',
  columnName: 'text',
} as const;
