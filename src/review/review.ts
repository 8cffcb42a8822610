/** Whether a plan is the one that was reviewed. */

import pLimit from 'p-limit';
import type { CatalogReader } from '../catalog/catalog.ts';
import { ApiError } from '../catalog/fault.ts';
import type { DialectSetting } from '../catalog/products/products.ts';
import type { LiveContract } from '../contract/contract.ts';
import { parseLiveContract } from '../contract/live.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostic.ts';
import { planHash } from '../plan/change.ts';
import {
  type ContractPlan,
  creations,
  type Plan,
  type UnchangedPlan,
  type UpdatePlan,
  updates,
} from '../plan/plan.ts';
import { compareChanges, type Comparison, reviewedChanges } from './compare.ts';
import { findLanded, type LandingCatalog } from './landed.ts';

/** What was reviewed. */
export type Reviewed = {
  readonly planHash: string;
  /** Its contents, where they are at hand; they must have this hash. */
  readonly plan?: Plan;
};

export type Review = {
  readonly verdict: Comparison['verdict'];
  /** Place by place; absent where the reviewed plan's contents could not be had. */
  readonly comparison?: Comparison;
  /** Why the history that they were looked for in can't be read. */
  readonly unreadHistory?: string;
};

/** The plan of a contract in this state; undefined where it is not this repository's. */
export type PlanLive = (live: LiveContract) => Promise<ContractPlan | undefined>;

/** The catalog of a plan, and what plans earlier states of its contracts. */
export type ReviewCatalog = LandingCatalog & {
  /** Gives undefined where the files cannot be used. */
  readonly openPlanner: (dialect: DialectSetting) => Promise<PlanLive | undefined>;
};

/**
 * Equal by hash; else the rest of the reviewed plan, or another. Where the reviewed contents are
 * not at hand and a catalog is, they are looked for in its history.
 */
export async function review(
  plan: Plan,
  reviewed: Reviewed,
  session?: ReviewCatalog,
): Promise<Review> {
  const { planHash } = reviewed;
  if (plan.planHash === planHash) return { verdict: 'same' };
  const approved = reviewed.plan ?? (session && (await recoverPlan(plan, planHash, session)));
  if (!approved) return { verdict: 'different' };
  if (approved instanceof ApiError)
    return { verdict: 'different', unreadHistory: approved.message };
  const changes = reviewedChanges(approved);
  const landings = session && (await findLanded(plan, changes, session));
  const comparison = compareChanges(changes, plan, landings);
  // Two hashes that differ are never of one plan, whatever the contents say.
  const verdict = comparison.verdict === 'same' ? 'different' : comparison.verdict;
  return { verdict, comparison };
}

/** The plan with what its review found: one that was not reviewed forbids an apply. */
export function withReview(plan: Plan, review: Review): Plan {
  if (review.verdict === 'same') return plan;
  const finding = review.verdict === 'rest' ? partlyApplied(review) : changed(review);
  return {
    ...plan,
    errored: plan.errored || finding.severity === 'error',
    diagnostics: sortDiagnostics([...plan.diagnostics, finding]),
  };
}

function partlyApplied({ comparison }: Review): Diagnostic {
  return {
    code: 'plan-partly-applied',
    severity: 'information',
    message: `Part of the reviewed plan has already landed (contracts: ${comparison?.contracts.length ?? 0}); the rest is as reviewed.`,
  };
}

function changed({ comparison, unreadHistory }: Review): Diagnostic {
  const what = 'The plan is not the one that was reviewed';
  const hint = 'Have it reviewed again, and expect its new hash.';
  const finding = { code: 'plan-changed', severity: 'error' } as const;
  if (comparison) return { ...finding, message: `${what}.`, hint };
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

/**
 * Goes back through what was written to the contracts of a plan, one write at a time, and plans
 * anew, until the plan has the hash that was reviewed. A hash cannot be met by accident, so what is
 * found is the reviewed plan; where the files are others now, or the history does not reach back,
 * nothing is found. A history that can't be read is returned as the fault.
 */
async function recoverPlan(
  plan: Plan,
  reviewedHash: string,
  { reader, dialect, openPlanner }: ReviewCatalog,
): Promise<Plan | ApiError | undefined> {
  const planState = await openPlanner(plan.dialect?.name ?? dialect);
  if (!planState) return undefined;
  const state = new Map(updates(plan).map((change) => [change.id, change]));
  try {
    for await (const write of writesBackwards(plan, reader)) {
      await undo(write, state, planState);
      const contracts = [...state.values(), ...creations(plan)];
      if (planHash(contracts, plan.environment) === reviewedHash)
        return { ...plan, contracts, planHash: reviewedHash };
    }
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

/** One write: what the contract was before, and when it ceased to be that. */
type Write = { readonly before: LiveContract; readonly at: number };

async function undo(
  { before }: Write,
  state: Map<string, UpdatePlan>,
  planState: PlanLive,
): Promise<void> {
  const planned = await planState(before);
  if (planned?.action === 'update') state.set(before.id, planned);
  else state.delete(before.id);
}

/** Histories asked for at once, and all in all: an old review is better made anew. */
const batchSize = 32;
const mostContracts = 1024;

/**
 * The writes to the plan's contracts, latest first. Contracts come in the order of their last
 * write, so whatever is later than the next contract's is complete.
 */
async function* writesBackwards(plan: Plan, reader: CatalogReader): AsyncGenerator<Write> {
  const contracts = plan.contracts
    .filter(isDated)
    .toSorted((a, b) => b.liveUpdatedAt - a.liveUpdatedAt);
  const limit = pLimit(8);
  let pending: Write[] = [];
  for (let read = 0; read < Math.min(contracts.length, mostContracts); read += batchSize) {
    const batch = contracts.slice(read, read + batchSize);
    const histories = await limit.map(batch, ({ id }) => writesTo(id, reader));
    pending = [...pending, ...histories.flat()].toSorted((a, b) => b.at - a.at);
    const horizon = contracts[read + batchSize]?.liveUpdatedAt ?? 0;
    yield* pending.filter(({ at }) => at >= horizon);
    pending = pending.filter(({ at }) => at < horizon);
  }
}

type Dated = (UpdatePlan | UnchangedPlan) & { readonly liveUpdatedAt: number };

function isDated(contract: Plan['contracts'][number]): contract is Dated {
  return 'liveUpdatedAt' in contract && contract.liveUpdatedAt !== undefined;
}

/** Each version but the first has replaced the one before it (interface §2.5: newest first). */
async function writesTo(id: string, reader: CatalogReader): Promise<Write[]> {
  const { versions } = await reader.versions(id);
  const states = versions
    .map((snapshot) => parseLiveContract({ id, ...snapshot }))
    .filter((state) => state !== undefined);
  return states.slice(1).map((before, index) => ({ before, at: states[index]?.updatedAt ?? 0 }));
}
