/** The versions of a contract: who made it what it was, when, and what that changed. */

import type { LiveContract } from '../contract/contract.ts';
import { parseLiveContract } from '../contract/live.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { diff, type DiffOptions, type Edit } from '../patch/diff.ts';
import { keyPathOf, labelKeyPath } from '../patch/identity.ts';
import { formatPointer, type Pointer, valueAt } from '../patch/pointer.ts';
import {
  comparableStates,
  type HistoryRules,
  inTodaysShape,
  mayHoldMore,
  type Numbering,
  numberingOf,
  withoutBookkeeping,
} from './state.ts';

/** The contract as the catalog held it then, and what it was made of. */
export type ContractVersion = LiveContract & {
  /** Who wrote it last. */
  readonly user?: string;
  /** Against the version before; none where no earlier one is known. */
  readonly changes: readonly VersionChange[];
  /** Whether these are at least the changes: other edits may have been merged into the version. */
  readonly mayHoldMore: boolean;
  /** Absent where the number is higher than the one before. */
  readonly numbering?: Numbering;
  /** The document without the catalog's notes: a value that all rules say is equal in two versions is the same in both. */
  readonly state: JsonObject;
  /** That of the version before, where one is known. */
  readonly before?: JsonObject;
};

/** The versions of a history, newest first as they come (interface §2.5). */
export function parseVersions(
  snapshots: readonly JsonObject[],
  rules: HistoryRules,
): readonly ContractVersion[] {
  const contracts = snapshots
    .map((snapshot) => parseLiveContract(inTodaysShape(snapshot)))
    .filter((contract) => contract !== undefined);
  const states = comparableStates(
    contracts.map(({ document }) => withoutBookkeeping(document)),
    rules,
  );
  return contracts.map((contract, index) => {
    const before = contracts[index + 1];
    const [own = {}, earlier = own] = states.slice(index, index + 2);
    return {
      ...describeVersion(contract, before),
      changes: changesBetween(earlier, own, rules),
      state: own,
      ...(before && { before: earlier }),
    };
  });
}

function describeVersion(contract: LiveContract, before: LiveContract | undefined) {
  const { document, version } = contract;
  const numbering = before && numberingOf(version, before.version);
  const user = document['updatedBy'];
  return {
    ...contract,
    ...(typeof user === 'string' && { user }),
    mayHoldMore: mayHoldMore(document, before?.version),
    ...(numbering && { numbering }),
  };
}

/** One change of a place, as a person reads it. */
export type VersionChange = {
  readonly kind: 'add' | 'remove' | 'replace' | 'move';
  /** By key: `/schema/{name=amount}/dataType`. */
  readonly path: string;
  /** `schema[amount].dataType`. */
  readonly label: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

export function changesBetween(
  earlier: JsonObject,
  later: JsonObject,
  { arrays }: HistoryRules,
): readonly VersionChange[] {
  const states = { earlier, later, arrays };
  return diff(earlier, later, arrays).flatMap((edit) => describeChange(edit, states));
}

type States = {
  readonly earlier: JsonObject;
  readonly later: JsonObject;
  readonly arrays: DiffOptions;
};

function describeChange(edit: Edit, { earlier, later, arrays }: States): VersionChange[] {
  const from = edit.live && placeIn(earlier, edit.live, arrays);
  const to = edit.desired && placeIn(later, edit.desired, arrays);
  if (from && to && edit.operation.op === 'move') return [{ kind: 'move', ...nameOf(to) }];
  if (!from) return to ? [{ kind: 'add', ...nameOf(to), after: to.value }] : [];
  const removed = { kind: 'remove', ...nameOf(from), before: from.value } as const;
  if (!to) return [removed];
  // One element that takes another's slot is no change of either of them.
  if (from.path !== to.path && isKeyed(from.path))
    return [removed, { kind: 'add', ...nameOf(to), after: to.value }];
  return [{ kind: 'replace', ...nameOf(from), before: from.value, after: to.value }];
}

/** Whether a path ends with an element, and not with a member in one. */
function isKeyed(path: string): boolean {
  return path.endsWith('}');
}

type Located = { readonly path: string; readonly label: string; readonly value: JsonValue };

function placeIn(document: JsonObject, pointer: Pointer, arrays: DiffOptions): Located {
  const path = keyPathOf(pointer, document, arrays);
  return {
    path: formatPointer(path),
    label: labelKeyPath(path),
    value: valueAt(document, pointer) ?? null,
  };
}

function nameOf({ path, label }: Located) {
  return { path, label };
}
