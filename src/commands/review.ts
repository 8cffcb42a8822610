/** Reviewed plans: saved ones are read, or refused if they are not for this run; then compared. */

import { resolve } from 'node:path';
import pLimit from 'p-limit';
import type { CatalogReader } from '../catalog/catalog.ts';
import { ApiError } from '../catalog/fault.ts';
import { readOptionsOf } from '../config/settings.ts';
import { type LiveContract, parseLiveContract } from '../contract/contract.ts';
import { contractLabel, indexFiles } from '../contract/identity.ts';
import {
  ConfigError,
  type Diagnostic,
  hasErrors,
  sortDiagnostics,
  SyncError,
} from '../core/diagnostic.ts';
import { readBounded, UnfitFileError } from '../disk.ts';
import { readContracts } from '../files/files.ts';
import { withoutSecrets } from '../http/address.ts';
import { planContract } from '../plan/contract-plan.ts';
import { noFacts } from '../plan/facts.ts';
import { createBases } from '../plan/pair.ts';
import { type ContractPlan, creations, type Plan, type RunSubject, updates } from '../plan/plan.ts';
import { planHash } from '../plan/seal.ts';
import { compareChanges, type Comparison, reviewedChanges, reviewedIn } from '../review/compare.ts';
import { findLanded, type LandingCatalog } from '../review/landed.ts';
import type { Planning } from '../session.ts';
import { lookUpPeople } from './facts.ts';
import { findReasons } from './reasons.ts';

export type ReviewedPlan = { readonly plan: Plan; readonly review?: Review };

/** Reads the catalog's history too. */
export async function reviewPlan(plan: Plan, reviewed: Reviewed | undefined, run: Planning) {
  if (!reviewed) return { plan };
  const result = await review(plan, reviewed, run, async () => openLivePlanner(run));
  return { plan: withReview(plan, result), review: result };
}

export type Reviewed = { readonly planHash: string; readonly plan?: Plan };

type Review = {
  readonly verdict: Comparison['verdict'];
  readonly comparison?: Comparison;
  readonly unreadHistory?: string;
};

/** Undefined where the contract is not this repository's. */
type PlanLive = (live: LiveContract) => Promise<ContractPlan | undefined>;

/** If only the reviewed hash is known, searches the catalog's history for its plan. */
export async function review(
  plan: Plan,
  reviewed: Reviewed,
  catalog: LandingCatalog,
  openPlanner: () => Promise<PlanLive | undefined>,
): Promise<Review> {
  const { planHash } = reviewed;
  const isSameHash = plan.planHash === planHash;
  if (isSameHash && !reviewed.plan) return { verdict: 'same' };
  const approved =
    reviewed.plan ?? (await recoverPlan(plan, planHash, catalog.reader, openPlanner));
  if (!approved) return { verdict: 'different' };
  if (approved instanceof ApiError)
    return { verdict: 'different', unreadHistory: approved.message };
  const changes = reviewed.plan
    ? reviewedIn(approved, plan)
    : reviewedChanges(approved).map((change) => ({ ...change, isUndated: true }));
  const landings = await findLanded(plan, changes, catalog);
  const comparison = compareChanges(changes, plan, landings);
  if (isSameHash && comparison.verdict === 'same') return { verdict: 'same' };
  // Two hashes that differ are never of one plan, whatever the contents say.
  const verdict = comparison.verdict === 'same' ? 'different' : comparison.verdict;
  return { verdict, comparison };
}

export function withReview(plan: Plan, review: Review): Plan {
  if (review.verdict === 'same') return plan;
  const applied = review.comparison?.contracts.length ?? 0;
  const partlyApplied: Diagnostic = {
    code: 'plan-partly-applied',
    severity: 'information',
    message: `Part of the reviewed plan has already landed (contracts: ${applied}); the rest is as reviewed.`,
  };
  const finding = review.verdict === 'rest' ? partlyApplied : changed(plan, review);
  return {
    ...plan,
    errored: plan.errored || finding.severity === 'error',
    diagnostics: sortDiagnostics([...plan.diagnostics, finding]),
  };
}

function changed(plan: Plan, { comparison, unreadHistory }: Review): Diagnostic {
  const what = 'The plan is not the one that was reviewed';
  const hint = 'Have it reviewed again, and expect its new hash.';
  const finding = { code: 'plan-changed', severity: 'error', scope: 'plan' } as const;
  if (comparison) {
    const { contracts } = comparison;
    const gone = new Set(contracts.filter(({ kind }) => kind === 'gone').map(contractLabel));
    const isLeft = plan.contracts.some(
      (contract) =>
        contract.action === 'unchanged' && contract.drift && gone.has(contractLabel(contract)),
    );
    if (!isLeft) return { ...finding, message: `${what}.`, hint };
    const message = `${what}: \`drift: leave\` leaves edits of the catalog as they are.`;
    const way = 'Plan again, or apply by the rule of that plan: `drift: overwrite`.';
    return { ...finding, message, hint: way };
  }
  const why =
    unreadHistory === undefined
      ? "the history can't recover that one."
      : `the history, which may recover that one, can't be read: ${unreadHistory}`;
  return {
    ...finding,
    message: `${what}, and ${why}`,
    hint: `${hint} To see what differs, give the saved plan: apply --plan FILE compares place by place.`,
  };
}

// Undoes the writes to the plan's contracts one at a time and plans anew, until the hash is the
// reviewed one. A hash can't be met by accident; other files or a short history find nothing.
async function recoverPlan(
  plan: Plan,
  reviewedHash: string,
  reader: CatalogReader,
  openPlanner: () => Promise<PlanLive | undefined>,
): Promise<Plan | ApiError | undefined> {
  const planState = await openPlanner();
  if (!planState) return undefined;
  const state = new Map(updates(plan).map((change) => [change.id, change]));
  const writes = await readWrites(plan, reader);
  if (writes instanceof ApiError) return writes;
  for (const { before } of writes) {
    const planned = await planState(before);
    if (planned?.action === 'update') state.set(before.id, planned);
    else state.delete(before.id);
    const contracts = [...state.values(), ...creations(plan)];
    if (planHash(contracts, plan.environment) === reviewedHash)
      return { ...plan, contracts, planHash: reviewedHash };
  }
  return undefined;
}

// A review that is older than these is better made anew.
const mostContracts = 1024;

// Latest first, of the contracts that were written last.
async function readWrites(plan: Plan, reader: CatalogReader) {
  const contracts = plan.contracts
    .flatMap((contract) => {
      if (!('liveUpdatedAt' in contract) || contract.liveUpdatedAt === undefined) return [];
      return [{ id: contract.id, at: contract.liveUpdatedAt }];
    })
    .toSorted((a, b) => b.at - a.at)
    .slice(0, mostContracts);
  try {
    const histories = await pLimit(8).map(contracts, async ({ id }) => {
      // Interface §2.5: newest first.
      const { versions } = await reader.versions(id);
      const states = versions.flatMap((each) => parseLiveContract({ id, ...each }) ?? []);
      return states.slice(1).map((before, at) => ({ before, at: states[at]?.updatedAt ?? 0 }));
    });
    return histories.flat().toSorted((a, b) => b.at - a.at);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

// Undefined where the files cannot be used.
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
