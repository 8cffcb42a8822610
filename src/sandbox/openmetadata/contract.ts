import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { decimal, isAbsent, isList, isRecord, toText } from '../json.ts';
import { bindObject, parseKeptDate } from './shape.ts';
import { contractShape } from './shapes.ts';

export type Reference = {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly displayName: string;
  readonly description?: string;
  readonly deleted: boolean;
};

type FieldChange = {
  readonly name: string;
  readonly oldValue?: JsonValue;
  readonly newValue?: JsonValue;
};

export type ChangeDescription = {
  readonly fieldsAdded: readonly FieldChange[];
  readonly fieldsUpdated: readonly FieldChange[];
  readonly fieldsDeleted: readonly FieldChange[];
  readonly previousVersion: number;
  readonly changeSummary?: JsonObject;
};

export type Version = JsonObject & {
  readonly id: string;
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly version: number;
  readonly updatedAt: number;
  readonly updatedBy: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly entityStatus: string;
  /** The reference that was sent, whatever it has beside id and type. */
  readonly entity: JsonObject & { readonly id: string; readonly type: string };
  /** Of that time; null where a validation run has written the version without them. */
  readonly owners: readonly Reference[] | null;
  readonly reviewers: readonly Reference[];
  readonly deleted: boolean;
  readonly changeDescription?: ChangeDescription;
  readonly incrementalChangeDescription?: ChangeDescription;
};

export type KeptContract = Version & { readonly owners: readonly Reference[] };

export type Row = {
  readonly current: KeptContract;
  readonly history: readonly Version[];
  readonly results: readonly JsonValue[];
};

/** The minor step is the only one, and after 0.9 comes 1.0. */
export function versionAfter(version: number): number {
  return Math.round(version * 10 + 1) / 10;
}

export function versionText(version: number): string {
  return JSON.stringify(decimal(version));
}

export function strongTag({ version, updatedAt }: Pick<Version, 'version' | 'updatedAt'>): string {
  const state = `${versionText(version)}-${updatedAt}`;
  return createHash('sha256').update(state).digest('hex').slice(0, 16);
}

/** The form that the server stores and patches: versions as decimals. */
export function keptDocument(contract: Version): JsonObject {
  const { version, changeDescription, incrementalChangeDescription } = contract;
  return inOrder({
    ...contract,
    version: decimal(version),
    changeDescription: withDecimal(changeDescription),
    incrementalChangeDescription: withDecimal(incrementalChangeDescription),
  });
}

function withDecimal(change: ChangeDescription | undefined): JsonValue {
  return change ? { ...change, previousVersion: decimal(change.previousVersion) } : null;
}

/** The form that the server reads from its database: defaults set, each reference once. */
export function reread(contract: KeptContract): KeptContract {
  const bound = bindObject(contractShape, contract);
  // Only these have defaults that a null can keep away until the next reading.
  const sections = ['schema', 'semantics', 'sla', 'termsOfUse', 'security'];
  const given = sections.filter((name) => bound[name] !== undefined);
  return {
    ...contract,
    ...Object.fromEntries(given.map((name) => [name, bound[name] ?? null])),
    owners: distinct(contract.owners),
    reviewers: distinct(contract.reviewers),
  };
}

function distinct(references: readonly Reference[]): readonly Reference[] {
  return [...new Map(references.map((reference) => [reference.id, reference])).values()];
}

export const allFields: ReadonlySet<string> = new Set(['owners', 'reviewers', 'extension']);

export function answerOf(
  contract: KeptContract,
  view: { readonly base: string; readonly self: boolean; readonly fields?: ReadonlySet<string> },
): JsonObject {
  const { base, self, fields = allFields } = view;
  const link = (people: readonly Reference[]) => people.map((person) => linked(person, base));
  const { owners: _o, reviewers: _r, extension, ...document } = keptDocument(contract);
  return bindAnswer({
    ...document,
    ...(self && { href: `${base}/v1/dataContracts/${contract.id}` }),
    entity: linked(contract.entity, base),
    ...(fields.has('owners') && { owners: link(contract.owners) }),
    ...(fields.has('reviewers') && { reviewers: link(contract.reviewers) }),
    ...(fields.has('extension') && extension !== undefined && { extension }),
  });
}

export function answerOfVersion(contract: Version): JsonObject {
  return bindAnswer(keptDocument(contract));
}

function bindAnswer(document: JsonObject): JsonObject {
  return inOrder(withMilliseconds(document, ['effectiveFrom', 'effectiveUntil', 'schema']));
}

function withMilliseconds(document: JsonObject, members: readonly string[]): JsonObject {
  const dated = members.filter((name) => !isAbsent(document[name]));
  return { ...document, ...Object.fromEntries(dated.map((name) => [name, read(document[name])])) };
}

function read(value: JsonValue | undefined): JsonValue {
  if (isList(value)) return value.map(read);
  if (isRecord(value)) return withMilliseconds(value, ['tags', 'children', 'appliedAt']);
  return parseKeptDate(toText(value)) ?? value ?? null;
}

function inOrder(document: JsonObject): JsonObject {
  const names = Object.keys(contractShape.members).filter((name) => !isAbsent(document[name]));
  return Object.fromEntries(names.map((name) => [name, document[name] ?? null]));
}

// Collections whose address is not the type's name with an s.
const collections: { readonly [type: string]: string } = {
  databaseService: 'services/databaseServices',
  dashboardService: 'services/dashboardServices',
  messagingService: 'services/messagingServices',
  pipelineService: 'services/pipelineServices',
  glossary: 'glossaries',
  dashboardDataModel: 'dashboard/datamodels',
  searchIndex: 'searchIndexes',
  directory: 'drives/directories',
};

export function linked<Target extends { readonly id: string; readonly type: string }>(
  target: Target,
  base: string,
): Target & { readonly href: string } {
  return { ...target, href: `${base}/v1/${collectionOf(target.type)}/${target.id}` };
}

export function collectionOf(type: string): string {
  return collections[type] ?? `${type}s`;
}
