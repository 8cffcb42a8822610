/** Whether a plan is the one that was reviewed. */

import { ApiError } from '../catalog/fault.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Sync } from '../sync.ts';
import { compareChanges, type Comparison } from './compare.ts';
import { findLanded } from './landed.ts';
import { recoverPlan } from './recover.ts';
import { reviewedChanges } from './reviewed.ts';

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

/**
 * Equal by hash; else the rest of the reviewed plan, or another. Where the reviewed contents are
 * not at hand and a session is, they are looked for in the catalog's history.
 */
export async function review(plan: Plan, reviewed: Reviewed, session?: Sync): Promise<Review> {
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
  const findings = findingsOf(review);
  return {
    ...plan,
    errored: plan.errored || hasErrors(findings),
    diagnostics: sortDiagnostics([...plan.diagnostics, ...findings]),
  };
}

function findingsOf({ verdict, comparison, unreadHistory }: Review): Diagnostic[] {
  switch (verdict) {
    case 'same':
      return [];
    case 'rest':
      return [partlyApplied(comparison?.contracts.length ?? 0)];
    case 'different':
      return [comparison ? changed : unknown(unreadHistory)];
  }
}

function partlyApplied(contracts: number): Diagnostic {
  return {
    code: 'plan-partly-applied',
    severity: 'information',
    message: `Part of the reviewed plan has already landed (contracts: ${contracts}); the rest is as reviewed.`,
  };
}

const changed: Diagnostic = {
  code: 'plan-changed',
  severity: 'error',
  message: 'The plan is not the one that was reviewed.',
  hint: 'Have it reviewed again, and expect its new hash.',
};

/** As `changed`, without the particulars. */
function unknown(unreadHistory: string | undefined): Diagnostic {
  const why =
    unreadHistory === undefined
      ? "the history can't recover that one."
      : `the history, which may recover that one, can't be read: ${unreadHistory}`;
  return {
    ...changed,
    message: `The plan is not the one that was reviewed, and ${why}`,
    hint: `${changed.hint} To see what differs, give the saved plan: apply --plan FILE compares place by place.`,
  };
}
