/** READ FIRST: how a plan is made. Files and catalog → pairs → facts → one plan of each pair. */

import type { CatalogReader } from '../catalog/catalog.ts';
import { dialectDoubtful, type Kind } from '../catalog/products/products.ts';
import { defined } from '../core/json.ts';
import { readMisnamed } from '../files/files.ts';
import { readCheckout } from '../files/git/changes.ts';
import { agreeOnAll } from '../plan/doubt.ts';
import { blockUnknownStatus, withoutRepeatedSlips } from '../plan/judge.ts';
import { enforceLimits, erroredPlan, makePlan } from '../plan/seal.ts';
import { planContract } from '../plan/contract-plan.ts';
import { judgeAssets } from '../plan/facts.ts';
import {
  type ContractPlan,
  isBreaking,
  mayBeNoticed,
  type Plan,
  type UnchangedPlan,
  type UpdatePlan,
} from '../plan/plan.ts';
import { isRetirement, settleStrays } from '../plan/unmanaged.ts';
import { type Planning, readOptionsOf, type Session, subjectOf } from '../session.ts';
import { lookUp, lookUpAssets } from './facts.ts';
import { findPairs, type FoundPairs, type Pairing } from './pairs.ts';

/** Sends GET requests only. `pairing` is that of the first dialect that the catalog may speak. */
export async function planFiles(run: Planning) {
  const found = await findPairs(run);
  if (!found.pairings) return { plan: erroredPlan(subjectOf(run), found.diagnostics) };
  const { kind, selector, diagnostics } = found;
  const [pairing, ...others] = found.pairings;
  const { contracts, leftOut } = await planPairing(pairing, found, run);
  // While the kind of catalog isn't known, changes that depend on it are blocked.
  const all = [contracts];
  for (const other of others) all.push((await planPairing(other, found, run)).contracts);
  const agreed =
    others.length > 0
      ? agreeOnAll(all, dialectDoubtful(kind.evidence))
      : contracts.map((plan) => blockUnknownStatus(plan, kind.statusProblem, run.rules));
  let planned = agreed;
  if (agreed.some(mayBeNoticed)) {
    // Loaded only where something may break.
    const { withDownstream } = await import('./downstream.ts');
    planned = await withDownstream(agreed, found, run);
  }
  const base = run.bases?.find(({ appliesTo }) => !appliesTo);
  const files = pairing.pairs.flatMap(({ desired }) => desired ?? []);
  const dialect = plannedDialect(kind);
  const problems = withoutRepeatedSlips(diagnostics, planned, files, pairing.rules);
  const plan = makePlan(run.catalogUrl, planned, problems, {
    dialect,
    environment: run.environment?.name,
    base: base?.commit,
    defaultBase: base?.isDefault ? base.revision : undefined,
    arrays: run.rules.arrays,
    selection: selector.summary(leftOut),
  });
  return { plan: enforceLimits(plan, pairing.rules, run.overrides, leftOut), pairing };
}

/** The contracts of one dialect: asks what their pairs need to be known, and plans each alone. */
export async function planPairing(
  { pairs, rules }: Pairing,
  { selector: { takes }, kind }: FoundPairs,
  run: Planning,
): Promise<{ contracts: ContractPlan[]; leftOut: ContractPlan[] }> {
  const asking = { rules, isKnown: kind.possible.length === 1 };
  const selected = new Set(pairs.filter(takes));
  const facts = await lookUp({ pairs, selected: [...selected] }, asking, run);
  // Those that are not selected count for the limits, and a file of theirs may mean a stray.
  const planned = pairs.map((pair) => ({ pair, plan: planContract(pair, facts, rules) }));
  const wanted = planned.filter(({ pair }) => selected.has(pair));
  const assets = await lookUpAssets(wanted, asking, run.reader);
  const judged = planned.map((each) => judgeAssets(each, assets, rules.conventions));
  const unread = judged.some(isRetirement) ? await readMisnamed(run.files, readOptionsOf(run)) : [];
  const [contracts, leftOut]: [ContractPlan[], ContractPlan[]] = [[], []];
  for (const { pair, plan } of settleStrays(judged, facts, rules, unread))
    if (plan) (selected.has(pair) ? contracts : leftOut).push(plan);
  return { contracts, leftOut };
}

export function plannedDialect({ dialect: { name }, release }: Kind): Plan['dialect'] {
  return name === 'auto' ? undefined : { name, ...defined({ release }) };
}

/** With the checked-out commit, and who set the values that the plan overwrites. */
export async function planNow(session: Session): Promise<Plan> {
  const run = { ...session, reader: rememberVersions(session.reader) };
  const checkout = readCheckout(session.files.root, session.variables ?? {});
  const { plan, pairing } = await planFiles(run);
  const suspects = plan.contracts.filter((contract) => isSuspect(contract, run.blame));
  let blamed = plan;
  if (pairing && suspects.length > 0) {
    // Loaded only where there is history to read.
    const { withBlame } = await import('./history.ts');
    blamed = await withBlame(plan, suspects, pairing, run);
  }
  const { formatVersion, catalogUrl, ...rest } = blamed;
  const { commit, isChanged } = (await checkout) ?? {};
  const state = defined({ commit, uncommitted: isChanged ? (true as const) : undefined });
  return { formatVersion, catalogUrl, ...state, ...rest };
}

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

// Histories in memory; reasons and blame read the same.
const mostRemembered = 50;

function rememberVersions(reader: CatalogReader): CatalogReader {
  const known = new Map<string, ReturnType<CatalogReader['versions']>>();
  return {
    ...reader,
    versions: async (id) => {
      const versions = known.get(id) ?? reader.versions(id);
      if (known.size < mostRemembered) known.set(id, versions);
      return versions;
    },
  };
}
