import { idKey } from '../contract/identity.ts';
import { canonicalJson, defined } from '../core/json.ts';
import type { Difference } from '../patch/describe.ts';
import { fingerprintOf } from '../plan/change.ts';
import {
  type ContractPlan,
  type CreatePlan,
  type Plan,
  plannedChanges,
  type UpdatePlan,
} from '../plan/plan.ts';
import { contractKeys, type Landings, type ReviewedChange } from './compare.ts';

export type RefusedChange =
  | {
      readonly kind: 'not-reviewed';
      readonly change: UpdatePlan | CreatePlan;
      readonly isKnown: boolean;
    }
  | { readonly kind: 'not-found'; readonly change: ReviewedChange };

export type Decision = {
  readonly fresh: Plan;
  readonly approved: Plan;
  readonly refused: readonly RefusedChange[];
};

/**
 * Sends the changes whose fingerprints were reviewed and have not landed since. A reviewed change is
 * not found where the fresh plan has nothing of it and it has not landed.
 */
export function decideChanges(
  fresh: Plan,
  reviewed: readonly ReviewedChange[],
  landings: Landings,
): Decision {
  const byContract = Map.groupBy(
    reviewed,
    (change) => contractKeys(change)[0] ?? change.fingerprint,
  );
  const reviewsOf = (contract: ContractPlan) => byContract.get(contractKeys(contract)[0] ?? '');
  const unapproved = plannedChanges(fresh).filter(
    (change) => !reviewsOf(change)?.some((each) => isReviewed(change, each) && !landings.has(each)),
  );
  const refused = new Set<ContractPlan>(unapproved);
  const known = new Set(
    fresh.contracts
      .filter((contract) => isAccountedFor(contract, reviewsOf(contract) ?? [], landings))
      .flatMap(contractKeys),
  );
  const contracts = fresh.contracts.filter((contract) => !refused.has(contract));
  const notReviewed = unapproved.map((change) => {
    return { kind: 'not-reviewed', change, isKnown: reviewsOf(change) !== undefined } as const;
  });
  const notFound = [...byContract]
    .filter(([key]) => !known.has(key))
    .flatMap(([, changes]) => changes.slice(-1))
    .map((change) => ({ kind: 'not-found', change }) as const);
  return { fresh, approved: { ...fresh, contracts }, refused: [...notReviewed, ...notFound] };
}

// The name was reviewed too, and a fingerprint covers the id alone.
function isReviewed(
  change: UpdatePlan | CreatePlan,
  { fingerprint, fullyQualifiedName = change.fullyQualifiedName }: ReviewedChange,
): boolean {
  return change.fingerprint === fingerprint && change.fullyQualifiedName === fullyQualifiedName;
}

/**
 * What reviews of one contract come to: at each place the latest one counts. They are given latest
 * first.
 */
export function reviewedTogether(reviewed: readonly ReviewedChange[]): ReviewedChange[] {
  return [...Map.groupBy(reviewed, ({ id }) => id && idKey(id))].flatMap(([id, changes]) => {
    const [latest] = changes;
    if (id === undefined || !latest || changes.length < 2) return [];
    const places = new Map<string, Difference>();
    for (const difference of changes.toReversed().flatMap((change) => change.differences ?? [])) {
      const earlier = places.get(difference.place);
      places.set(difference.place, earlier ? follow(earlier, difference) : difference);
    }
    // Its own differences are only the latest ones.
    const { differences: _own, ...names } = latest;
    return [{ ...names, fingerprint: fingerprintOf(id, [...places.values()]) }];
  });
}

// The later one was made either of what the earlier one leaves or of what was there before both.
function follow(earlier: Difference, later: Difference): Difference {
  const { before: between, ...rest } = later;
  const isAfter = canonicalJson([earlier.after ?? []]) === canonicalJson([between ?? []]);
  if (!isAfter) return later;
  return { ...rest, ...defined({ before: earlier.before }) };
}

export function approveWhole(fresh: Plan): Decision {
  return { fresh, approved: fresh, refused: [] };
}

// Planned, blocked, or landed. A comment without room for its plan has no values, so agreement of
// files and catalog has to do.
function isAccountedFor(
  contract: ContractPlan,
  reviewed: readonly ReviewedChange[],
  landings: Landings,
): boolean {
  switch (contract.action) {
    case 'missing':
      return false;
    case 'unmanaged':
      return contract.retired === true && reviewed.every((change) => landings.has(change));
    case 'unchanged':
      return reviewed.every((change) => !change.differences || landings.has(change));
    default:
      return true;
  }
}
