/** What each command of the Action does. */

import { allLanded, nothingApplied, type Outcomes } from '../apply/outcome.ts';
import { carryOut } from '../commands/apply.ts';
import { planNow, readSavedPlan, requireApproval } from '../commands/plan.ts';
import { validateFiles } from '../commands/validate.ts';
import { sortDiagnostics } from '../core/diagnostic.ts';
import { contractProblems, type Plan } from '../plan/plan.ts';
import { joinTotals, total } from '../report/model/problems.ts';
import { outcomesVerdict } from '../report/model/outcomes.ts';
import type { Session } from '../session.ts';
import { chooseApplyBase } from './apply-base.ts';
import { choosePlanBase, type PlanBase } from './base.ts';
import { checkReview, recordsOf, refuse, withRefusals } from './check-review.ts';
import { hasCredential, type Inputs } from './inputs.ts';
import { checkEvent } from './permit.ts';
import { choosePolicy } from './policy.ts';
import {
  type Failure,
  failureOfIncomplete,
  failureOfPlan,
  isOfReview,
  type StepResult,
} from './result.ts';
import { openCatalog, requireCatalog, type Step } from './step.ts';

/** The files that the pull request touches, as GitHub says meanwhile. */
type Touched = Promise<ReadonlySet<string> | undefined>;

/** Does what the input `command` asks for. */
export async function perform(step: Step, touched: Touched): Promise<StepResult> {
  checkEvent(step);
  switch (step.inputs.command) {
    case 'validate':
      return validateStep(step);
    case 'plan':
      return isOffline(step) ? validateStep(step, offline) : planStep(step, touched);
    case 'apply':
      return applyStep(step);
  }
}

/** GitHub gives no secrets to pull requests of forks and of Dependabot. */
function isOffline({ inputs, run, runner }: Step): boolean {
  return run.pullRequest?.untrusted === true && !hasCredential(inputs, runner);
}

const offline =
  'This pull request comes from a fork or from Dependabot, which get no secrets: the files were checked, but no plan was made. To get a plan, push the change to a branch of this repository.';

/** What is left of `plan` where there are no secrets, too: then a notice says why. */
async function validateStep(
  { inputs, folder, root, paths }: Step,
  notice?: string,
): Promise<StepResult> {
  const validation = await validateFiles(
    { folder: root, givenIn: folder, paths },
    // A pull request must not choose which variables of a job its files show.
    { config: inputs.config, env: inputs.environment, environment: {} },
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
async function planStep(step: Step, touched: Touched): Promise<StepResult> {
  requireCatalog(step);
  const base = choosePlanBase(step);
  const policy = await choosePolicy(step, base, touched);
  const session = openCatalog(step, { ...base, ...policy });
  const records = step.inputs.expectHash === undefined ? undefined : recordsOf(step);
  // Handled at the `await` below; the plan may fail first, for another reason.
  records?.catch(() => undefined);
  const made = await makePlan(session, [base, policy]);
  const checked = records
    ? refuse(await checkReview(made, await records, { step, session }), await records, step)
    : { plan: made };
  const failure = failureOf(checked.plan, step.inputs);
  return { kind: 'plan', ...checked, ...(failure && { failure }) };
}

/** The plan as it is now, with what is wrong with what it is held against. */
async function makePlan(
  session: Session,
  against: readonly Pick<PlanBase, 'problem'>[],
): Promise<Plan> {
  const plan = await planNow(session);
  const problems = against.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  return { ...plan, diagnostics: sortDiagnostics([...plan.diagnostics, ...problems]) };
}

function failureOf(plan: Plan, { failOn }: Inputs): Failure | undefined {
  if (plan.errored) return failureOfPlan(plan);
  const incomplete = failureOfIncomplete(plan);
  if (incomplete) return incomplete;
  if (failOn === 'changes') {
    const { create = 0, update, drift, unknown = 0 } = plan.summary;
    const words = [
      ...total(create, `${create} to create`),
      ...total(update, `${update} to update`),
      ...total(drift, `${drift} edited in the catalog`),
      ...total(unknown, `${unknown} edited or not applied yet`),
    ];
    if (words.length > 0) {
      const message = `The catalog differs from the files: ${joinTotals(words)}.`;
      return { reason: 'changes', message };
    }
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
  const file = planFile !== undefined && {
    name: planFile,
    folder: step.folder,
    hint: planFileHint,
  };
  const saved = file ? await readSavedPlan(file, 'apply') : undefined;
  const records = await recordsOf(step);
  const base = chooseApplyBase(step, records);
  const session = openCatalog(step, base);
  if (saved) requireApproval(saved, session, planFile);
  const fresh = await makePlan(session, [base]);
  const approval = await checkReview(fresh, records, { step, session, saved });
  const checked = withRefusals(approval, records, step);
  const outcomes = checked.plan.errored
    ? nothingApplied([])
    : await carryOut(approval, session, { signal: step.runner.interruption() });
  const failure = failureToApply(checked.plan, outcomes);
  return { kind: 'apply', ...checked, outcomes, records, ...(failure && { failure }) };
}

const planFileHint = 'Set the input `plan-file` to the plan of an earlier step.';

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
