import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { apply as applyPlan } from '../apply/apply.ts';
import { allLanded, nothingApplied, type Outcomes } from '../apply/outcome.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import type { Plan } from '../plan/plan.ts';
import { openPlan } from '../plan/saved.ts';
import { outcomesVerdict } from '../report/model/outcomes.ts';
import type { Session } from '../session.ts';
import { findApproval, judge } from './approval.ts';
import { type Failure, failureOfPlan, type StepResult } from './result.ts';
import { openCatalog, planNow, type Step } from './step.ts';

/** The command `apply`: carries out the plan that was reviewed, and nothing but that plan. */
export async function apply(step: Step): Promise<StepResult> {
  const session = openCatalog(step);
  const { planFile, autoApprove } = step.inputs;
  const proposed =
    planFile === undefined ? await planNow(session) : openSaved(planFile, session, step);
  const approval = await findApproval(step);
  const { plan, comparison } = await judge(proposed, approval, { session, autoApprove });
  const { outcomes, failure } = await carryOut(plan, session, step);
  return {
    kind: 'apply',
    plan,
    outcomes,
    ...(failure && { failure }),
    ...(comparison && { comparison }),
    ...(approval.pull && { pull: approval.pull }),
    ...(approval.header && { approved: approval.header }),
  };
}

async function carryOut(
  plan: Plan,
  session: Session,
  { runner }: Step,
): Promise<{ readonly outcomes: Outcomes; readonly failure?: Failure }> {
  if (plan.errored) return { outcomes: nothingApplied([]), failure: failureOfPlan(plan) };
  const outcomes = await applyPlan({
    ...session,
    plan,
    writer: session.openWriter(),
    signal: runner.interruption(),
  });
  if (allLanded(outcomes)) return { outcomes };
  const message = `Not every change landed: ${outcomesVerdict(outcomes)}.`;
  return { outcomes, failure: { reason: 'apply-failed', message } };
}

function openSaved(file: string, { catalogUrl }: Session, { folder }: Step): Plan {
  const plan = openPlan(readPlan(resolve(folder, file), file), file);
  if (plan.catalogUrl === catalogUrl) return plan;
  throw new SyncError(
    'other-catalog',
    `The plan in ${file} was made for ${plan.catalogUrl}, not for ${catalogUrl}.`,
    { hint: 'Set the input `catalog-url` to the catalog that it was made for, or plan again.' },
  );
}

function readPlan(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError('unreadable-plan', `The plan file ${file} cannot be read.`, {
      hint: 'The input `plan-file` of an apply names a plan that an earlier step has made.',
      cause: error,
    });
  }
}
