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

export async function reportCheckRun(
  step: Step,
  shown: StepResult,
  { failure, ...options }: Omit<PageOptions, 'budget'> & { readonly failure: Failure | undefined },
): Promise<void> {
  const { github, run, inputs, log, redactor } = step;
  const { pullRequest, queued } = run;
  if (!github || shown.kind !== 'plan' || (!pullRequest && !queued)) return;
  const { label = inputs.environment } = inputs;
  const page = runPage(step);
  const rest = `All of it is in the [summary of the run](${page}).`;
  try {
    const permissions = 'permission `checks: write`';
    await createCheckRun(
      { ...github, permissions },
      {
        name: label === undefined ? 'contract-sync' : `contract-sync: ${label}`,
        head_sha: pullRequest?.headSha ?? run.sha,
        status: 'completed',
        conclusion: failure ? 'failure' : 'success',
        details_url: page,
        output: {
          title: verdictOf(shown),
          summary: redactor.redact(renderResult(shown, { ...options, budget, rest })),
        },
      },
    );
    log.text('Check run: created.');
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    log.text(`Check run: none. ${error.message} ${error.hint ?? ''}`.trimEnd());
  }
}
