/** The way back: the fields to set so that a contract is again what it was. */

import { isNothing, type JsonObject, type JsonValue } from '../core/json.ts';
import { labelKeyPath } from '../patch/key-path.ts';
import { type LivePlace, merge } from '../patch/merge.ts';
import { childAt } from '../patch/pointer.ts';
import { type Blame, blameOrder, blamePlace } from './blame.ts';
import { equalPlaces } from './place.ts';
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
      const blame = (of === 'order' ? blameOrder : blamePlace)(versions, path, arrays);
      return { path, of, label: labelKeyPath(path), blame };
    }),
  };
}
