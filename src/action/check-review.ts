/** What of a plan may be sent, and what is said of the rest. */

import { reviewPlan } from '../commands/plan.ts';
import { sortDiagnostics } from '../core/diagnostic.ts';
import type { Plan } from '../plan/plan.ts';
import { type Comparison, compareChanges } from '../review/compare.ts';
import { approveWhole, decideChanges, type RefusedChange } from '../review/decide.ts';
import { findLanded } from '../review/landed.ts';
import { reviewedChanges } from '../review/reviewed.ts';
import type { Session } from '../session.ts';
import { type Approval, decideByComments } from './approval.ts';
import { readRecords, type ReviewRecords } from './records.ts';
import { changesOf, otherPaths, refusalProblems, wayOut, whyNothingApproves } from './refusals.ts';
import { isOfReview } from './result.ts';
import type { Step } from './step.ts';

const noRecords: ReviewRecords = { merged: [] };

/** What was reviewed in the pull requests that concern the run. */
export async function recordsOf(step: Step): Promise<ReviewRecords> {
  return step.github ? readRecords(step, step.github) : noRecords;
}

type Reviewing = {
  readonly step: Step;
  readonly session: Session;
  /** That of the input `plan-file`. */
  readonly saved?: Plan | undefined;
};

/** What of the plan was reviewed: by a hash as a whole, else by comments change by change. */
export async function checkReview(
  fresh: Plan,
  records: ReviewRecords,
  { step, session, saved }: Reviewing,
): Promise<Approval> {
  const { expectHash = '', autoApprove, command } = step.inputs;
  if (isByHash(step)) {
    const contents = saved?.planHash === expectHash && { plan: saved };
    const reviewed = { planHash: expectHash, ...contents };
    const { plan, review } = await reviewPlan(fresh, reviewed, session);
    const { comparison } = review ?? {};
    const approval = { ...approveWhole(plan), ...(comparison && { comparison }) };
    return approvedBySaved(approval, saved, session);
  }
  const decision = await decideByComments(fresh, records, { step, session });
  const isOpen = command === 'apply' && autoApprove && !records.own;
  return approvedBySaved(isOpen ? approvePush(decision) : decision, saved, session);
}

/** A saved plan approves nothing by itself, and takes back what it does not have. */
async function approvedBySaved(
  approval: Approval,
  saved: Plan | undefined,
  session: Session,
): Promise<Approval> {
  if (!saved) return approval;
  const changes = reviewedChanges(saved);
  const landings = await findLanded(approval.fresh, changes, session);
  const { fresh, approved, refused } = approval;
  const { comparison = compareChanges(changes, fresh, landings) } = approval;
  const bySaved = decideChanges(fresh, changes, landings);
  const kept = new Set(bySaved.approved.contracts);
  const known = new Set(refused.map(nameOf));
  return {
    fresh,
    approved: { ...approved, contracts: approved.contracts.filter((each) => kept.has(each)) },
    refused: [...refused, ...bySaved.refused.filter((each) => !known.has(nameOf(each)))],
    ...(comparison.verdict !== 'same' && { comparison }),
  };
}

function nameOf({ change }: RefusedChange): string {
  return (
    ('id' in change ? change.id : undefined) ?? change.fullyQualifiedName ?? change.fingerprint
  );
}

/** Pushes without a pull request need no review; what was reviewed before must be there all the same. */
function approvePush({ fresh, refused }: Approval): Approval {
  return { fresh, approved: fresh, refused: refused.filter(({ kind }) => kind === 'not-found') };
}

/** Whether somebody has named the plan, which is then approved as a whole. */
function isByHash({ inputs: { expectHash = 'approved' } }: Step): boolean {
  return expectHash !== 'approved';
}

export type Checked = { readonly plan: Plan; readonly comparison?: Comparison };

/** The plan with what is to be said of changes that nobody has reviewed; it forbids an apply. */
export function refuse(approval: Approval, records: ReviewRecords, step: Step): Checked {
  const { plan, comparison } = withRefusals(approval, records, step);
  const errored = plan.errored || plan.diagnostics.some(isOfReview);
  return { plan: { ...plan, errored }, ...(comparison && { comparison }) };
}

/** The plan with what is to be said of changes that nobody has reviewed. */
export function withRefusals(approval: Approval, records: ReviewRecords, step: Step): Checked {
  const { fresh, refused, comparison } = approval;
  const way = wayOut(step, step.inputs.command === 'apply' ? changesOf(refused) : fresh.contracts);
  const whole = fresh.diagnostics.map((problem) =>
    problem.code === 'plan-changed' ? { ...problem, hint: wayOut(step, fresh.contracts) } : problem,
  );
  const isOtherwise = isByHash(step) || step.inputs.autoApprove;
  const reason = isOtherwise ? undefined : whyNothingApproves(records, step);
  const problems = [
    ...refusalProblems(refused, { reason, wayOut: way }),
    ...(isByHash(step) ? [] : otherPaths(records, fresh)),
  ];
  const plan = { ...fresh, diagnostics: sortDiagnostics([...whole, ...problems]) };
  return { plan, ...(comparison && { comparison }) };
}
