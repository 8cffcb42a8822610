import type { Diagnostic, SourcePosition } from '../core/diagnostic.ts';
import {
  deepestNesting,
  defined,
  InexactNumber,
  isArray,
  isObject,
  isTooDeep,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';

/** The asset that a contract is attached to (interface §2.2); servers leave members out. */
export type EntityReference = {
  readonly id?: string;
  readonly type?: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
};

export type AssetId = { readonly id: string; readonly type: string };

export type FoundEntity = EntityReference & {
  readonly id: string;
  /** Names of its columns, where it has any; of nested ones the last part. */
  readonly columns?: readonly string[];
  readonly teamType?: string;
  readonly properties?: readonly PropertyDefinition[];
};

export type PropertyDefinition = {
  readonly name: string;
  readonly type: string;
  readonly config: JsonValue;
};

export type ContractHead = {
  /** UUID: the address of a patch. */
  readonly id: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
  readonly entity?: EntityReference;
  readonly entityStatus?: string;
};

export type LiveContract = ContractHead & {
  /** With its decimal, `1.0`: JSON turns 1.0 into 1, and the interface's URLs need `1.0`. */
  readonly version?: string;
  /** The server's number where `version` rounds it; null where no double holds it. */
  readonly versionNumber?: number | null;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
  /** The catalog's answer without the fields that nest too deep. */
  readonly document: JsonObject;
  /** The entity tag of the answer (RFC 9110 §8.8.3), as it was given. */
  readonly tag?: string;
  readonly tooDeep?: readonly string[];
};

/** Tells which live contract a file means; never patched. */
export type Identity = {
  readonly id?: string;
  readonly fullyQualifiedName?: string;
  readonly name?: string;
  readonly entity?: EntityReference;
};

/** The live values that agree with a file's coarse wording; null stands for an absent value. */
export type Agreement = 'any' | JsonArray;

export type CoarseValue = { readonly pointer: Pointer; readonly agrees: Agreement };

export type StatedFields = {
  /** The file owns each of these fields whole; `null` removes one. Others are never touched. */
  readonly managed: JsonObject;
  /** Set where the format leaves parts to the catalog: `keepUnstated` completes them. */
  readonly coarse?: readonly CoarseValue[];
};

export type DesiredContract = StatedFields & {
  readonly identity: Identity;
  /** Older qualified names, under which the catalog may still have it. */
  readonly movedFrom?: readonly string[];
  readonly source: SourcePosition;
  /** What seems misspelt, or misshapen; a catalog may take it all the same. */
  readonly slips?: readonly Slip[];
  /** The place of the value or of its nearest parent; a removed value is named by live's pointer. */
  readonly locate: (pointer: Pointer, isRemoved?: boolean) => SourcePosition;
};

export type Slip = Diagnostic & {
  readonly pointer: Pointer;
  /** The place that is meant, if the key is another's. */
  readonly meant?: Pointer;
};

/** The server does not let these change. */
export const identityFields = ['id', 'fullyQualifiedName', 'name', 'entity'] as const;

export const managedFields = [
  'displayName',
  'description',
  'entityStatus',
  'semantics',
  'sla',
  'schema',
  'termsOfUse',
  'security',
  'effectiveFrom',
  'effectiveUntil',
  'sourceUrl',
  'qualityExpectations',
  'odcsQualityRules',
  'owners',
  'reviewers',
  'extension',
] as const;

/** Returned only when asked for with `fields` (interface §2.1). */
export const optionalFields = ['owners', 'reviewers', 'extension'] as const;
export type OptionalField = (typeof optionalFields)[number];

/** Written by the server; a file that names one is wrong. */
export const serverFields = ['version', 'updatedAt', 'updatedBy', 'changeDescription'] as const;

/** `agent as user` where a program has acted for somebody. */
export function editorOf({ updatedBy, impersonatedBy }: JsonObject): string | undefined {
  if (typeof updatedBy !== 'string') return undefined;
  return typeof impersonatedBy === 'string' ? `${impersonatedBy} as ${updatedBy}` : updatedBy;
}

export type ApartReason =
  /** `over`: the edit came upon a commit that was never applied. */
  | { readonly kind: 'edited'; readonly over?: string }
  /** A commit changes the place, and the catalog does not have the change yet. */
  | {
      readonly kind: 'not-applied';
      readonly commit: string;
      /** The pull request that was merged as that commit, where a review records it. */
      readonly waitsFor?: number;
    }
  /** `why` is a clause: `the clone is shallow`. */
  | { readonly kind: 'unknown'; readonly why: string };

export function parseHead(sent: JsonValue): ContractHead | undefined {
  if (!isObject(sent) || typeof sent['id'] !== 'string') return undefined;
  const { id, entity } = sent;
  const names = textMembers(sent, ['name', 'fullyQualifiedName', 'entityStatus']);
  return isObject(entity) ? { id, ...names, entity: parseAsset(entity) } : { id, ...names };
}

export function parseLiveContract(sent: JsonValue): LiveContract | undefined {
  const head = parseHead(sent);
  if (!head || !isObject(sent)) return undefined;
  const { version, updatedAt } = sent;
  const shallow = isTooDeep(sent) ? withoutDeepFields(sent) : { document: sent };
  return defined({
    ...head,
    ...parseVersion(version),
    updatedAt: typeof updatedAt === 'number' ? updatedAt : undefined,
    ...shallow,
    document: withoutAbsent(shallow.document),
  });
}

/** The asset that a contract names. */
export function parseAsset(entity: JsonObject): EntityReference {
  return textMembers(entity, ['id', 'type', 'name', 'fullyQualifiedName']);
}

function withoutDeepFields(sent: JsonObject): Pick<LiveContract, 'document' | 'tooDeep'> {
  const { deep = [], others = [] } = Object.groupBy(Object.entries(sent), ([, value]) =>
    isTooDeep(value, deepestNesting - 1) ? 'deep' : 'others',
  );
  return { document: Object.fromEntries(others), tooDeep: deep.map(([field]) => field) };
}

// Some reads show soft-deleted owners and reviewers, which a patch does not see.
function withoutAbsent(document: JsonObject): JsonObject {
  const changed = ['owners', 'reviewers'].flatMap((field) => {
    const people = document[field];
    if (!isArray(people)) return [];
    const present = people.filter((person) => !isObject(person) || person['deleted'] !== true);
    return present.length < people.length ? [[field, present] as const] : [];
  });
  return changed.length === 0 ? document : { ...document, ...Object.fromEntries(changed) };
}

function parseVersion(version: JsonValue | undefined) {
  if (typeof version === 'string') return { version: formatVersion(version) };
  if (typeof version !== 'number' && !(version instanceof InexactNumber)) return {};
  const number = Number(version);
  const text = formatVersion(number);
  if (number === version && Number(text) === number) return { version: text };
  return { version: text, versionNumber: number === version ? number : null };
}

/** Lists leave out deleted contracts, which can be restored. */
export function isDeleted({ document }: LiveContract): boolean {
  return document['deleted'] === true;
}

export function textMembers<Name extends string>(object: JsonObject, names: readonly Name[]) {
  const members: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'string') members[name] = value;
  }
  return members;
}

/**
 * JSON turns 1.0 into 1, and a versions URL needs `1.0` (interface §2.1, §4.4). A server that adds
 * 0.1 to 0.2 as doubles means 0.3.
 */
export function formatVersion(version: number | string): string {
  // Errors of sums of doubles are far smaller than 9 decimals.
  const text = String(typeof version === 'number' ? Number(version.toFixed(9)) : version);
  return /^\d+$/u.test(text) ? `${text}.0` : text;
}

export type ChangedFields = {
  /** Whole fields; absent where the contract had none. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The catalog's answer to the patch. */
  readonly version?: string;
  readonly updatedAt?: number;
  readonly updatedBy?: string;
};

// The members of columns, rules and promises in any catalog: the check of files and the products build
// on them, and `schemas/contract.schema.json` explains them to editors.

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

/** Members of the SLA beside the promises. */
export const levelMembers = {
  availabilityTime: 'text',
  timezone: 'text',
  columnName: 'text',
} as const;
