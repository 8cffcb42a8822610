/** READ FIRST: how a plan is made. Files and catalog → pairs → facts → one plan of each pair. */

import { advise, slot } from '../core/advice.ts';
import type { CatalogReader } from '../catalog/catalog.ts';
import { dialectDoubtful, type Kind } from '../catalog/products/products.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { type Checkout, readCheckout } from '../files/git/changes.ts';
import { agreeOnAll, blockUnknownStatus } from '../plan/doubt.ts';
import { enforceLimits, erroredPlan, makePlan } from '../plan/seal.ts';
import { planContract } from '../plan/contract-plan.ts';
import { judgeAssets } from '../plan/facts.ts';
import {
  type ContractPlan,
  isBreaking,
  type Plan,
  type UnchangedPlan,
  type UpdatePlan,
} from '../plan/plan.ts';
import { settleStrays } from '../plan/unmanaged.ts';
import { type Planning, type Session, subjectOf } from '../session.ts';
import { lookUp, lookUpAssets } from './facts.ts';
import { findPairs, type FoundPairs, type Pairing } from './pairs.ts';

/** `pairing` is in the first dialect that the catalog may speak. */
export type MadePlan = { readonly plan: Plan; readonly pairing?: Pairing };

/** Sends GET requests only. */
export async function planFiles(run: Planning): Promise<MadePlan> {
  const found = await findPairs(run);
  if (!found.pairings) return { plan: erroredPlan(subjectOf(run), found.diagnostics) };
  const { kind, selector, diagnostics } = found;
  const [pairing, ...others] = found.pairings;
  const { contracts, leftOut } = await planPairing(pairing, found, run);
  const all = [contracts];
  for (const other of others) all.push((await planPairing(other, found, run)).contracts);
  const agreed =
    others.length > 0
      ? agreeOnAll(all, dialectDoubtful(kind.evidence))
      : contracts.map((plan) => blockUnknownStatus(plan, kind.statusProblem, run.rules));
  const base = run.bases?.find(({ appliesTo }) => !appliesTo);
  const plan = makePlan(run.catalogUrl, agreed, diagnostics, {
    dialect: plannedDialect(kind),
    environment: run.environment?.name,
    base: base?.commit,
    defaultBase: base?.isDefault ? base.revision : undefined,
    arrays: run.rules.arrays,
    selection: selector.summary(leftOut),
  });
  return { plan: enforceLimits(plan, pairing.rules, run.overrides, leftOut), pairing };
}

export async function planPairing(
  { pairs, rules }: Pairing,
  { selector: { takes }, kind }: FoundPairs,
  run: Planning,
): Promise<{ contracts: ContractPlan[]; leftOut: ContractPlan[] }> {
  const asking = { rules, isKnown: kind.possible.length === 1 };
  const facts = await lookUp(pairs, { ...asking, takes }, run);
  const planned = pairs.map((pair) => ({ pair, plan: planContract(pair, facts, rules) }));
  const selected = planned.filter(({ pair }) => takes(pair));
  const assets = await lookUpAssets(selected, asking, run.reader);
  const judged = planned.map((each) => judgeAssets(each, assets, rules.conventions));
  const settled = settleStrays(judged, facts, rules);
  const [contracts, leftOut]: [ContractPlan[], ContractPlan[]] = [[], []];
  for (const { pair, plan } of settled) if (plan) (takes(pair) ? contracts : leftOut).push(plan);
  return { contracts, leftOut };
}

export function plannedDialect({ dialect: { name }, release }: Kind): Plan['dialect'] {
  return name === 'auto' ? undefined : { name, ...(release !== undefined && { release }) };
}

export async function planNow(session: Session): Promise<Plan> {
  const run = { ...session, reader: rememberVersions(session.reader) };
  const checkout = readCheckout(session.files.root, session.variables ?? {});
  const { plan, pairing } = await planFiles(run);
  const suspects = plan.contracts.filter((contract) => isSuspect(contract, session.blame));
  if (!pairing || suspects.length === 0) return withCheckout(plan, await checkout);
  if (session.blame !== 'all' && suspects.length > mostSuspects) {
    const diagnostics = [...plan.diagnostics, tooMany(suspects.length)];
    return withCheckout({ ...plan, diagnostics }, await checkout);
  }
  // Loaded only where there is history to read.
  const { withBlame } = await import('./blame.ts');
  return withCheckout(await withBlame(plan, suspects, pairing, run), await checkout);
}

// Limit of contracts whose history is read by default, at one request each.
const mostSuspects = 50;

function isSuspect(
  planned: ContractPlan,
  setting: Session['blame'],
): planned is UpdatePlan | UnchangedPlan {
  const { action } = planned;
  if (setting === 'none' || action === 'missing' || action === 'unmanaged' || action === 'create')
    return false;
  if (planned.drift || isBreaking(planned)) return true;
  if (planned.action === 'unchanged') return false;
  const isCaused = planned.changes.some(({ cause }) => cause === 'drift' || cause === 'conflict');
  return isCaused || (setting === 'all' && planned.changes.length > 0);
}

function tooMany(amount: number): Diagnostic {
  const message = `The plan doesn't say who set what it changes: that takes a request for each of ${amount} contracts.`;
  const hint = slot('blame', `Add --blame to ask for more than ${mostSuspects}.`);
  return { code: 'blame-left-out', severity: 'information', message, ...advise(hint) };
}

// Reasons and blame read the same histories.
function rememberVersions(reader: CatalogReader): CatalogReader {
  const known = new Map<string, ReturnType<CatalogReader['versions']>>();
  return {
    ...reader,
    versions: async (id) => {
      const versions = known.get(id) ?? reader.versions(id);
      if (known.size < mostSuspects) known.set(id, versions);
      return versions;
    },
  };
}

function withCheckout(plan: Plan, checkout: Checkout | undefined): Plan {
  if (!checkout) return plan;
  const { commit, isChanged } = checkout;
  const { formatVersion, catalogUrl, ...rest } = plan;
  return { formatVersion, catalogUrl, commit, ...(isChanged && { uncommitted: true }), ...rest };
}
