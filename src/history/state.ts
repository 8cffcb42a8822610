import { formatVersion, type LiveContract, serverFields } from '../contract/contract.ts';
import type { Conventions } from '../contract/conventions.ts';
import { completeReferences, type Equivalence } from '../contract/equality.ts';
import { peopleFields } from '../contract/identity.ts';
import {
  deepEqual,
  isArray,
  isEmpty,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import type { DiffOptions } from '../patch/identity.ts';
import { childAt, type Matching, startMatching } from '../patch/pointer.ts';

/** As plans compare, but for what a catalog adds by itself: an edit may have removed it. */
export type HistoryRules = {
  readonly equivalence: Pick<Equivalence, 'ignore' | 'emptyIsAbsent'>;
  readonly arrays: DiffOptions;
};

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
  { id, document }: Pick<LiveContract, 'id' | 'document'>,
  snapshots: readonly JsonObject[],
  { fromVersion }: Pick<Conventions, 'fromVersion'>,
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

// What every contract always has (§2.1).
const lasting = ['fullyQualifiedName', 'entity'];

/**
 * No snapshot carries them, or this one was cut short: it lacks what every contract has and others
 * carry.
 */
export function unknownFields(
  fields: readonly string[],
  { live, snapshots }: { readonly live: JsonObject; readonly snapshots: readonly JsonObject[] },
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

export function withoutBookkeeping(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !bookkeeping.has(field)));
}

/**
 * A catalog that merges the edits of a session, or rewrites a version on an undo, notes in
 * `incrementalChangeDescription` which version its last write was made to: the one before, if there
 * was one write. With `previousVersion` and without that note, nothing is known; the interface
 * itself makes a version of every change (§9).
 */
export function mayHoldMore(snapshot: JsonObject, before: string | undefined): boolean {
  const { changeDescription, incrementalChangeDescription } = snapshot;
  const lastWriteTo = previousVersion(incrementalChangeDescription);
  if (lastWriteTo !== undefined) return lastWriteTo !== before;
  return previousVersion(changeDescription) !== undefined;
}

function previousVersion(description: JsonValue | undefined): string | undefined {
  const version = isObject(description) ? description['previousVersion'] : undefined;
  return typeof version === 'number' || typeof version === 'string'
    ? formatVersion(version)
    : undefined;
}
