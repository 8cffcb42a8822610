import { openFilesAhead } from '../ahead/files.ts';
import { resolveFileConfig } from '../config/config.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { checkContracts, makeValidation } from '../files/files.ts';
import { contractProblems, type Plan, updates } from '../plan/plan.ts';
import { findApproval, judge } from './approval.ts';
import type { Inputs } from './inputs.ts';
import { type Failure, failureOfPlan, type StepResult } from './result.ts';
import { openCatalog, planNow, type Step } from './step.ts';

/** The command `plan`: what an apply would do, and whether it is still what was reviewed. */
export async function plan(step: Step): Promise<StepResult> {
  const session = openCatalog(step);
  const made = await planNow(session);
  const judged =
    step.inputs.expectHash === undefined
      ? { plan: made }
      : await judge(made, await findApproval(step), { session, autoApprove: false });
  const failure = failureOf(judged.plan, step.inputs);
  return { kind: 'plan', ...judged, ...(failure && { failure }) };
}

function failureOf(made: Plan, { failOn }: Inputs): Failure | undefined {
  if (made.errored) return failureOfPlan(made);
  const changes = updates(made).length;
  switch (failOn) {
    case 'errors':
      return undefined;
    case 'warnings':
      return hasWarnings(made)
        ? { reason: 'warnings', message: 'The plan has warnings, and `fail-on` is warnings.' }
        : undefined;
    case 'changes':
      return changes > 0
        ? {
            reason: 'changes',
            message: `The catalog differs from the files: ${changes} to update.`,
          }
        : undefined;
  }
}

function hasWarnings({ diagnostics, contracts }: Plan): boolean {
  const all = [...diagnostics, ...contracts.flatMap(contractProblems)];
  return hasErrors(all) || all.some(({ severity }) => severity === 'warning');
}

/** The command `validate`, and what is left of `plan` where there are no secrets. */
export async function validate(step: Step, notice?: string): Promise<StepResult> {
  const { inputs, folder } = step;
  const { config, paths } = inputs;
  const { include, exclude, rules } = resolveFileConfig(
    config === undefined ? {} : { config },
    folder,
  );
  const checked = await checkContracts(
    { root: folder, include: paths.length > 0 ? paths : include, exclude },
    { statuses: rules.lifecycle.statuses },
    openFilesAhead,
  );
  const validation = makeValidation(checked.diagnostics, checked.fileCount, checked.contractCount);
  return {
    kind: 'validation',
    validation,
    ...(notice !== undefined && { notice }),
    ...(validation.errored && {
      failure: { reason: 'invalid-contracts', message: 'The contract files have errors.' } as const,
    }),
  };
}
