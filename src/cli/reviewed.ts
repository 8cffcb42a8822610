import { type PlanFile, readSavedPlan, refuseOtherSubject } from '../commands/plan.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import type { Reviewed } from '../review/review.ts';
import type { Session } from '../session.ts';
import type { Terminal } from './terminal.ts';

export type ReviewFlags = {
  readonly expectHash?: string;
  readonly expectPlan?: string;
};

/** What the flags say was reviewed, if they say so. */
export function readReviewed(
  { expectHash, expectPlan }: ReviewFlags,
  session: Session,
  terminal: Terminal,
): Reviewed | undefined {
  if (expectHash !== undefined && !/^sha256:[0-9a-f]{64}$/u.test(expectHash)) {
    throw new ConfigError(
      'invalid-flag',
      `--expect-hash takes a plan hash, not ${JSON.stringify(expectHash)}.`,
      { hint: 'It looks like sha256:9f2c… and is at the end of every plan.' },
    );
  }
  if (expectPlan === undefined)
    return expectHash === undefined ? undefined : { planHash: expectHash };
  const plan = readSavedPlan(planFile(expectPlan, terminal));
  refuseOtherSubject(plan, session, `The plan in ${expectPlan}`);
  const { planHash } = plan;
  if (planHash === undefined) throw unequal(expectPlan, 'it has none: no plan could be made');
  if (expectHash !== undefined && planHash !== expectHash) throw unequal(expectPlan, planHash);
  return { planHash, plan };
}

function unequal(file: string, found: string): SyncError {
  return new SyncError(
    'plan-changed',
    `The plan in ${file} doesn't have the expected hash: ${found}.`,
  );
}

/** A file that a flag names and that `--out` wrote. */
export function planFile(name: string, { folder }: Terminal): PlanFile {
  return { name, folder, hint: 'Check the path: `contract-sync plan --out FILE` writes one.' };
}
