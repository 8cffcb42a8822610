import { contractLabel } from '../contract/identity.ts';
import { canonicalJson, compareCodeUnits } from '../core/json.ts';
import type { Difference } from '../patch/difference.ts';
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
   * longer planned; `changed`: at some place another value would be overwritten or written.
   */
  readonly kind: 'landed' | 'new' | 'gone' | 'changed';
  readonly differences: readonly DifferenceComparison[];
};

export type DifferenceComparison =
  | { readonly kind: 'same' | 'new' | 'gone'; readonly difference: Difference }
  /** At one place, another value on either side. */
  | { readonly kind: 'changed'; readonly approved: Difference; readonly difference: Difference };

/** Contract by contract and place by place. */
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
    differences: compareDifferences(approved?.differences ?? [], proposed?.differences ?? []),
  };
}

function kindOf(
  approved: UpdatePlan | undefined,
  proposed: UpdatePlan | undefined,
  isLanded: boolean,
): ContractComparison['kind'] | undefined {
  if (!approved) return 'new';
  if (!proposed) return isLanded ? 'landed' : 'gone';
  return approved.fingerprint === proposed.fingerprint ? undefined : 'changed';
}

/** In the order of the proposed places, what is gone at the end. */
function compareDifferences(
  approved: readonly Difference[],
  proposed: readonly Difference[],
): DifferenceComparison[] {
  const left = [...approved];
  const take = (matches: (difference: Difference) => boolean): Difference | undefined => {
    const index = left.findIndex(matches);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  // Equal ones find each other before any of them is taken for a changed one.
  const equal = new Set(
    proposed.filter((difference) => take((other) => isEqual(other, difference)) !== undefined),
  );
  const compared = proposed.map((difference): DifferenceComparison => {
    if (equal.has(difference)) return { kind: 'same', difference };
    const approved = take(({ place }) => place === difference.place);
    return approved ? { kind: 'changed', approved, difference } : { kind: 'new', difference };
  });
  return [...compared, ...left.map((difference) => ({ kind: 'gone', difference }) as const)];
}

function isEqual(a: Difference, b: Difference): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
