import type { ObjectShape, Shape } from './shape.ts';

/** The classes of a contract's parts, as far as the server validates them. */

const text: Shape = { kind: 'text' };
const each = (names: string, shape: Shape): ObjectShape['members'] =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape]));
const integer: Shape = { kind: 'integer' };
const boolean: Shape = { kind: 'boolean' };
const any: Shape = { kind: 'any' };
const listOf = (of: Shape): Shape => ({ kind: 'list', of });

function openObject(
  java: string,
  members: ObjectShape['members'],
  more: Pick<ObjectShape, 'defaults' | 'required'> = {},
): ObjectShape {
  return { kind: 'object', java, members, open: true, ...more };
}

const api = 'org.openmetadata.schema.api.data';
const types = 'org.openmetadata.schema.type';

function oneOf(java: string, ...values: readonly string[]): Shape {
  return { kind: 'enum', java, values: new Set(values) };
}

export const statuses: readonly string[] =
  'Draft|In Review|Approved|Deprecated|Rejected|Unprocessed|Archived'.split('|');

const status = oneOf(`${types}.EntityStatus`, ...statuses);

const referenceShape: ObjectShape = {
  kind: 'object',
  java: `${types}.EntityReference`,
  members: {
    id: { kind: 'uuid' },
    ...each('type name fullyQualifiedName description displayName', text),
    ...each('deleted inherited', boolean),
  },
  required: ['id', 'type'],
  // Only the server sets links.
  dropped: ['href'],
};

const dataType = oneOf(
  `${types}.ColumnDataType`,
  ...`NUMBER TINYINT SMALLINT INT BIGINT BYTEINT BYTES FLOAT DOUBLE DECIMAL NUMERIC TIMESTAMP
  TIMESTAMPZ TIME DATE DATETIME INTERVAL STRING MEDIUMTEXT TEXT CHAR LONG VARCHAR BOOLEAN BINARY
  VARBINARY ARRAY BLOB LONGBLOB MEDIUMBLOB MAP STRUCT UNION SET GEOGRAPHY ENUM JSON UUID VARIANT
  GEOMETRY BYTEA AGGREGATEFUNCTION ERROR FIXED RECORD NULL SUPER HLLSKETCH PG_LSN PG_SNAPSHOT
  TSQUERY TXID_SNAPSHOT XML MACADDR TSVECTOR UNKNOWN CIDR INET CLOB ROWID LOWCARDINALITY YEAR POINT
  POLYGON TUPLE SPATIAL TABLE NTEXT IMAGE IPV4 IPV6 DATETIMERANGE HLL LARGEINT QUANTILE_STATE
  AGG_STATE BITMAP UINT BIT MONEY MEASURE KPI HEIRARCHY HIERARCHYID`.split(/\s+/u),
  'MEASURE HIDDEN',
  'MEASURE VISIBLE',
);

const labelTypes = ['Manual', 'Propagated', 'Automated', 'Derived', 'Generated'];

// Tags are not looked up: one may be unknown, deleted or repeated.
function tagShape(date: 'keptDate' | 'createDate'): ObjectShape {
  return {
    kind: 'object',
    java: `${types}.TagLabel`,
    members: {
      ...each('tagFQN name displayName description reason appliedBy href', text),
      style: any,
      source: oneOf(`${types}.TagLabel$TagSource`, 'Classification', 'Glossary'),
      labelType: oneOf(`${types}.TagLabel$LabelType`, ...labelTypes),
      state: oneOf(`${types}.TagLabel$State`, 'Suggested', 'Confirmed'),
      appliedAt: { kind: date },
      metadata: any,
    },
    defaults: { source: 'Classification', labelType: 'Manual', state: 'Confirmed' },
  };
}

function makeColumnShape(date: 'keptDate' | 'createDate'): ObjectShape {
  const shape: ObjectShape = {
    kind: 'object',
    java: `${types}.Column`,
    members: {
      ...each('name displayName', text),
      ...each('dataType arrayDataType', dataType),
      ...each('dataLength precision scale', integer),
      ...each('dataTypeDisplay description fullyQualifiedName', text),
      tags: listOf(tagShape(date)),
      constraint: oneOf(`${types}.ColumnConstraint`, 'NULL', 'NOT_NULL', 'UNIQUE', 'PRIMARY_KEY'),
      ordinalPosition: integer,
      jsonSchema: text,
      get children(): Shape {
        return listOf(shape);
      },
      profile: any,
      customMetrics: listOf(any),
      extension: any,
    },
    defaults: { tags: [], children: [] },
    later: ['odcsElementExtensions'],
    required: ['name', 'dataType'],
  };
  return shape;
}

const keptColumn = makeColumnShape('keptDate');

/** Requests to create may write dates in more forms. */
export const createdColumn = makeColumnShape('createDate');

const ruleShape: ObjectShape = {
  kind: 'object',
  java: `${types}.SemanticsRule`,
  members: {
    ...each('name description rule', text),
    enabled: boolean,
    entityType: text,
    ignoredEntities: listOf(text),
    jsonTree: text,
    provider: oneOf(`${types}.ProviderType`, 'system', 'user', 'automation'),
    inherited: boolean,
  },
  defaults: { enabled: true, ignoredEntities: [], provider: 'user', inherited: false },
  later: ['id', 'arguments', 'odcsElementExtensions'],
  required: ['name', 'description', 'rule', 'enabled'],
};

