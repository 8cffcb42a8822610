import { editorOf, type LiveContract, parseLiveContract } from '../contract/contract.ts';
import { defined, type JsonObject, type JsonValue } from '../core/json.ts';
import { diff } from '../patch/diff.ts';
import { keyPathOf, labelKeyPath } from '../patch/identity.ts';
import { formatPointer, type Pointer, valueAt } from '../patch/pointer.ts';
import {
  comparableStates,
  type HistoryRules,
  inTodaysShape,
  mayHoldMore,
  withoutBookkeeping,
} from './state.ts';

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

export function changesBetween(earlier: JsonObject, later: JsonObject, { arrays }: HistoryRules) {
  const locate = (pointer: Pointer | undefined, document: JsonObject) => {
    if (!pointer) return undefined;
    const path = keyPathOf(pointer, document, arrays);
    const name = { path: formatPointer(path), label: labelKeyPath(path) };
    return { name, value: valueAt(document, pointer) ?? null };
  };
  return diff(earlier, later, arrays).flatMap(({ operation, live, desired }): VersionChange[] => {
    const [from, to] = [locate(live, earlier), locate(desired, later)];
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
