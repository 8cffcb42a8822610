/** By which policy a pull request is judged, and which files it touches. */

import { basename } from 'node:path/posix';
import { type BasePolicy, readBasePolicy } from '../config/policy.ts';
import { defaultFile } from '../config/file.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import type { Rules } from '../plan/rules.ts';
import { choosePlanBase, type PlanBase } from './base.ts';
import { listChangedFiles } from './github.ts';
import type { Step } from './step.ts';

/** Undefined where the list is unknown. */
export type Touched = Promise<ReadonlySet<string> | undefined>;

export type PlanPolicy = {
  /** Absent where the policy of the checked-out files applies. */
  readonly rules?: Rules | undefined;
  readonly problem?: Diagnostic | undefined;
};

export async function choosePolicy(
  step: Step,
  { revision, problem }: PlanBase,
  touched: Touched,
): Promise<PlanPolicy> {
  const judges = step.inputs.policy === 'base';
  const isReview = step.run.pullRequest !== undefined || step.run.queued !== undefined;
  if (!isReview) return {};
  if (revision === undefined) {
    if (judges) {
      throw new ConfigError(
        'no-base',
        "This clone doesn't have the base, so its policy can't be used.",
        { hint: 'Set `fetch-depth: 2` in actions/checkout.' },
      );
    }
    // The list of touched files is undefined where a configuration is among them.
    if ((await touched) !== undefined) return {};
    const reason = "this clone doesn't have the base.";
    return { problem: unknownPolicy(reason, problem?.hint) };
  }
  const policy = readPolicy(step, revision, judges);
  if ('problem' in policy) return policy;
  return {
    rules: judges ? policy.rules : undefined,
    problem: policy.changed.length > 0 ? changedPolicy(policy, judges) : undefined,
  };
}

// Returns a problem where it can, so that a change that repairs the policy can be planned.
function readPolicy(
  step: Step,
  revision: string,
  judges: boolean,
): BasePolicy | { readonly problem: Diagnostic } {
  const { folder, root, inputs } = step;
  const { config, environment: env } = inputs;
  try {
    return readBasePolicy(revision, { folder, root, config, env });
  } catch (error) {
    if (judges || !(error instanceof SyncError)) throw error;
    return { problem: unknownPolicy(`the policy of the base can't be read: ${error.message}`) };
  }
}

function unknownPolicy(reason: string, hint?: string): Diagnostic {
  const message = `Whether this pull request changes the policy that judges it is unknown: ${reason}`;
  return {
    code: 'policy-unknown',
    severity: 'warning',
    message,
    ...(hint !== undefined && { hint }),
  };
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

// GitHub's maximum.
const mostListed = 3000;

/**
 * Relative to the step's folder. Without a base, these files tell drift from changes under review;
 * undefined, also where the configuration changes, leaves all changes together.
 */
export async function touchedFiles(step: Step): Promise<ReadonlySet<string> | undefined> {
  const { github, run, prefix, log, inputs } = step;
  if (!github || !run.pullRequest) return undefined;
  if (choosePlanBase(step).revision !== undefined) return undefined;
  try {
    const files = await listChangedFiles(github, run.pullRequest.number);
    if (files.length >= mostListed) return undefined;
    const inside = prefix === '' ? '' : `${prefix}/`;
    const own = files.filter((file) => file.startsWith(inside));
    const touched = new Set(own.map((file) => file.slice(inside.length)));
    // A deleted configuration counts too.
    const isPolicy = (file: string): boolean =>
      file === inputs.config || basename(file) === defaultFile;
    return [...touched].some(isPolicy) ? undefined : touched;
  } catch (error) {
    log.text(`Can't list the files of the pull request: ${String(error)}`);
    return undefined;
  }
}
