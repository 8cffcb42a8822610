/** By which policy a pull request is judged. */

import { type BasePolicy, readBasePolicy } from '../config/policy.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import type { Rules } from '../plan/rules.ts';
import type { PlanBase } from './base.ts';
import type { Step } from './step.ts';

export type PlanPolicy = {
  /** Absent where the files as they are now say how they are judged. */
  readonly rules?: Rules;
  readonly problem?: Diagnostic;
};

/** The policy of a plan's base, where it judges, and what a pull request changes of it. */
export function choosePolicy(step: Step, { revision }: PlanBase): PlanPolicy {
  const judges = step.inputs.policy === 'base';
  const isReview = step.run.pullRequest !== undefined || step.run.queued !== undefined;
  if (!isReview) return {};
  if (revision === undefined) {
    if (judges) throw withoutBase();
    return {};
  }
  const policy = readPolicy(step, revision, judges);
  if (!policy) return {};
  return {
    ...(judges && { rules: policy.rules }),
    ...(policy.changed.length > 0 && { problem: changedPolicy(policy, judges) }),
  };
}

function readPolicy(step: Step, revision: string, judges: boolean): BasePolicy | undefined {
  const { folder, root, inputs } = step;
  try {
    return readBasePolicy(revision, {
      folder,
      root,
      config: inputs.config,
      env: inputs.environment,
    });
  } catch (error) {
    // What was wrong with it is of no interest to whoever mends it.
    if (judges || !(error instanceof SyncError)) throw error;
    return undefined;
  }
}

function withoutBase(): ConfigError {
  return new ConfigError(
    'no-base',
    "This clone doesn't have the base, so its policy can't be used.",
    {
      hint: 'Set `fetch-depth: 2` in actions/checkout.',
    },
  );
}

function changedPolicy({ changed, source }: BasePolicy, judges: boolean): Diagnostic {
  return {
    code: 'policy-changed',
    severity: 'warning',
    message: `This pull request changes ${changed.map((key) => `\`${key}\``).join(', ')} of the policy.`,
    hint: judges
      ? 'The policy of the base judges this plan: merge the policy first, then what it allows.'
      : 'The changed policy judges this plan. To use the policy of the base, set the input `policy: base`.',
    ...(source && { source }),
  };
}
