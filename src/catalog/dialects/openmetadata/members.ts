/** What the members of a contract's parts may hold: release 1.12.6 answers anything else with 500. */

/** What a member must be; where the server takes anything, or is not known to refuse it, it has none. */
export type MemberRule =
  | 'text'
  | 'whole number'
  | 'boolean'
  | 'JSON text'
  | 'any'
  | { readonly oneOf: readonly string[] }
  | { readonly form: RegExp; readonly example: string }
  | { readonly members: PartRules };

/** The rules of a mapping. */
export type PartRules = {
  readonly members: Readonly<Record<string, MemberRule>>;
  /** Whether the server keeps members that it does not know. */
  readonly keepsUnknown: boolean;
};

const dataType: MemberRule = {
  oneOf: [
    ...`NUMBER TINYINT SMALLINT INT BIGINT BYTEINT BYTES FLOAT DOUBLE DECIMAL NUMERIC TIMESTAMP
    TIMESTAMPZ TIME DATE DATETIME INTERVAL STRING MEDIUMTEXT TEXT CHAR LONG VARCHAR BOOLEAN BINARY
    VARBINARY ARRAY BLOB LONGBLOB MEDIUMBLOB MAP STRUCT UNION SET GEOGRAPHY ENUM JSON UUID VARIANT
    GEOMETRY BYTEA AGGREGATEFUNCTION ERROR FIXED RECORD NULL SUPER HLLSKETCH PG_LSN PG_SNAPSHOT
    TSQUERY TXID_SNAPSHOT XML MACADDR TSVECTOR UNKNOWN CIDR INET CLOB ROWID LOWCARDINALITY YEAR
    POINT POLYGON TUPLE SPATIAL TABLE NTEXT IMAGE IPV4 IPV6 DATETIMERANGE HLL LARGEINT
    QUANTILE_STATE AGG_STATE BITMAP UINT BIT MONEY MEASURE KPI HEIRARCHY HIERARCHYID`.split(/\s+/u),
    'MEASURE HIDDEN',
    'MEASURE VISIBLE',
  ],
};

export const column: PartRules = {
  keepsUnknown: false,
  members: {
    name: 'text',
    displayName: 'text',
    dataType,
    arrayDataType: dataType,
    dataLength: 'whole number',
    precision: 'whole number',
    scale: 'whole number',
    dataTypeDisplay: 'text',
    description: 'text',
    fullyQualifiedName: 'text',
    tags: 'any',
    constraint: { oneOf: ['NULL', 'NOT_NULL', 'UNIQUE', 'PRIMARY_KEY'] },
    ordinalPosition: 'whole number',
    jsonSchema: 'text',
    children: 'any',
    profile: 'any',
    customMetrics: 'any',
    extension: 'any',
  },
};

export const rule: PartRules = {
  keepsUnknown: false,
  members: {
    name: 'text',
    description: 'text',
    rule: 'text',
    enabled: 'boolean',
    entityType: 'text',
    ignoredEntities: 'any',
    jsonTree: 'JSON text',
    provider: 'text',
    inherited: 'boolean',
  },
};

export const serviceLevel: PartRules = {
  keepsUnknown: true,
  members: {
    refreshFrequency: period('interval', ['hour', 'day', 'week', 'month', 'year']),
    maxLatency: period('value', ['minute', 'hour', 'day']),
    retention: period('period', ['day', 'week', 'month', 'year']),
    availabilityTime: 'text',
    // All that have been seen are of this form; the others of the list are not known for sure.
    timezone: {
      form: /^GMT[+-]\d\d:\d\d \(.+\)$/u,
      example: 'GMT+00:00 (Europe/London)',
    },
    columnName: 'text',
    inherited: 'boolean',
  },
};

function period(amount: string, units: readonly string[]): MemberRule {
  const members = { [amount]: 'whole number', unit: { oneOf: units } } as const;
  return { members: { keepsUnknown: true, members } };
}