const termsOfUseShape = openObject(`${api}.TermsOfUse`, { content: text, inherited: boolean });

const rowFilterShape = openObject(
  `${api}.RowFilter`,
  { columnName: text, values: listOf(text) },
  { defaults: { values: [] } },
);

const policyShape = openObject(`${api}.Policy`, {
  accessPolicy: text,
  identities: listOf(text),
  rowFilters: listOf(rowFilterShape),
});

const securityShape = openObject(
  `${api}.ContractSecurity`,
  { dataClassification: text, inherited: boolean, policies: listOf(policyShape) },
  { defaults: { policies: [] } },
);

function period(name: string, amount: string, units: string): ObjectShape {
  const unit = oneOf(`${api}.${name}$Unit`, ...units.split(' '));
  return openObject(`${api}.${name}`, { [amount]: integer, unit }, { required: [amount, 'unit'] });
}

const timezones = `-11:00 (Pacific/Niue)|-10:00 (Pacific/Honolulu)|-09:30 (Pacific/Marquesas)
|-09:00 (America/Anchorage)|-08:00 (America/Los Angeles)|-07:00 (America/Denver)
|-06:00 (America/Chicago)|-05:00 (America/New York)|-04:00 (America/Santiago)
|-03:00 (America/Sao Paulo)|-02:30 (Atlantic/Newfoundland)|-02:00 (Atlantic/South_Georgia)
|-01:00 (Atlantic/Azores)|+00:00 (Europe/London)|+01:00 (Europe/Paris)|+02:00 (Europe/Athens)
|+03:00 (Europe/Moscow)|+03:00 (Asia/Iran)|+04:00 (Asia/Dubai)|+04:30 (Asia/Afghanistan)
|+05:00 (Asia/Karachi)|+05:30 (Asia/Kolkata)|+05:45 (Asia/Nepal)|+06:00 (Asia/Dhaka)
|+06:00 (Asia/Myanmar)|+07:00 (Asia/Bangkok)|+08:00 (Asia/Shanghai)
|+08:45 (Australia/Australian Central Western Standard Time)|+09:00 (Asia/Tokyo)
|+09:00 (Australia/Adelaide)|+10:00 (Australia/Sydney)|+10:30 (Australia/Lord Howe)
|+11:00 (Pacific/Norfolk)|+12:00 (Pacific/Auckland)|+13:00 (Pacific/Tongatapu)
|+14:00 (Pacific/Kiritimati)`
  .split('|')
  .map((zone) => `GMT${zone.trim()}`);

const slaShape = openObject(
  `${api}.ContractSLA`,
  {
    inherited: boolean,
    refreshFrequency: period('RefreshFrequency', 'interval', 'hour day week month year'),
    maxLatency: period('MaxLatency', 'value', 'minute hour day'),
    availabilityTime: text,
    timezone: oneOf(`${api}.ContractSLA$Timezone`, ...timezones),
    retention: period('Retention', 'period', 'day week month year'),
    columnName: text,
  },
  { defaults: { timezone: 'GMT+00:00 (Europe/London)' } },
);

// Members of every kind of asset, which a contract accepts and drops.
const dropped = ['tags', 'domains', 'dataProducts'];

export const contractShape: ObjectShape = {
  kind: 'object',
  java: 'org.openmetadata.schema.entity.data.DataContract',
  members: {
    id: { kind: 'uuid' },
    ...each('name displayName fullyQualifiedName description', text),
    ...each('version updatedAt', any),
    ...each('updatedBy impersonatedBy', text),
    createdAt: any,
    ...each('createdBy href', text),
    entityStatus: status,
    ...each('entity testSuite', referenceShape),
    schema: listOf(keptColumn),
    semantics: listOf(ruleShape),
    termsOfUse: termsOfUseShape,
    security: securityShape,
    sla: slaShape,
    qualityExpectations: listOf(referenceShape),
    ...each('odcsQualityRules contractUpdates', listOf(any)),
    ...each('owners reviewers', listOf(referenceShape)),
    ...each('effectiveFrom effectiveUntil', { kind: 'keptDate' }),
    ...each('changeDescription incrementalChangeDescription', any),
    deleted: boolean,
    sourceUrl: text,
    ...each('latestResult extension', any),
    inherited: boolean,
  },
  defaults: { deleted: false, inherited: false },
  dropped,
};

export const createShape: ObjectShape = {
  kind: 'object',
  java: `${api}.CreateDataContract`,
  members: {
    ...each('name displayName description termsOfUse sourceUrl', text),
    entityStatus: status,
    entity: referenceShape,
    schema: listOf(createdColumn),
    semantics: listOf(ruleShape),
    security: securityShape,
    sla: slaShape,
    qualityExpectations: listOf(referenceShape),
    odcsQualityRules: listOf(any),
    ...each('owners reviewers', listOf(referenceShape)),
    ...each('effectiveFrom effectiveUntil', { kind: 'createDate' }),
    extension: any,
  },
  required: ['name', 'entity'],
  dropped,
};
