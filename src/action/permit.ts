/** Which runs are refused, whatever else is set. */

import { ConfigError } from '../core/errors.ts';
import { hasCredential } from './inputs.ts';
import type { Step } from './step.ts';

/** Refuses an event that the command can't serve, or must not. */
export function checkEvent(step: Pick<Step, 'run' | 'inputs' | 'runner'>): void {
  const { eventName, pullRequest } = step.run;
  const { command, allowForks } = step.inputs;
  const instead = otherEvents[eventName];
  if (instead !== undefined) {
    refuse(`The event \`${eventName}\` isn't supported.`, instead);
  }
  if (command === 'apply' && pullRequest && !pullRequest.isMerged) {
    refuse(
      `Pull request ${pullRequest.number} isn't merged, so its changes can't be applied.`,
      'Run `apply` on pushes to the branch that pull requests are merged into, as examples/workflows/contract-sync-apply.yml does.',
    );
  }
  const isAtRisk = command !== 'validate' && hasCredential(step.inputs, step.runner);
  if (isAtRisk && pullRequest?.isFork && !allowForks) {
    refuse(
      `Pull request ${pullRequest.number} comes from a fork, and the job has credentials of the catalog.`,
      'Give forks no secrets, or set the input `allow-forks` if everybody who can open a pull request may use them.',
    );
  }
}

function refuse(message: string, hint: string): never {
  throw new ConfigError('unsupported-event', message, { hint });
}

const otherEvents: Readonly<Record<string, string>> = {
  // What is checked out is the base: the plan would say that nothing changes.
  pull_request_target:
    'Use `pull_request`: this event checks out the base, so nothing of the pull request is planned.',
  issue_comment:
    'Use `pull_request` for plans and `push` for applies: this event names neither the commit nor the pull request.',
  workflow_run:
    'Use `pull_request` for plans and `push` for applies: this event checks out the default branch.',
};
