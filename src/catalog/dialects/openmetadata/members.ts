/** What the members of a contract's parts may hold: release 1.12.6 answers anything else with 500. */

/** What a member must be; where the server takes anything, or is not known to refuse it, it has none. */
export type MemberRule =
  | 'text'
  | 'whole number'
  | 'boolean'
  | 'JSON text'
  | 'any'
  /** `otherwise`: what to do where no word is near. */
  | { readonly oneOf: readonly string[]; readonly otherwise?: string }
  | { readonly listOf: MemberRule }
  | { readonly members: PartRules };

/** The rules of a mapping. */
export type PartRules = {
  readonly members: Readonly<Record<string, MemberRule>>;
  /** Whether the server keeps members that it does not know. */
  readonly keepsUnknown: boolean;
  /** What a create request must give; a patch may leave it out. */
  readonly required?: readonly string[];
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
  otherwise: 'Use a data type of the catalog.',
};

const column: PartRules = {
  keepsUnknown: false,
  required: ['name', 'dataType'],
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
    tags: { listOf: 'any' },
    constraint: { oneOf: ['NULL', 'NOT_NULL', 'UNIQUE', 'PRIMARY_KEY'] },
    ordinalPosition: 'whole number',
    jsonSchema: 'text',
    get children(): MemberRule {
      return { listOf: { members: column } };
    },
    profile: 'any',
    customMetrics: { listOf: 'any' },
    extension: 'any',
  },
};

const rule: PartRules = {
  keepsUnknown: false,
  required: ['name', 'description', 'rule'],
  members: {
    name: 'text',
    description: 'text',
    rule: 'text',
    enabled: 'boolean',
    entityType: 'text',
    ignoredEntities: { listOf: 'text' },
    jsonTree: 'JSON text',
    provider: { oneOf: ['system', 'user', 'automation'] },
    inherited: 'boolean',
  },
};

/** Each offset with one place of it: the server knows no other pair. */
const timezones: readonly string[] = `-11:00 Pacific/Niue, -10:00 Pacific/Honolulu,
  -09:30 Pacific/Marquesas, -09:00 America/Anchorage, -08:00 America/Los Angeles,
  -07:00 America/Denver, -06:00 America/Chicago, -05:00 America/New York, -04:00 America/Santiago,
  -03:00 America/Sao Paulo, -02:30 Atlantic/Newfoundland, -02:00 Atlantic/South_Georgia,
  -01:00 Atlantic/Azores, +00:00 Europe/London, +01:00 Europe/Paris, +02:00 Europe/Athens,
  +03:00 Europe/Moscow, +03:00 Asia/Iran, +04:00 Asia/Dubai, +04:30 Asia/Afghanistan,
  +05:00 Asia/Karachi, +05:30 Asia/Kolkata, +05:45 Asia/Nepal, +06:00 Asia/Dhaka,
  +06:00 Asia/Myanmar, +07:00 Asia/Bangkok, +08:00 Asia/Shanghai,
  +08:45 Australia/Australian Central Western Standard Time, +09:00 Asia/Tokyo,
  +09:00 Australia/Adelaide, +10:00 Australia/Sydney, +10:30 Australia/Lord Howe,
  +11:00 Pacific/Norfolk, +12:00 Pacific/Auckland, +13:00 Pacific/Tongatapu,
  +14:00 Pacific/Kiritimati`
  .split(/,\s+/u)
  .map((zone) => zone.replace(/^(\S+) (.+)$/u, 'GMT$1 ($2)'));

const serviceLevel: PartRules = {
  keepsUnknown: true,
  members: {
    refreshFrequency: period('interval', ['hour', 'day', 'week', 'month', 'year']),
    maxLatency: period('value', ['minute', 'hour', 'day']),
    retention: period('period', ['day', 'week', 'month', 'year']),
    availabilityTime: 'text',
    timezone: { oneOf: timezones, otherwise: 'Write it like "GMT+00:00 (Europe/London)".' },
    columnName: 'text',
    inherited: 'boolean',
  },
};

function period(amount: string, units: readonly string[]): MemberRule {
  const members = { [amount]: 'whole number', unit: { oneOf: units } } as const;
  return { members: { keepsUnknown: true, members, required: [amount, 'unit'] } };
}

const rowFilter: PartRules = {
  keepsUnknown: true,
  members: { columnName: 'text', values: { listOf: 'text' } },
};

const policy: PartRules = {
  keepsUnknown: true,
  members: {
    accessPolicy: 'text',
    identities: { listOf: 'text' },
    rowFilters: { listOf: { members: rowFilter } },
  },
};

const security: PartRules = {
  keepsUnknown: true,
  members: {
    dataClassification: 'text',
    policies: { listOf: { members: policy } },
    inherited: 'boolean',
  },
};

/** The fields whose members are checked. */
export const parts: PartRules = {
  keepsUnknown: true,
  members: {
    schema: { listOf: { members: column } },
    semantics: { listOf: { members: rule } },
    sla: { members: serviceLevel },
    security: { members: security },
  },
};
