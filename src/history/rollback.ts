/** The way back: the fields to set so that a contract is again what it was. */

import { formatVersion } from '../contract/live.ts';
import { isNothing, type JsonObject, type JsonValue } from '../core/json.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { type LivePlace, merge } from '../patch/merge.ts';
import { childAt } from '../patch/pointer.ts';
import { type Blame, blamePlace, equalPlaces } from './place.ts';
import { comparableStates, type HistoryRules } from './state.ts';
import type { ContractVersion } from './version.ts';

/** The fields that a plan is to set, whole, to bring a contract back; `null` removes one. */
export function fieldsToRestore(
  then: JsonObject,
  now: JsonObject,
  fields: readonly string[],
): JsonObject {
  const wanted = fields.flatMap((field): [string, JsonValue][] => {
    const value = childAt(then, field) ?? null;
    return value === null && isNothing(childAt(now, field)) ? [] : [[field, value]];
  });
  return Object.fromEntries(wanted);
}

/** What keeps one change of a run from being undone: somebody has changed the place since. */
export type RollbackConflict = LivePlace & {
  readonly label: string;
  /** Who has changed it. */
  readonly blame: Blame;
};

export type RunRollback = {
  /** What a plan is to set; `null` removes a field. */
  readonly fields: JsonObject;
  /** Left as they are. */
  readonly conflicts: readonly RollbackConflict[];
};

/** A run's change of a contract, and the contract's history up to now. */
export type RunToUndo = {
  readonly before: ContractVersion;
  readonly after: ContractVersion;
  /** With all fields that the run may have changed. */
  readonly live: JsonObject;
  readonly versions: readonly ContractVersion[];
};

/** Takes back exactly what a run has changed in some fields, and nothing that others have changed since. */
export function undoRun(
  { before, after, live, versions }: RunToUndo,
  fieldNames: readonly string[],
  rules: HistoryRules,
): RunRollback {
  const { arrays } = rules;
  const documents = [live, after.document, before.document];
  const [now = {}, base = {}, desired = {}] = comparableStates(documents, rules);
  const { merged, apart } = merge(base, desired, now, { ...arrays, winner: 'live' });
  const changed = fieldNames.filter(
    (field) => !equalPlaces(childAt(merged, field), childAt(now, field), [field], arrays),
  );
  const conflicts = apart.filter(
    ({ path: [field = ''], isAsked }) => isAsked && fieldNames.includes(field),
  );
  return {
    fields: Object.fromEntries(changed.map((field) => [field, childAt(merged, field) ?? null])),
    conflicts: conflicts.map(({ path, of }) => {
      const blame = blamePlace(versions, { path, of }, arrays);
      return { path, of, label: labelKeyPath(path), blame };
    }),
  };
}

/** A version by its number; a catalog that sets numbers back may have given it twice. */
export type Numbered =
  | { readonly kind: 'found'; readonly version: ContractVersion; readonly index: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'repeated'; readonly versions: readonly ContractVersion[] };

/** `1` means 1.0. */
export function versionNumbered(versions: readonly ContractVersion[], number: string): Numbered {
  const wanted = formatVersion(number);
  const found = versions.filter(({ version }) => version === wanted);
  const [version] = found;
  if (!version) return { kind: 'missing' };
  if (found.length > 1) return { kind: 'repeated', versions: found };
  return { kind: 'found', version, index: versions.indexOf(version) };
}

/** What a contract was just before a moment. */
export type Past = {
  readonly version: ContractVersion;
  /** A later version into which edits from before that moment may have been merged. */
  readonly mergedInto?: ContractVersion;
};

/** The last version written before the time, in epoch milliseconds; undefined: none is known. */
export function versionBefore(
  versions: readonly ContractVersion[],
  time: number,
): Past | undefined {
  const index = versions.findIndex(({ updatedAt = Infinity }) => updatedAt < time);
  const [version, next] = [versions[index], versions[index - 1]];
  return version && { version, ...(next?.mayHoldMore && { mergedInto: next }) };
}

/** A run's own account of one contract. */
export type RunRecord = {
  readonly versionBefore?: string;
  readonly versionAfter?: string;
  /** The run sent its change, and did not learn whether it landed: what it saw may be of others. */
  readonly unverified?: true;
};

/** The states on both sides of what a run did to a contract. */
export type RunVersions =
  /** Where `after` may hold more, other edits of the same user are taken for the run's. */
  | { readonly kind: 'found'; readonly before: ContractVersion; readonly after: ContractVersion }
  | { readonly kind: 'unknown'; readonly reason: UnknownRun };

/**
 * `unverified`: the run did not learn whether its change landed; `not-recorded`: it did not note its
 * versions; `not-in-history`: the catalog does not have them any more; `repeated`: it has given a
 * number twice; `merged`: it has merged the run's change into a version that was there before, so
 * that no version is what the run found.
 */
type UnknownRun = 'unverified' | 'not-recorded' | 'not-in-history' | 'repeated' | 'merged';

/** Somebody may have been faster than the run: what it changed is what its own version did. */
export function versionsOfRun(
  versions: readonly ContractVersion[],
  { versionBefore, versionAfter, unverified }: RunRecord,
): RunVersions {
  if (unverified) return unknown('unverified');
  if (versionBefore === undefined || versionAfter === undefined) return unknown('not-recorded');
  if (formatVersion(versionBefore) === formatVersion(versionAfter)) return unknown('merged');
  const planned = versionNumbered(versions, versionBefore);
  const after = versionNumbered(versions, versionAfter);
  if (planned.kind === 'missing' || after.kind === 'missing') return unknown('not-in-history');
  if (planned.kind === 'repeated' || after.kind === 'repeated') return unknown('repeated');
  const before = versions[after.index + 1];
  if (!before || planned.index < after.index) return unknown('merged');
  return { kind: 'found', before, after: after.version };
}

function unknown(reason: UnknownRun): RunVersions {
  return { kind: 'unknown', reason };
}
