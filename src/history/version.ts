import {
  editorOf,
  formatVersion,
  type LiveContract,
  parseLiveContract,
  serverFields,
} from '../contract/contract.ts';
import type { Conventions } from '../contract/conventions.ts';
import { completeReferences, type Equivalence } from '../contract/equality.ts';
import { peopleFields } from '../contract/identity.ts';
import {
  deepEqual,
  defined,
  isArray,
  isEmpty,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { diff } from '../patch/diff.ts';
import { type DiffOptions, keyPathOf, labelKeyPath } from '../patch/identity.ts';
import {
  childAt,
  formatPointer,
  type Matching,
  type Pointer,
  startMatching,
  valueAt,
} from '../patch/pointer.ts';

export type ContractVersion = LiveContract & {
  readonly user?: string;
  /** Against the version before; empty where none is known. */
  readonly changes: readonly VersionChange[];
  readonly mayHoldMore: boolean;
  /** Absent where the number is higher than the one before. */
  readonly numbering?: 'repeats' | 'goes-back';
  /** Without the catalog's bookkeeping; fields that are equal in two neighbours are one value. */
  readonly state: JsonObject;
  /** Absent where no earlier version is known. */
  readonly before?: JsonObject;
};

export type Provenance =
  /** `git`: a commit before it asks for it; `git-since`: the first that does came after it. */
  | { readonly kind: 'git' | 'git-since'; readonly commit: string; readonly author: string }
  | { readonly kind: 'no-commit' }
  /** No known commit asks for it, and some commits are not known. */
  | { readonly kind: 'unknown' };

/** Newest first (interface §2.5). */
export function parseVersions(
  snapshots: readonly JsonObject[],
  rules: HistoryRules,
): readonly ContractVersion[] {
  const contracts = snapshots.flatMap((each) => parseLiveContract(inTodaysShape(each)) ?? []);
  const states = comparableStates(
    contracts.map(({ document }) => withoutBookkeeping(document)),
    rules,
  );
  return contracts.map((contract, index) => {
    const before = contracts[index + 1];
    const [state = {}, earlier = state] = states.slice(index, index + 2);
    // NaN, neither higher nor lower, where a version has no number or none came before.
    const step = Number(contract.version) - Number(before?.version);
    return {
      ...contract,
      ...defined({ user: editorOf(contract.document) }),
      mayHoldMore: mayHoldMore(contract.document, before?.version),
      ...(step <= 0 && { numbering: step === 0 ? 'repeats' : 'goes-back' }),
      changes: changesBetween(earlier, state, rules),
      state,
      ...(before && { before: earlier }),
    };
  });
}

export type VersionChange = {
  readonly kind: 'add' | 'remove' | 'replace' | 'move';
  /** By key: `/schema/{name=amount}/dataType`. */
  readonly path: string;
  /** `schema[amount].dataType`. */
  readonly label: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

function changesBetween(earlier: JsonObject, later: JsonObject, { arrays }: HistoryRules) {
  const locate = (pointer: Pointer | undefined, document: JsonObject) => {
    if (!pointer) return undefined;
    const path = keyPathOf(pointer, document, arrays);
    const name = { path: formatPointer(path), label: labelKeyPath(path) };
    return { name, value: valueAt(document, pointer) ?? null };
  };
  return diff(earlier, later, arrays).flatMap(({ operation, live, desired }): VersionChange[] => {
    const from = locate(live, earlier);
    const to = locate(desired, later);
    if (from && to && operation.op === 'move') return [{ kind: 'move', ...to.name }];
    const removed = from && ({ kind: 'remove', ...from.name, before: from.value } as const);
    const added = to && ({ kind: 'add', ...to.name, after: to.value } as const);
    if (!from || !to) return [removed, added].filter((each) => each !== undefined);
    // One element in place of another is a removal and an addition, no change of either.
    const isOther = from.name.path !== to.name.path && from.name.path.endsWith('}');
    if (isOther && removed && added) return [removed, added];
    return [{ kind: 'replace', ...from.name, before: from.value, after: to.value }];
  });
}

/** The rules of plans, but for a catalog's own additions: an edit may have removed one. */
export type HistoryRules = { readonly equivalence: Equivalence; readonly arrays: DiffOptions };

/** Newest first; fields that are equal in two neighbours are one value. */
export function comparableStates(
  documents: readonly JsonObject[],
  { equivalence: { ignore, emptyIsAbsent } }: HistoryRules,
): readonly JsonObject[] {
  const matching = startMatching(ignore);
  const states: JsonObject[] = [];
  for (const document of documents) {
    const state = comparableMembers(document, matching, emptyIsAbsent);
    const after = states.at(-1);
    states.push(after ? inWordsOf(after, state) : state);
  }
  return states;
}

function comparable(value: JsonValue, matching: Matching, emptyIsAbsent: boolean): JsonValue {
  if (isObject(value)) return comparableMembers(value, matching, emptyIsAbsent);
  if (!isArray(value)) return value;
  // Elements have no names: only `*` and `**` match them, and then all of them.
  const below = matching.below('');
  return below.isMatch ? [] : value.map((element) => comparable(element, below, emptyIsAbsent));
}

function comparableMembers(object: JsonObject, matching: Matching, emptyIsAbsent: boolean) {
  const members = Object.entries(object).flatMap(([name, value]): [string, JsonValue][] => {
    const below = matching.below(name);
    if (below.isMatch || (emptyIsAbsent && isEmpty(value))) return [];
    return [[name, comparable(value, below, emptyIsAbsent)]];
  });
  return Object.fromEntries(members);
}

// An older snapshot may say less of a person or team than a newer one, and mean the same.
function inWordsOf(after: JsonObject, state: JsonObject): JsonObject {
  const fields = Object.entries(state).map(([field, value]) => {
    const isPeople = peopleFields.some((each) => each === field);
    const own = isPeople ? completeReferences(after[field], value) : value;
    const same = childAt(after, field);
    return [field, same !== undefined && deepEqual(own, same) ? same : own] as const;
  });
  return Object.fromEntries(fields);
}

/** In the words of live, and with the id, which earlier releases left out. */
export function readSnapshots(
  { id, document }: LiveContract,
  snapshots: readonly JsonObject[],
  { fromVersion }: Conventions,
): readonly JsonObject[] {
  return snapshots.map((snapshot) => fromVersion({ id, ...snapshot }, document));
}

/** Earlier releases said `status` where the interface says `entityStatus` (§2.1). */
export function inTodaysShape(snapshot: JsonObject): JsonObject {
  const { status, ...rest } = snapshot;
  if (typeof status !== 'string' || Object.hasOwn(rest, 'entityStatus')) return snapshot;
  return { ...rest, entityStatus: status };
}

/**
 * Fields that live has and no snapshot carries: the interface promises little of snapshots (§2.5),
 * so their past is unknown. A field that any snapshot carries was absent from the others.
 */
export function unrecordedFields(
  fields: readonly string[],
  live: JsonObject,
  snapshots: readonly JsonObject[],
): readonly string[] {
  const recorded = new Set(snapshots.flatMap((snapshot) => Object.keys(inTodaysShape(snapshot))));
  return fields.filter((field) => !isEmpty(childAt(live, field)) && !recorded.has(field));
}

// Every contract has these (§2.1).
const lasting = ['fullyQualifiedName', 'entity'];

/**
 * No snapshot carries them, or this one was cut short: it lacks what every contract has and others
 * carry.
 */
export function unknownFields(
  fields: readonly string[],
  live: JsonObject,
  snapshots: readonly JsonObject[],
  snapshot: JsonObject,
): readonly string[] {
  const unrecorded = unrecordedFields(fields, live, snapshots);
  const isCut = lasting.some(
    (field) =>
      !Object.hasOwn(snapshot, field) && snapshots.some((each) => Object.hasOwn(each, field)),
  );
  if (!isCut) return unrecorded;
  const own = inTodaysShape(snapshot);
  return fields.filter(
    (field) =>
      unrecorded.includes(field) || (!isEmpty(childAt(live, field)) && !Object.hasOwn(own, field)),
  );
}

// They change by themselves, without an edit.
const bookkeeping: ReadonlySet<string> = new Set([
  ...serverFields,
  'incrementalChangeDescription',
  'impersonatedBy',
  'createdAt',
  'createdBy',
  'href',
  'inherited',
  'latestResult',
  'testSuite',
]);

function withoutBookkeeping(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !bookkeeping.has(field)));
}

/**
 * A catalog that merges the edits of a session, or rewrites a version on an undo, notes in
 * `incrementalChangeDescription` which version its last write was made to: the one before, if there
 * was one write. With `previousVersion` and without that note, nothing is known; the interface
 * itself makes a version of every change (§9).
 */
function mayHoldMore(snapshot: JsonObject, before: string | undefined): boolean {
  const lastWriteTo = lastWrittenTo(snapshot);
  if (lastWriteTo !== undefined) return lastWriteTo !== before;
  return madeOfVersion(snapshot) !== undefined;
}

/** The version that this one was made of, where the catalog notes it. */
export function madeOfVersion(snapshot: JsonObject): string | undefined {
  return previousVersion(snapshot['changeDescription']);
}

/** The version that the last write was made to, where the catalog notes it. */
export function lastWrittenTo(snapshot: JsonObject): string | undefined {
  return previousVersion(snapshot['incrementalChangeDescription']);
}

function previousVersion(description: JsonValue | undefined): string | undefined {
  const version = isObject(description) ? description['previousVersion'] : undefined;
  return typeof version === 'number' || typeof version === 'string'
    ? formatVersion(version)
    : undefined;
}
