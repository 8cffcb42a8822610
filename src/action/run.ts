import { SyncError, toDiagnostics } from '../errors.ts';
import { erroredPlan } from '../plan/make.ts';
import { commandLine } from '../render/workflow-command.ts';
import { apply } from './apply.ts';
import { failureOfError, inWordsOfInputs, type FailureReason } from './failure.ts';
import { writeOutputs } from './files.ts';
import { hasCredential } from './inputs.ts';
import { plan } from './plan.ts';
import { report } from './report.ts';
import type { StepResult } from './result.ts';
import type { Runner } from './runner.ts';
import { openStep, type Step } from './step.ts';
import { validate } from './validate.ts';

/** READ FIRST. Inputs → a command → its result, told in log, summary, comment and outputs. */
export async function runAction(runner: Runner): Promise<0 | 1> {
  try {
    const step = openStep(runner);
    const result = await attempt(step);
    await report(step, result);
    return result.failure ? 1 : 0;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    // An input that cannot be used: there is no step yet that could report it.
    runner.print(commandLine({ name: 'error', message: error.message }));
    writeOutputs({ 'failure-reason': 'configuration' satisfies FailureReason }, runner);
    return 1;
  }
}

async function attempt(step: Step): Promise<StepResult> {
  try {
    return await perform(step);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const diagnostics = toDiagnostics(error).map(inWordsOfInputs);
    const nothing = erroredPlan(step.inputs.catalogUrl ?? '', diagnostics);
    return { kind: 'plan', plan: nothing, failure: failureOfError(error) };
  }
}

async function perform(step: Step): Promise<StepResult> {
  switch (step.inputs.command) {
    case 'validate':
      return validate(step);
    case 'plan':
      return isOffline(step) ? validate(step, offline) : plan(step);
    case 'apply':
      return apply(step);
  }
}

/** GitHub gives no secrets to pull requests of forks and of Dependabot. */
function isOffline({ inputs, run, runner }: Step): boolean {
  return run.pullRequest?.untrusted === true && !hasCredential(inputs, runner);
}

const offline =
  'This pull request comes from a fork or from Dependabot, which get no secrets: the files were checked, and no plan was made. The plan is made when a maintainer brings the change to a branch of this repository.';
