import { type PlanFile, readSavedPlan, requireApproval } from '../commands/plan.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import type { Plan } from '../plan/plan.ts';
import { compareChanges } from '../review/compare.ts';
import { decideChanges, type Decision } from '../review/decide.ts';
import { findLanded } from '../review/landed.ts';
import { reviewedChanges } from '../review/reviewed.ts';
import type { Reviewed } from '../review/review.ts';
import type { Session } from '../session.ts';
import { type PrintFlags, showComparison, showPlan } from './show.ts';
import type { Terminal } from './terminal.ts';

export type ReviewFlags = {
  readonly expectHash?: string;
  /** A file that `--out` wrote. */
  readonly plan?: string;
};

/** What the flags say was reviewed, if they say so. */
export async function readReviewed(
  { expectHash, plan: file }: ReviewFlags,
  session: Session,
  terminal: Terminal,
): Promise<Reviewed | undefined> {
  if (expectHash !== undefined && !/^sha256:[0-9a-f]{64}$/u.test(expectHash)) {
    throw new ConfigError(
      'invalid-flag',
      `--expect-hash takes a plan hash, not ${JSON.stringify(expectHash)}.`,
      { hint: 'It looks like sha256:9f2c… and is at the end of every plan.' },
    );
  }
  if (file === undefined) return expectHash === undefined ? undefined : { planHash: expectHash };
  const plan = await readSavedPlan(planFile(file, terminal), 'apply');
  requireApproval(plan, session, file);
  // Only a plan with errors has no hash.
  const { planHash = '' } = plan;
  if (expectHash !== undefined && planHash !== expectHash) {
    throw new SyncError(
      'plan-changed',
      `The plan in ${file} doesn't have the expected hash: ${planHash}.`,
    );
  }
  return { planHash, plan };
}

/** A file that a flag names and that `--out` wrote. */
export function planFile(name: string, { folder }: Terminal): PlanFile {
  return { name, folder, hint: 'Check the path: `contract-sync plan --out FILE` writes one.' };
}

/** Shows a fresh plan and how it differs from the reviewed one; which of its changes may be sent. */
export async function decideBySaved(
  fresh: Plan,
  reviewed: Plan,
  session: Session,
  { flags, terminal }: { readonly flags: PrintFlags; readonly terminal: Terminal },
): Promise<Decision> {
  showPlan(fresh, flags, terminal);
  const changes = reviewedChanges(reviewed);
  const landings = await findLanded(fresh, changes, session);
  const comparison = compareChanges(changes, fresh, landings);
  if (comparison.verdict !== 'same') showComparison(comparison, flags, terminal);
  return decideChanges(fresh, changes, landings);
}
