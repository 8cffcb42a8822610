/** Saved plans: read as they are, and refused if they are not for this run. */

import { resolve } from 'node:path';
import { ConfigError, SyncError } from '../core/diagnostic.ts';
import { readBounded, UnfitFileError } from '../disk.ts';
import { withoutSecrets } from '../http/address.ts';
import type { Plan } from '../plan/plan.ts';
import type { Planning, Session } from '../session.ts';

export type PlanFile = Readonly<Record<'name' | 'folder' | 'hint', string>>;

type PlanCommand = 'apply' | 'rollback';

/** The code that checks a plan is loaded only when one is read. */
export async function readSavedPlan({ name, folder, hint }: PlanFile, command: PlanCommand) {
  const message = `Can't read the plan file ${name}.`;
  const text = readSavedText(resolve(folder, name), { code: 'unreadable-file', message, hint });
  const { openPlan } = await import('../review/open-plan.ts');
  const plan = openPlan(text, name);
  refuseOtherCommand(plan, command, name);
  return plan;
}

export function refuseOtherCommand(plan: Plan, command: PlanCommand, file?: string): void {
  const made = plan.rollback ? 'rollback' : 'apply';
  if (made === command) return;
  const kind = plan.rollback ? 'a rollback' : 'no rollback';
  throw new SyncError('not-a-plan', `${nameOf(file)} is ${kind}: nothing was applied.`, {
    hint: `Run \`contract-sync ${made} --plan ${file ?? 'FILE'}\`.`,
  });
}

function nameOf(file: string | undefined): string {
  return file === undefined ? 'The plan' : `The plan in ${file}`;
}

export type ApprovedRun = Pick<Planning, 'catalogUrl' | 'environment'>;

/**
 * Refuses a plan with errors, or one for another environment or catalog, even if all ids are the
 * same. Without `file`, the plan comes from the library.
 */
export function requireApproval(plan: Plan, run: ApprovedRun, file?: string): void {
  const what = nameOf(file);
  const { catalogUrl, environment } = run;
  if (plan.environment !== environment?.name)
    throw otherEnvironment(plan.environment, environment, what);
  if (plan.catalogUrl !== catalogUrl) {
    const other = withoutSecrets(plan.catalogUrl);
    throw new SyncError('other-catalog', `${what} was made for ${other}, not for ${catalogUrl}.`, {
      hint: 'Use the catalog it was made for, or plan again.',
    });
  }
  if (plan.errored) {
    throw new SyncError('plan-errored', `${what} has errors: nothing was applied.`, {
      hint: 'Correct what it reports, plan again, and have the new plan reviewed.',
    });
  }
}

export function otherEnvironment(
  made: string | undefined,
  environment: Session['environment'],
  what: string,
): SyncError {
  const [then, now] = [made, environment?.name].map((each) =>
    each === undefined ? 'no environment' : `environment ${each}`,
  );
  const message = `${what} was made for ${then}, not for ${now}.`;
  const hint =
    made === undefined
      ? 'Choose no environment, or plan again.'
      : `Choose the environment ${made}, or plan again.`;
  return new SyncError('other-catalog', message, { hint });
}

// Bytes: a plan has some thousand for each contract.
const largestSaved = 2 ** 28;

export function readSavedText(
  path: string,
  { code, message, hint }: Readonly<Record<'code' | 'message' | 'hint', string>>,
): string {
  try {
    return readBounded(path, largestSaved).toString();
  } catch (cause) {
    const reason = cause instanceof UnfitFileError ? ` ${cause.message}` : '';
    throw new ConfigError(code, `${message}${reason}`, { hint, cause });
  }
}
