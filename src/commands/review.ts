/** Reviewed plans: saved ones are read, or refused if they are not for this run; then compared. */

import { resolve } from 'node:path';
import { indexFiles } from '../contract/identity.ts';
import { ConfigError, hasErrors, SyncError } from '../core/diagnostic.ts';
import { readBounded, UnfitFileError } from '../disk.ts';
import { readContracts } from '../files/files.ts';
import { withoutSecrets } from '../http/address.ts';
import { noFacts } from '../plan/facts.ts';
import { createBases } from '../plan/pair.ts';
import { planContract } from '../plan/contract-plan.ts';
import type { RunSubject, Plan } from '../plan/plan.ts';
import { countNewReaders, reviewedIn } from '../review/compare.ts';
import { type PlanLive, review, type Review, type Reviewed, withReview } from '../review/review.ts';
import { readOptionsOf } from '../config/settings.ts';
import type { Planning } from '../session.ts';
import { lookUpPeople } from './facts.ts';
import { findReasons } from './reasons.ts';

export type ReviewedPlan = { readonly plan: Plan; readonly review?: Review };

/** Reads the catalog's history too. */
export async function reviewPlan(plan: Plan, reviewed: Reviewed | undefined, run: Planning) {
  if (!reviewed) return { plan };
  const known = reviewed.plan ? countNewReaders(plan, reviewedIn(reviewed.plan, plan)) : plan;
  const openPlanner = async () => openLivePlanner(run);
  const result = await review(known, reviewed, { ...run, openPlanner });
  return { plan: withReview(known, result), review: result };
}

async function openLivePlanner(run: Planning): Promise<PlanLive | undefined> {
  const { bases = [], product, rules } = run;
  const { contracts, diagnostics } = await readContracts(run.files, readOptionsOf(run));
  if (hasErrors(diagnostics)) return undefined;
  const files = indexFiles(contracts);
  const { baseOf } = createBases({ bases });
  const declared = [...contracts, ...bases.flatMap((base) => base.contracts)];
  const people = await lookUpPeople(declared, rules, run.reader);
  return async (then) => {
    const live = product.fromWire({ ...then, document: product.fromVersion(then.document, {}) });
    const desired = files.find(live);
    const base = baseOf(live);
    if (!desired) return planContract({ live, base }, noFacts, rules);
    const pair = { live, desired, base };
    const facts = { ...noFacts, people };
    const reasons = await findReasons([pair], facts, rules, run);
    return planContract(pair, { ...facts, reasons }, rules);
  };
}

export type PlanFile = { readonly name: string; readonly folder: string; readonly hint: string };

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

/**
 * Refuses a plan with errors, or one for another environment or catalog, even if all ids are the
 * same. Without `file`, the plan comes from the library.
 */
export function requireApproval(plan: Plan, run: RunSubject, file?: string): void {
  const what = nameOf(file);
  const { catalogUrl } = run;
  refuseOtherEnvironment(plan.environment, run, what);
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

export function refuseOtherEnvironment(
  made: string | undefined,
  { environment: chosen }: RunSubject,
  what: string,
): void {
  if (made === chosen?.name) return;
  const message = `${what} was made for ${wordsOf(made)}, not for ${wordsOf(chosen?.name)}.`;
  const hint = `Choose ${made === undefined ? 'no environment' : `the environment ${made}`}, or plan again.`;
  throw new SyncError('other-catalog', message, { hint });
}

function wordsOf(environment: string | undefined): string {
  return environment === undefined ? 'no environment' : `environment ${environment}`;
}

// Bytes: a plan has some thousand for each contract.
const largestSaved = 2 ** 28;

type Unreadable = { readonly code: string; readonly message: string; readonly hint: string };

export function readSavedText(path: string, { code, message, hint }: Unreadable): string {
  try {
    return readBounded(path, largestSaved).toString();
  } catch (cause) {
    const reason = cause instanceof UnfitFileError ? ` ${cause.message}` : '';
    throw new ConfigError(code, `${message}${reason}`, { hint, cause });
  }
}
