import { contractLabel } from '../contract/identity.ts';
import { canonicalJson, compareCodeUnits } from '../core/json.ts';
import type { Operation, Patch } from '../patch/operation.ts';
import { type Plan, type UpdatePlan, updates } from '../plan/plan.ts';

/** The approved plan against what would be done now. */
export type Comparison = {
  /** `rest`: nothing but what was approved, and what is missing has been applied already. */
  readonly verdict: 'same' | 'rest' | 'different';
  /** Where the two differ, by name. */
  readonly contracts: readonly ContractComparison[];
};

export type ContractComparison = {
  readonly id: string;
  readonly fullyQualifiedName?: string;
  /**
   * `landed`: approved, and the catalog shows it; `new`: not approved; `gone`: approved and no
   * longer planned; `moved`: the same operations on another version; `changed`: others.
   */
  readonly kind: 'landed' | 'new' | 'gone' | 'moved' | 'changed';
  readonly approvedVersion?: string;
  readonly proposedVersion?: string;
  readonly operations: readonly OperationComparison[];
};

export type OperationComparison =
  | { readonly kind: 'same' | 'new' | 'gone'; readonly operation: Operation }
  /** One path, another operation or value. */
  | { readonly kind: 'changed'; readonly approved: Operation; readonly operation: Operation };

/** Contract by contract and operation by operation. */
export function comparePlans(approved: Plan, proposed: Plan): Comparison {
  const before = byId(approved);
  const after = byId(proposed);
  const landed = landedIds(approved, proposed);
  const contracts = [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => compareContract(before.get(id), after.get(id), landed.has(id)))
    .filter((contract) => contract !== undefined)
    .toSorted((a, b) => compareCodeUnits(contractLabel(a), contractLabel(b)));
  return { verdict: verdictOn(contracts), contracts };
}

function byId(plan: Plan): ReadonlyMap<string, UpdatePlan> {
  return new Map(updates(plan).map((change) => [change.id, change]));
}

/**
 * The approved changes that are nobody's work any more: the contract is as its file wants it, and
 * was written since. One that was not written has another file now.
 */
function landedIds(approved: Plan, proposed: Plan): ReadonlySet<string> {
  const stateOf = new Map(
    proposed.contracts.flatMap((contract) => ('id' in contract ? [[contract.id, contract]] : [])),
  );
  const landed = updates(approved).filter((change) => {
    const now = stateOf.get(change.id);
    return now?.action === 'unchanged' && isLater(now, change);
  });
  return new Set(landed.map(({ id }) => id));
}

type State = Pick<UpdatePlan, 'liveVersion' | 'liveUpdatedAt'>;

function isLater(now: State, then: State): boolean {
  return now.liveVersion !== then.liveVersion || now.liveUpdatedAt !== then.liveUpdatedAt;
}

function verdictOn(contracts: readonly ContractComparison[]): Comparison['verdict'] {
  if (contracts.length === 0) return 'same';
  return contracts.every(({ kind }) => kind === 'landed') ? 'rest' : 'different';
}

function compareContract(
  approved: UpdatePlan | undefined,
  proposed: UpdatePlan | undefined,
  isLanded: boolean,
): ContractComparison | undefined {
  const kind = kindOf(approved, proposed, isLanded);
  const contract = proposed ?? approved;
  if (!contract || !kind) return undefined;
  const { id, fullyQualifiedName } = contract;
  return {
    id,
    ...(fullyQualifiedName !== undefined && { fullyQualifiedName }),
    kind,
    ...versions(approved?.liveVersion, proposed?.liveVersion),
    operations: compareOperations(approved?.patch ?? [], proposed?.patch ?? []),
  };
}

function versions(approvedVersion: string | undefined, proposedVersion: string | undefined) {
  return {
    ...(approvedVersion !== undefined && { approvedVersion }),
    ...(proposedVersion !== undefined && { proposedVersion }),
  };
}

function kindOf(
  approved: UpdatePlan | undefined,
  proposed: UpdatePlan | undefined,
  isLanded: boolean,
): ContractComparison['kind'] | undefined {
  if (!approved) return 'new';
  if (!proposed) return isLanded ? 'landed' : 'gone';
  // Operations apply in order, so the same ones in another order are another patch.
  if (canonicalJson(approved.patch) !== canonicalJson(proposed.patch)) return 'changed';
  return approved.liveVersion === proposed.liveVersion ? undefined : 'moved';
}

/** In the order of the proposed patch, what is gone at the end. */
function compareOperations(approved: Patch, proposed: Patch): OperationComparison[] {
  const left = [...approved];
  const take = (matches: (operation: Operation) => boolean): Operation | undefined => {
    const index = left.findIndex(matches);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  // Equal operations find each other before any of them is taken for a changed one.
  const equal = new Set(
    proposed.filter((operation) => take((other) => isEqual(other, operation)) !== undefined),
  );
  const compared = proposed.map((operation): OperationComparison => {
    if (equal.has(operation)) return { kind: 'same', operation };
    const approved = take(({ path }) => path === operation.path);
    return approved ? { kind: 'changed', approved, operation } : { kind: 'new', operation };
  });
  return [...compared, ...left.map((operation) => ({ kind: 'gone', operation }) as const)];
}

function isEqual(a: Operation, b: Operation): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
