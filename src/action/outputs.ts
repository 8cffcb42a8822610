import { updates } from '../plan/plan.ts';
import type { StepResult } from './result.ts';
import type { Runner } from './runner.ts';

export type Outputs = Readonly<Record<string, string | number | boolean | undefined>>;

/** The outputs of `action.yml`: counts and names, never a contract's text. */
export function outputsOf({ failure, ...result }: StepResult): Outputs {
  const reason = { 'failure-reason': failure?.reason ?? '' };
  if (result.kind === 'validation') return { 'has-changes': false, ...reason };
  const { plan } = result;
  const { update, unchanged, missing, unmanaged, blocked, transitions, breaking } = plan.summary;
  const counts = { updates: update, unchanged, missing, unmanaged, blocked, transitions, breaking };
  return {
    'has-changes': updates(plan).length > 0,
    'plan-hash': plan.planHash,
    ...counts,
    ...(result.kind === 'apply' && {
      applied: result.outcomes.summary.applied,
      'not-applied': update - result.outcomes.summary.applied - result.outcomes.summary.unchanged,
    }),
    ...reason,
  };
}

/** Sets the outputs of the step; what is undefined is left out. */
export function setOutputs(outputs: Outputs, { setOutput }: Pick<Runner, 'setOutput'>): void {
  for (const [name, value] of Object.entries(outputs)) {
    if (value !== undefined) setOutput(name, value);
  }
}
