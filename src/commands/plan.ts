/** Making a plan, holding it against its review, and opening the file that keeps one. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAhead } from '../ahead/ahead.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import { withoutSecrets } from '../http/address.ts';
import type { Plan } from '../plan/plan.ts';
import { openPlan } from '../plan/saved.ts';
import { review, withReview, type Review, type Reviewed } from '../review/review.ts';
import type { Session } from '../session.ts';
import { sync } from '../sync.ts';
import { createSuspects, withBlame } from './blame.ts';

/** The plan that brings the catalog to the files as both are now. */
export async function planNow(session: Session): Promise<Plan> {
  const suspects = createSuspects(session.blame);
  const plan = await sync(readAhead({ ...session, onContract: suspects.note }));
  return withBlame(plan, suspects, session);
}

/** A plan with the verdict of its review, where something was reviewed. */
export type ReviewedPlan = { readonly plan: Plan; readonly review?: Review };

/** Holds a plan against what was reviewed; with a session, the catalog's history is asked too. */
export async function reviewPlan(
  plan: Plan,
  reviewed: Reviewed | undefined,
  session?: Session,
): Promise<ReviewedPlan> {
  if (!reviewed) return { plan };
  const result = await review(plan, reviewed, session);
  return { plan: withReview(plan, result), review: result };
}

/** A file that a plan was saved in. */
export type PlanFile = {
  /** As somebody has given it. */
  readonly name: string;
  readonly folder: string;
  /** What to do where it cannot be read, in the words of whoever asks. */
  readonly hint: string;
};

/** The plan of a file, exactly as it was saved. */
export function readSavedPlan({ name, folder, hint }: PlanFile): Plan {
  return openPlan(readText(resolve(folder, name), { name, hint }), name);
}

function readText(path: string, { name, hint }: Pick<PlanFile, 'name' | 'hint'>): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError('unreadable-plan', `The plan file ${name} cannot be read.`, {
      hint,
      cause,
    });
  }
}

/** The plan of a file, to be applied. */
export function openSavedPlan(file: PlanFile, session: Session): Plan {
  const plan = readSavedPlan(file);
  refuseOtherCatalog(plan, session, `The plan in ${file.name}`);
  return plan;
}

/** A plan names its catalog itself, and no other one gets it. `what` is the plan, in words. */
export function refuseOtherCatalog(plan: Plan, { catalogUrl }: Session, what: string): void {
  if (plan.catalogUrl === catalogUrl) return;
  const other = withoutSecrets(plan.catalogUrl);
  throw new SyncError('other-catalog', `${what} was made for ${other}, not for ${catalogUrl}.`, {
    hint: 'Give the catalog that it was made for, or plan again.',
  });
}
