/** What each command of the Action does. */

import { allLanded, nothingApplied, type Outcomes } from '../apply/outcome.ts';
import { carryOut } from '../commands/apply.ts';
import { openSavedPlan, planNow, reviewPlan } from '../commands/plan.ts';
import { validateFiles } from '../commands/validate.ts';
import { sortDiagnostics } from '../core/diagnostic.ts';
import { changeCount, contractProblems, type Plan } from '../plan/plan.ts';
import { outcomesVerdict } from '../report/model/outcomes.ts';
import type { Comparison } from '../review/compare.ts';
import { approveWhole } from '../review/decide.ts';
import type { Session } from '../session.ts';
import { chooseApplyBase } from './apply-base.ts';
import {
  type Approval,
  changesOf,
  decideByComments,
  otherPaths,
  refusalProblems,
  wayOut,
  whyNothingApproves,
} from './approval.ts';
import { choosePlanBase, type PlanBase } from './base.ts';
import { hasCredential, type Inputs, inWordsOfInputs } from './inputs.ts';
import { checkEvent } from './permit.ts';
import { readRecords, type ReviewRecords } from './records.ts';
import {
  type Failure,
  failureOfIncomplete,
  failureOfPlan,
  isOfReview,
  type StepResult,
} from './result.ts';
import { openCatalog, requireCatalog, type Step } from './step.ts';

/** Does what the input `command` asks for. */
export async function perform(step: Step): Promise<StepResult> {
  checkEvent(step);
  switch (step.inputs.command) {
    case 'validate':
      return validateStep(step);
    case 'plan':
      return isOffline(step) ? validateStep(step, offline) : planStep(step);
    case 'apply':
      return applyStep(step);
  }
}

/** GitHub gives no secrets to pull requests of forks and of Dependabot. */
function isOffline({ inputs, run, runner }: Step): boolean {
  return run.pullRequest?.untrusted === true && !hasCredential(inputs, runner);
}

const offline =
  'This pull request comes from a fork or from Dependabot, which get no secrets: the files were checked, and no plan was made. The plan is made when a maintainer brings the change to a branch of this repository.';

/** What is left of `plan` where there are no secrets, too: then a notice says why. */
async function validateStep({ inputs, root, paths }: Step, notice?: string): Promise<StepResult> {
  const validation = await validateFiles(
    { folder: root, paths },
    // A pull request must not choose which variables of a job its files show.
    { config: inputs.config, environment: {} },
  );
  return {
    kind: 'validation',
    validation,
    ...(notice !== undefined && { notice }),
    ...(validation.errored && {
      failure: { reason: 'invalid-contracts', message: 'The contract files have errors.' } as const,
    }),
  };
}

/** What an apply would do, and whether it is still what was reviewed. */
async function planStep(step: Step): Promise<StepResult> {
  requireCatalog(step);
  const base = choosePlanBase(step);
  const session = openCatalog(step, base);
  const records = step.inputs.expectHash === undefined ? undefined : recordsOf(step);
  // Whoever awaits it is told; meanwhile the plan may fail for another reason.
  records?.catch(() => undefined);
  const made = await makePlan(session, base);
  const checked = records
    ? refuse(await checkReview(made, await records, { step, session }), await records, step)
    : { plan: made };
  const failure = failureOf(checked.plan, step.inputs);
  return { kind: 'plan', ...checked, ...(failure && { failure }) };
}

/** The plan as it is now, with hints that an Action's user can follow. */
async function makePlan(session: Session, { problem }: PlanBase): Promise<Plan> {
  const plan = inWordsOfInputs(await planNow(session));
  if (!problem || plan.planHash === undefined) return plan;
  return { ...plan, diagnostics: sortDiagnostics([...plan.diagnostics, problem]) };
}

const noRecords: ReviewRecords = { merged: [] };

async function recordsOf(step: Step): Promise<ReviewRecords> {
  return step.github ? readRecords(step, step.github) : noRecords;
}

type Reviewing = { readonly step: Step; readonly session: Session };

/** What of the plan was reviewed: by a hash as a whole, else by comments change by change. */
async function checkReview(
  fresh: Plan,
  records: ReviewRecords,
  { step, session }: Reviewing,
): Promise<Approval> {
  const { expectHash = '', autoApprove, command } = step.inputs;
  if (isByHash(step)) {
    const reviewed = { planHash: expectHash };
    const { plan, review } = await reviewPlan(fresh, reviewed, session);
    return { ...approveWhole(plan), ...(review?.comparison && { comparison: review.comparison }) };
  }
  const decision = decideByComments(fresh, records, step);
  if (command !== 'apply' || !autoApprove || records.own) return decision;
  return approvePush(decision);
}

