import pLimit from 'p-limit';
import type { CatalogReader } from '../catalog/catalog.ts';
import { ApiError } from '../catalog/fault.ts';
import { type LiveContract, parseLiveContract } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostic.ts';
import { planHash } from '../plan/seal.ts';
import { type ContractPlan, creations, type Plan, updates } from '../plan/plan.ts';
import { compareChanges, type Comparison, reviewedChanges, reviewedIn } from './compare.ts';
import { findLanded, type LandingCatalog } from './landed.ts';

export type Reviewed = { readonly planHash: string; readonly plan?: Plan };

export type Review = {
  readonly verdict: Comparison['verdict'];
  readonly comparison?: Comparison;
  readonly unreadHistory?: string;
};

/** Undefined where the contract is not this repository's. */
export type PlanLive = (live: LiveContract) => Promise<ContractPlan | undefined>;

type ReviewCatalog = LandingCatalog & {
  /** Undefined where the files cannot be used. */
  readonly openPlanner: () => Promise<PlanLive | undefined>;
};

/** If only the reviewed hash is known, searches the catalog's history for its plan. */
export async function review(
  plan: Plan,
  reviewed: Reviewed,
  session: ReviewCatalog,
): Promise<Review> {
  const { planHash } = reviewed;
  const isSameHash = plan.planHash === planHash;
  if (isSameHash && !reviewed.plan) return { verdict: 'same' };
  const approved = reviewed.plan ?? (await recoverPlan(plan, planHash, session));
  if (!approved) return { verdict: 'different' };
  if (approved instanceof ApiError)
    return { verdict: 'different', unreadHistory: approved.message };
  const changes = reviewed.plan
    ? reviewedIn(approved, plan)
    : reviewedChanges(approved).map((change) => ({ ...change, isUndated: true }));
  const landings = await findLanded(plan, changes, session);
  const comparison = compareChanges(changes, plan, landings);
  if (isSameHash && comparison.verdict === 'same') return { verdict: 'same' };
  // Two hashes that differ are never of one plan, whatever the contents say.
  const verdict = comparison.verdict === 'same' ? 'different' : comparison.verdict;
  return { verdict, comparison };
}

export function withReview(plan: Plan, review: Review): Plan {
  if (review.verdict === 'same') return plan;
  const applied = review.comparison?.contracts.length ?? 0;
  const partlyApplied: Diagnostic = {
    code: 'plan-partly-applied',
    severity: 'information',
    message: `Part of the reviewed plan has already landed (contracts: ${applied}); the rest is as reviewed.`,
  };
  const finding = review.verdict === 'rest' ? partlyApplied : changed(plan, review);
  return {
    ...plan,
    errored: plan.errored || finding.severity === 'error',
    diagnostics: sortDiagnostics([...plan.diagnostics, finding]),
  };
}

function changed(plan: Plan, { comparison, unreadHistory }: Review): Diagnostic {
  const what = 'The plan is not the one that was reviewed';
  const hint = 'Have it reviewed again, and expect its new hash.';
  const finding = { code: 'plan-changed', severity: 'error', scope: 'plan' } as const;
  if (comparison) {
    const { contracts } = comparison;
    const gone = new Set(contracts.filter(({ kind }) => kind === 'gone').map(contractLabel));
    const isLeft = plan.contracts.some(
      (contract) =>
        contract.action === 'unchanged' && contract.drift && gone.has(contractLabel(contract)),
    );
    if (!isLeft) return { ...finding, message: `${what}.`, hint };
    const message = `${what}: \`drift: leave\` leaves edits of the catalog as they are.`;
    const way = 'Plan again, or apply by the rule of that plan: `drift: overwrite`.';
    return { ...finding, message, hint: way };
  }
  const why =
    unreadHistory === undefined
      ? "the history can't recover that one."
      : `the history, which may recover that one, can't be read: ${unreadHistory}`;
  return {
    ...finding,
    message: `${what}, and ${why}`,
    hint: `${hint} To see what differs, give the saved plan: apply --plan FILE compares place by place.`,
  };
}

// Undoes the writes to the plan's contracts one at a time and plans anew, until the hash is the
// reviewed one. A hash can't be met by accident; other files or a short history find nothing.
async function recoverPlan(
  plan: Plan,
  reviewedHash: string,
  { reader, openPlanner }: ReviewCatalog,
): Promise<Plan | ApiError | undefined> {
  const planState = await openPlanner();
  if (!planState) return undefined;
  const state = new Map(updates(plan).map((change) => [change.id, change]));
  const writes = await readWrites(plan, reader);
  if (writes instanceof ApiError) return writes;
  for (const { before } of writes) {
    const planned = await planState(before);
    if (planned?.action === 'update') state.set(before.id, planned);
    else state.delete(before.id);
    const contracts = [...state.values(), ...creations(plan)];
    if (planHash(contracts, plan.environment) === reviewedHash)
      return { ...plan, contracts, planHash: reviewedHash };
  }
  return undefined;
}

// A review that is older than these is better made anew.
const mostContracts = 1024;

// Latest first, of the contracts that were written last.
async function readWrites(plan: Plan, reader: CatalogReader) {
  const contracts = plan.contracts
    .flatMap((contract) => {
      if (!('liveUpdatedAt' in contract) || contract.liveUpdatedAt === undefined) return [];
      return [{ id: contract.id, at: contract.liveUpdatedAt }];
    })
    .toSorted((a, b) => b.at - a.at)
    .slice(0, mostContracts);
  try {
    const histories = await pLimit(8).map(contracts, async ({ id }) => {
      // Interface §2.5: newest first.
      const { versions } = await reader.versions(id);
      const states = versions.flatMap((each) => parseLiveContract({ id, ...each }) ?? []);
      return states.slice(1).map((before, at) => ({ before, at: states[at]?.updatedAt ?? 0 }));
    });
    return histories.flat().toSorted((a, b) => b.at - a.at);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
