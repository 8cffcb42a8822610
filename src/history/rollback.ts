import {
  type ChangedFields,
  formatVersion,
  managedFields,
  type LiveContract,
} from '../contract/contract.ts';
import { isNothing, type JsonObject } from '../core/json.ts';
import { type KeyPath, labelKeyPath } from '../patch/identity.ts';
import { type LivePlace, merge } from '../patch/merge.ts';
import { childAt } from '../patch/pointer.ts';
import { type Blame, blamePlace, equalPlaces } from './place.ts';
import {
  comparableStates,
  type ContractVersion,
  type HistoryRules,
  unknownFields,
} from './version.ts';

/** Whole fields; `null` removes one. */
export function fieldsToRestore(then: JsonObject, now: JsonObject, fields: readonly string[]) {
  const wanted = fields.map((field) => [field, childAt(then, field) ?? null] as const);
  return Object.fromEntries(
    wanted.filter(([field, value]) => value !== null || !isNothing(childAt(now, field))),
  );
}

export type RollbackConflict = LivePlace & { readonly label: string; readonly blame: Blame };

/**
 * Takes back what still is as the run left it, by values: a catalog that merges edits gives one
 * version number to several states. What a later version has set, even to the same value, stays.
 */
export function undoRun(
  run: ChangedFields,
  live: JsonObject,
  versions: readonly ContractVersion[],
  rules: HistoryRules,
) {
  const { arrays } = rules;
  const fields: readonly string[] = managedFields.filter(
    (field) => Object.hasOwn(run.before, field) || Object.hasOwn(run.after, field),
  );
  const documents = [live, run.after, run.before].map((document) =>
    Object.fromEntries(Object.entries(document).filter(([field]) => fields.includes(field))),
  );
  const [now = {}, base = {}, desired = {}] = comparableStates(documents, rules);
  const snapshots = versions.map(({ document }) => document);
  const blameOf = (place: LivePlace): Blame => {
    const field = place.path.slice(0, 1);
    const known = versions.filter(
      ({ document }) => unknownFields(field, live, snapshots, document).length === 0,
    );
    return blamePlace(known, place, arrays);
  };
  const isKept = (path: KeyPath): boolean => {
    const blame = blameOf({ path, of: 'value' });
    if (blame.kind !== 'changed') return false;
    const { updatedAt, version } = blame.version;
    if (updatedAt === undefined || run.updatedAt === undefined)
      return Number(version) > Number(run.version);
    return updatedAt > run.updatedAt && !isMerged(blame.version, run);
  };
  const { merged, apart } = merge(base, desired, now, { ...arrays, winner: 'live', isKept });
  const changed = fields.filter(
    (field) => !equalPlaces(childAt(merged, field), childAt(now, field), [field], arrays),
  );
  // The run's version, where later edits are in it too.
  const mergedInto = versions.find(
    (version) => isMerged(version, run) && (version.updatedAt ?? 0) > (run.updatedAt ?? Infinity),
  );
  return {
    ...(changed.length > 0 && { mergedInto }),
    fields: Object.fromEntries(changed.map((field) => [field, childAt(merged, field) ?? null])),
    conflicts: apart.flatMap(({ path, of, isAsked }) =>
      isAsked ? [{ path, of, label: labelKeyPath(path), blame: blameOf({ path, of }) }] : [],
    ),
  };
}

// Later writes of the run's user may be merged into the version that the run made.
function isMerged({ version, user, mayHoldMore }: ContractVersion, run: ChangedFields): boolean {
  return mayHoldMore && version === run.version && user === run.updatedBy;
}

/** `1` means 1.0; several where the catalog has set its numbers back. */
export function versionsNumbered(versions: readonly ContractVersion[], number: string) {
  const wanted = formatVersion(number);
  return versions.filter(({ version }) => version === wanted);
}

/** `time` is in epoch milliseconds; undefined where none is known. */
export function versionBefore(versions: readonly ContractVersion[], time: number) {
  const index = versions.findIndex(({ updatedAt = Infinity }) => updatedAt < time);
  const version = versions[index];
  const next = versions[index - 1];
  return version && { version, ...(next?.mayHoldMore && { mergedInto: next }) };
}

/**
 * The last version, if the contract gets back what the version before it had, place by place;
 * undefined where the history leaves that open. `changed` has the fields of the change as it leaves
 * them, null for one that it removes; `versions` are newest first.
 */
export function findTakenBack(
  live: LiveContract,
  changed: JsonObject,
  versions: readonly ContractVersion[],
  rules: HistoryRules,
) {
  const [last, before] = versions;
  const { version, updatedAt } = live;
  if (version === undefined || updatedAt === undefined) return undefined;
  // Otherwise somebody has edited the contract since it was read.
  if (last?.version !== version || last.updatedAt !== updatedAt) return undefined;
  if (before?.version === undefined) return undefined;
  const snapshots = versions.map(({ document }) => document);
  const unknown = unknownFields(managedFields, live.document, snapshots, before.document);
  if (unknown.some((field) => Object.hasOwn(changed, field))) return undefined;
  const target = Object.fromEntries(
    Object.entries({ ...live.document, ...changed }).filter(([, value]) => value !== null),
  );
  const [after = {}, former = {}] = comparableStates([target, before.document], rules);
  for (const field of managedFields) {
    if (unknown.includes(field)) continue;
    if (!equalPlaces(after[field], former[field], [field], rules.arrays)) return undefined;
  }
  return { version, former: before.version, updatedAt };
}
