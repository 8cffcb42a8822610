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
export async function choosePolicy(
  step: Step,
  { revision, problem }: PlanBase,
  touched: Promise<ReadonlySet<string> | undefined>,
): Promise<PlanPolicy> {
  const judges = step.inputs.policy === 'base';
  const isReview = step.run.pullRequest !== undefined || step.run.queued !== undefined;
  if (!isReview) return {};
  if (revision === undefined) {
    if (judges) throw withoutBase();
    // GitHub's list of what the pull request touches says as well that it is no configuration.
    if ((await touched) !== undefined) return {};
    const reason = "this clone doesn't have the base.";
    return { problem: unknownPolicy(reason, problem?.hint) };
  }
  const policy = readPolicy(step, revision, judges);
  if ('problem' in policy) return policy;
  return {
    ...(judges && { rules: policy.rules }),
    ...(policy.changed.length > 0 && { problem: changedPolicy(policy, judges) }),
  };
}

/** The policy of the base, or why it is unknown, so that a change which mends it can be planned. */
function readPolicy(
  step: Step,
  revision: string,
  judges: boolean,
): BasePolicy | { readonly problem: Diagnostic } {
  const { folder, root, inputs } = step;
  try {
    return readBasePolicy(revision, {
      folder,
      root,
      config: inputs.config,
      env: inputs.environment,
    });
  } catch (error) {
    if (judges || !(error instanceof SyncError)) throw error;
    return { problem: unknownPolicy(`the policy of the base can't be read: ${error.message}`) };
  }
}

/** The reason is a sentence's end. */
function unknownPolicy(reason: string, hint?: string): Diagnostic {
  const message = `Whether this pull request changes the policy that judges it is unknown: ${reason}`;
  return {
    code: 'policy-unknown',
    severity: 'warning',
    message,
    ...(hint !== undefined && { hint }),
  };
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

/** Whether it says that the policy is, or may be, another one: worth a comment of its own. */
export function isAboutPolicy({ code }: Diagnostic): boolean {
  return code === 'policy-changed' || code === 'policy-unknown';
}
