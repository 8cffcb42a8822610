/** The plan as a check of the commit, besides the comment; for jobs that may write checks. */

import { SyncError } from '../core/errors.ts';
import { createCheckRun } from './github.ts';
import {
  type Failure,
  type PageOptions,
  renderResult,
  type StepResult,
  verdictOf,
} from './result.ts';
import { runPage, type Step } from './step.ts';

// Bytes: GitHub takes 65,535 characters.
const budget = 65_000;

type CheckOptions = Omit<PageOptions, 'budget'> & { readonly failure: Failure | undefined };

export async function reportCheckRun(
  step: Step,
  shown: StepResult,
  options: CheckOptions,
): Promise<void> {
  const { github, run, log } = step;
  if (!github || shown.kind !== 'plan' || (!run.pullRequest && !run.queued)) return;
  try {
    const permissions = 'permission `checks: write`';
    await createCheckRun({ ...github, permissions }, checkOf(step, shown, options));
    log.text('Check run: created.');
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    log.text(`Check run: none. ${error.message} ${error.hint ?? ''}`.trimEnd());
  }
}

function checkOf(step: Step, shown: StepResult, { failure, ...options }: CheckOptions) {
  const { run, inputs, redactor } = step;
  const { label = inputs.environment } = inputs;
  const page = runPage(step);
  const rest = `All of it is in the [summary of the run](${page}).`;
  return {
    name: label === undefined ? 'contract-sync' : `contract-sync: ${label}`,
    head_sha: run.pullRequest?.headSha ?? run.sha,
    status: 'completed',
    conclusion: failure ? 'failure' : 'success',
    details_url: page,
    output: {
      title: verdictOf(shown),
      summary: redactor.redact(renderResult(shown, { ...options, budget, rest })),
    },
  } as const;
}