/** Pushes without a pull request need no review; what was reviewed before must be there all the same. */
function approvePush({ fresh, refused }: Approval): Approval {
  return { fresh, approved: fresh, refused: refused.filter(({ kind }) => kind === 'not-found') };
}

/** Whether somebody has named the plan, which is then approved as a whole. */
function isByHash({ inputs: { expectHash = 'approved' } }: Step): boolean {
  return expectHash !== 'approved';
}

type Checked = { readonly plan: Plan; readonly comparison?: Comparison };

/** The plan with what is to be said of changes that nobody has reviewed; it forbids an apply. */
function refuse(approval: Approval, records: ReviewRecords, step: Step): Checked {
  const { plan, comparison } = withRefusals(approval, records, step);
  const errored = plan.errored || plan.diagnostics.some(isOfReview);
  return { plan: { ...plan, errored }, ...(comparison && { comparison }) };
}

/** The plan with what is to be said of changes that nobody has reviewed. */
function withRefusals(approval: Approval, records: ReviewRecords, step: Step): Checked {
  const { fresh, refused, comparison } = approval;
  const way = wayOut(step, step.inputs.command === 'apply' ? changesOf(refused) : fresh.contracts);
  const whole = inWordsOfInputs(fresh).diagnostics.map((problem) =>
    problem.code === 'plan-changed' ? { ...problem, hint: wayOut(step, fresh.contracts) } : problem,
  );
  const reason = whyNothingApproves(records, step);
  const problems = [
    ...refusalProblems(refused, { reason, wayOut: way }),
    ...(isByHash(step) ? [] : otherPaths(records, fresh)),
  ];
  const plan = { ...fresh, diagnostics: sortDiagnostics([...whole, ...problems]) };
  return { plan, ...(comparison && { comparison }) };
}

function failureOf(plan: Plan, { failOn }: Inputs): Failure | undefined {
  if (plan.errored) return failureOfPlan(plan);
  const incomplete = failureOfIncomplete(plan);
  if (incomplete) return incomplete;
  const changes = changeCount(plan);
  if (failOn === 'changes' && changes > 0) {
    const message = `The catalog differs from the files: ${changes} to update.`;
    return { reason: 'changes', message };
  }
  if (failOn === 'warnings' && hasWarnings(plan)) {
    return { reason: 'warnings', message: 'The plan has warnings, and `fail-on` is warnings.' };
  }
  return undefined;
}

function hasWarnings({ diagnostics, contracts }: Plan): boolean {
  const all = [...diagnostics, ...contracts.flatMap(contractProblems)];
  return all.some(({ severity }) => severity !== 'information');
}

/** Carries out what was reviewed, and nothing else. */
async function applyStep(step: Step): Promise<StepResult> {
  requireCatalog(step);
  const { planFile } = step.inputs;
  const records = await recordsOf(step);
  const base = planFile === undefined ? chooseApplyBase(step, records) : {};
  const session = openCatalog(step, base);
  const proposed =
    planFile === undefined
      ? await makePlan(session, base)
      : openSavedPlan({ name: planFile, folder: step.folder, hint: planFileHint }, session);
  const approval = await checkReview(proposed, records, { step, session });
  const checked = withRefusals(approval, records, step);
  const outcomes = checked.plan.errored
    ? nothingApplied([])
    : await carryOut(approval, session, { signal: step.runner.interruption() });
  const failure = failureToApply(checked.plan, outcomes);
  return { kind: 'apply', ...checked, outcomes, records, ...(failure && { failure }) };
}

const planFileHint =
  'The input `plan-file` of an apply names a plan that an earlier step has made.';

function failureToApply(plan: Plan, outcomes: Outcomes): Failure | undefined {
  if (plan.errored) return failureOfPlan(plan);
  const unreviewed = plan.diagnostics.find(isOfReview);
  if (allLanded(outcomes)) {
    return unreviewed
      ? { reason: 'plan-changed', message: unreviewed.message }
      : failureOfIncomplete(plan);
  }
  const { summary } = outcomes;
  const refused = summary['not-reviewed'] + summary['not-found'];
  const landed = summary.applied + summary.unchanged + summary.left;
  const message = `Not every change landed: ${outcomesVerdict(outcomes)}.`;
  const isRefused = refused > 0 && refused + landed === outcomes.outcomes.length;
  return { reason: isRefused ? 'plan-changed' : 'apply-failed', message };
}
