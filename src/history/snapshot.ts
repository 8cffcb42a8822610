/** What one snapshot of a catalog's history says, in the words of today's interface. */

import { serverFields } from '../contract/contract.ts';
import { formatVersion } from '../contract/version.ts';
import { isEmpty, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { childAt } from '../patch/pointer.ts';

/** The snapshots of a contract, whose id those of earlier releases may lack. */
export function withId(id: string, snapshots: readonly JsonObject[]): readonly JsonObject[] {
  return snapshots.map((snapshot) => ({ id, ...snapshot }));
}

/** Earlier releases said `status` where the interface says `entityStatus` (§2.1). */
export function inTodaysShape(snapshot: JsonObject): JsonObject {
  const { status, ...rest } = snapshot;
  if (typeof status !== 'string' || Object.hasOwn(rest, 'entityStatus')) return snapshot;
  return { ...rest, entityStatus: status };
}

/**
 * Of some fields those that live has and that no snapshot carries: the interface promises little of
 * snapshots (§2.5), so what they were is not known. A field that any snapshot carries was absent from
 * those that lack it.
 */
export function unrecordedFields(
  fields: readonly string[],
  live: JsonObject,
  snapshots: readonly JsonObject[],
): readonly string[] {
  const recorded = new Set(snapshots.flatMap((snapshot) => Object.keys(inTodaysShape(snapshot))));
  return fields.filter((field) => !isEmpty(childAt(live, field)) && !recorded.has(field));
}

/** What every contract always has (§2.1). */
const lasting = ['fullyQualifiedName', 'entity'];

/**
 * Of some fields those of which one snapshot does not tell what they were: no snapshot carries them,
 * or this one was cut short, as it shows where it lacks what every contract has and others carry.
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

/** What the catalog writes about a contract: it changes by itself and means no edit. */
const bookkeeping: ReadonlySet<string> = new Set([
  ...serverFields,
  'incrementalChangeDescription',
  'createdAt',
  'createdBy',
  'href',
  'inherited',
  'latestResult',
  'testSuite',
]);

/** The contract without the catalog's notes on it. */
export function withoutBookkeeping(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !bookkeeping.has(field)));
}

/**
 * Whether other edits may have gone into a version besides those that it shows. A catalog that
 * merges the edits of a session, or rewrites a version when one is undone, notes in
 * `incrementalChangeDescription` which version its last write was made to: the one before, if there
 * was but one write. Where it counts `previousVersion` and lacks that note, nothing is known; the
 * interface itself makes a version of every change (§9).
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

/** How a version is numbered against the one before it, where it is not simply higher. */
export type Numbering = 'repeats' | 'goes-back';

export function numberingOf(
  version: string | undefined,
  before: string | undefined,
): Numbering | undefined {
  const [number, previous] = [Number(version), Number(before)];
  if (number === previous) return 'repeats';
  return number < previous ? 'goes-back' : undefined;
}
