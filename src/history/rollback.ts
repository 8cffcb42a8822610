/** The fields to set so that a contract is again what it was. */

import { formatVersion } from '../contract/live.ts';
import { isNothing, type JsonObject, type JsonValue } from '../core/json.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { type LivePlace, merge } from '../patch/merge.ts';
import { childAt } from '../patch/pointer.ts';
import { type Blame, blamePlace, equalPlaces } from './place.ts';
import { comparableStates, type HistoryRules } from './state.ts';
import type { ContractVersion } from './version.ts';

/** Whole fields; `null` removes one. */
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

export type RollbackConflict = LivePlace & {
  readonly label: string;
  readonly blame: Blame;
};

export type RunRollback = {
  readonly fields: JsonObject;
  readonly conflicts: readonly RollbackConflict[];
};

export type RunToUndo = {
  readonly before: ContractVersion;
  readonly after: ContractVersion;
  readonly live: JsonObject;
  readonly versions: readonly ContractVersion[];
};

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

/** A catalog that sets numbers back may have given one twice. */
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

export type Past = {
  readonly version: ContractVersion;
  readonly mergedInto?: ContractVersion;
};

/** `time` is in epoch milliseconds; undefined where none is known. */
export function versionBefore(
  versions: readonly ContractVersion[],
  time: number,
): Past | undefined {
  const index = versions.findIndex(({ updatedAt = Infinity }) => updatedAt < time);
  const [version, next] = [versions[index], versions[index - 1]];
  return version && { version, ...(next?.mayHoldMore && { mergedInto: next }) };
}

export type RunRecord = {
  readonly versionBefore?: string;
  readonly versionAfter?: string;
  /** The run did not learn whether its change landed: its versions may be of others. */
  readonly unverified?: true;
};

export type RunVersions =
  /** Where `after` may hold more, other edits of the same user are taken for the run's. */
  | { readonly kind: 'found'; readonly before: ContractVersion; readonly after: ContractVersion }
  | { readonly kind: 'unknown'; readonly reason: UnknownRun };

// `unverified`: the run did not learn whether its change landed; `not-recorded`: it noted no
// versions; `not-in-history`: the catalog no longer has them; `repeated`: it has given a number
// twice; `merged`: it has merged the change into an earlier version, so none shows the state before
// the run.
type UnknownRun = 'unverified' | 'not-recorded' | 'not-in-history' | 'repeated' | 'merged';

/** Others may have written before the run: its change is what its own version did. */
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
