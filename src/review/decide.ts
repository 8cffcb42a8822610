/** What of a fresh plan may be sent: what was reviewed, change by change. */

import { type Plan, type UpdatePlan, updates } from '../plan/plan.ts';

/** A change that somebody has approved. */
export type ReviewedChange = Pick<UpdatePlan, 'id' | 'fullyQualifiedName' | 'liveVersion'> & {
  /** It may be the beginning of one, as long as it was shown. */
  readonly fingerprint: string;
};

/** A change that lands neither by this plan nor has it landed. */
export type RefusedChange =
  | { readonly kind: 'not-reviewed'; readonly change: UpdatePlan; readonly isKnown: boolean }
  /** The fresh plan knows nothing of the contract: a token that sees less, narrower paths. */
  | { readonly kind: 'not-found'; readonly change: ReviewedChange };

export type Decision = {
  /** All that could be sent. */
  readonly fresh: Plan;
  /** The plan with nothing but what was reviewed. */
  readonly approved: Plan;
  /** In the plan's order; what was not found at the end. */
  readonly refused: readonly RefusedChange[];
};

/**
 * A change is sent if its fingerprint was reviewed. A reviewed change of a contract that is as its
 * files want it has landed, or a later commit of the files has taken its place.
 */
export function decideChanges(fresh: Plan, reviewed: readonly ReviewedChange[]): Decision {
  const ofContract = Map.groupBy(reviewed, ({ id }) => id);
  const isApproved = ({ id, fingerprint }: UpdatePlan): boolean =>
    ofContract.get(id)?.some((change) => fingerprint.startsWith(change.fingerprint)) ?? false;
  const known = new Set(fresh.contracts.filter(isAccountedFor).map(({ id }) => id));
  return {
    fresh,
    approved: {
      ...fresh,
      contracts: fresh.contracts.filter(
        (contract) => contract.action !== 'update' || isApproved(contract),
      ),
    },
    refused: [
      ...updates(fresh)
        .filter((change) => !isApproved(change))
        .map((change) => ({
          kind: 'not-reviewed' as const,
          change,
          isKnown: ofContract.has(change.id),
        })),
      ...[...ofContract]
        .filter(([id]) => !known.has(id))
        .flatMap(([, changes]) => changes.slice(-1))
        .map((change) => ({ kind: 'not-found' as const, change })),
    ],
  };
}

/** Where the plan as a whole was approved. */
export function approveWhole(fresh: Plan): Decision {
  return { fresh, approved: fresh, refused: [] };
}

/** Both files and catalog show it: it is planned, blocked, or as it should be. */
function isAccountedFor({ action }: Plan['contracts'][number]): boolean {
  return action === 'update' || action === 'blocked' || action === 'unchanged';
}
