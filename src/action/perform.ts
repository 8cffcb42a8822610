/** What each command of the Action does. */

import { allLanded, nothingApplied, type Outcomes } from '../apply/outcome.ts';
import { carryOut } from '../commands/apply.ts';
import { openSavedPlan, planNow } from '../commands/plan.ts';
import { validateFiles } from '../commands/validate.ts';
import { changeCount, contractProblems, type Plan } from '../plan/plan.ts';
import { outcomesVerdict } from '../report/model/outcomes.ts';
import { approveWhole } from '../review/decide.ts';
import type { Session } from '../session.ts';
import { checkApproval, findApproval } from './approval.ts';
import { hasCredential, type Inputs, inWordsOfInputs } from './inputs.ts';
import { checkEvent } from './permit.ts';
import { type Failure, failureOfIncomplete, failureOfPlan, type StepResult } from './result.ts';
import { openCatalog, type Step } from './step.ts';

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
async function planStep(step: Step): Promise<StepResult> {
  const session = openCatalog(step);
  const made = await makePlan(session);
  const checked =
    step.inputs.expectHash === undefined
      ? { plan: made }
      : await checkApproval(made, await findApproval(step), {
          session,
          autoApprove: false,
          workflow: 'apply.yml',
        });
  const failure = failureOf(checked.plan, step.inputs);
  return { kind: 'plan', ...checked, ...(failure && { failure }) };
}

/** The plan as it is now, with hints that an Action's user can follow. */
async function makePlan(session: Session): Promise<Plan> {
  return inWordsOfInputs(await planNow(session));
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

/** Carries out the plan that was reviewed, and nothing but that plan. */
async function applyStep(step: Step): Promise<StepResult> {
  const { planFile, autoApprove } = step.inputs;
  const session = openCatalog(step);
  const proposed =
    planFile === undefined
      ? await makePlan(session)
      : openSavedPlan({ name: planFile, folder: step.folder, hint: planFileHint }, session);
  const approval = await findApproval(step);
  const checked = await checkApproval(proposed, approval, {
    session,
    autoApprove,
    workflow: step.run.workflow,
  });
  const { plan } = checked;
  const outcomes = plan.errored
    ? nothingApplied([])
    : await carryOut(approveWhole(plan), session, { signal: step.runner.interruption() });
  const failure = failureToApply(plan, outcomes);
  return {
    kind: 'apply',
    ...checked,
    outcomes,
    ...(failure && { failure }),
    ...(approval.pull && { pull: approval.pull }),
    ...(approval.header && { approved: approval.header }),
  };
}

const planFileHint =
  'The input `plan-file` of an apply names a plan that an earlier step has made.';

function failureToApply(plan: Plan, outcomes: Outcomes): Failure | undefined {
  if (plan.errored) return failureOfPlan(plan);
  if (allLanded(outcomes)) return failureOfIncomplete(plan);
  const message = `Not every change landed: ${outcomesVerdict(outcomes)}.`;
  return { reason: 'apply-failed', message };
}
