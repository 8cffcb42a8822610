/** The way back: the fields to set so that a contract is again what it was. */

import { isNothing, type JsonObject, type JsonValue } from '../core/json.ts';
import { labelKeyPath } from '../patch/key-path.ts';
import { childAt, formatPointer } from '../patch/pointer.ts';
import { type Blame, blameOrder, blamePlace } from './blame.ts';
import { type MergeConflict, mergeValues } from './merge.ts';
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
export type RollbackConflict = {
  /** By key: `/schema/{name=amount}/dataType`. */
  readonly path: string;
  readonly label: string;
  /** `order`: that of an array's elements alone. */
  readonly of: MergeConflict['of'];
  /** Before the run, after it, and now; absent where there was nothing. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly now?: JsonValue;
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
  run: RunToUndo,
  fieldNames: readonly string[],
  rules: HistoryRules,
): RunRollback {
  const [theirs = {}, base = {}, ours = {}] = comparableStates(
    [run.live, run.after.document, run.before.document],
    rules,
  );
  const fields: Record<string, JsonValue> = {};
  const conflicts: RollbackConflict[] = [];
  for (const field of fieldNames) {
    const [before, after, now] = [ours, base, theirs].map((state) => childAt(state, field));
    const merged = mergeValues({ ours: before, base: after, theirs: now }, [field], rules.arrays);
    if (!equalPlaces(merged.value, now, [field], rules.arrays))
      fields[field] = merged.value ?? null;
    for (const conflict of merged.conflicts)
      conflicts.push(describeConflict(conflict, run.versions, rules));
  }
  return { fields, conflicts };
}

function describeConflict(
  { path, of, ours, base, theirs }: MergeConflict,
  versions: readonly ContractVersion[],
  { arrays }: HistoryRules,
): RollbackConflict {
  return {
    path: formatPointer(path),
    label: labelKeyPath(path),
    of,
    ...(ours !== undefined && { before: ours }),
    ...(base !== undefined && { after: base }),
    ...(theirs !== undefined && { now: theirs }),
    blame: (of === 'order' ? blameOrder : blamePlace)(versions, path, arrays),
  };
}
