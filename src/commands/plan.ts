import type { CatalogReader } from '../catalog/catalog.ts';
import { defined } from '../core/json.ts';
import { readMisnamed } from '../files/files.ts';
import { readCheckout } from '../files/git/repository.ts';
import { enforceLimits, erroredPlan, makePlan } from '../plan/seal.ts';
import { planContract } from '../plan/contract-plan.ts';
import { judgeAssets } from '../plan/facts.ts';
import {
  type ContractPlan,
  isBreaking,
  mayBeNoticed,
  type Plan,
  type PlannedDialect,
  type UnchangedPlan,
  type UpdatePlan,
} from '../plan/plan.ts';
import { holdBackDoubtfulRetirements, isRetirement } from '../plan/unmanaged.ts';
import { type Planning, readOptionsOf, type Session, subjectOf } from '../session.ts';
import { lookUp, lookUpAssets } from './facts.ts';
import { findPairs, type FoundPairs } from './pairs.ts';

/** READ FIRST: how a plan is made. Files and catalog → pairs → facts → one plan of each pair. */

/** Sends GET requests only. */
export async function planFiles(run: Planning) {
  const found = await findPairs(run);
  if (!found.pairs) return { plan: erroredPlan(subjectOf(run), found.diagnostics) };
  const { rules, selector, diagnostics } = found;
  const { contracts, leftOut } = await planPairs(found, run);
  let planned: readonly ContractPlan[] = contracts;
  if (contracts.some(mayBeNoticed)) {
    // Loaded only where something may break.
    const { withDownstream } = await import('./downstream.ts');
    planned = await withDownstream(contracts, found, run);
  }
  const base = run.bases?.find(({ appliesTo }) => !appliesTo);
  const plan = makePlan(run.catalogUrl, planned, diagnostics, {
    dialect: plannedDialect(run),
    environment: run.environment?.name,
    base: base?.commit,
    defaultBase: base?.isDefault ? base.revision : undefined,
    arrays: rules.arrays,
    selection: selector.summary(leftOut),
  });
  return { plan: enforceLimits(plan, rules, run.overrides, leftOut), found };
}

/** Asks what the pairs need to be known, and plans each alone. */
export async function planPairs(
  { pairs, rules, selector: { takes } }: Pick<FoundPairs, 'pairs' | 'rules' | 'selector'>,
  run: Planning,
): Promise<{ contracts: ContractPlan[]; leftOut: ContractPlan[] }> {
  const selected = new Set(pairs.filter(takes));
  const facts = await lookUp({ pairs, selected: [...selected] }, rules, run);
  // Those that are not selected count for the limits, and a file of theirs may mean a stray.
  const planned = pairs.map((pair) => ({ pair, plan: planContract(pair, facts, rules) }));
  const wanted = planned.filter(({ pair }) => selected.has(pair));
  const assets = await lookUpAssets(wanted, rules, run.reader);
  const judged = planned.map((each) => judgeAssets(each, assets, rules.conventions));
  const unread = judged.some(isRetirement) ? await readMisnamed(run.files, readOptionsOf(run)) : [];
  const [contracts, leftOut]: [ContractPlan[], ContractPlan[]] = [[], []];
  for (const { pair, plan } of holdBackDoubtfulRetirements(judged, facts, rules, unread))
    if (plan) (selected.has(pair) ? contracts : leftOut).push(plan);
  return { contracts, leftOut };
}

export function plannedDialect({ product: { name }, release }: Planning): PlannedDialect {
  return { name, ...defined({ release }) };
}

/** With the checked-out commit, and who set the values that the plan overwrites. */
export async function planNow(session: Session): Promise<Plan> {
  const run = { ...session, reader: rememberVersions(session.reader) };
  const checkout = readCheckout(session.files.root, session.variables ?? {});
  const { plan, found } = await planFiles(run);
  const suspects = plan.contracts.filter((contract) => isSuspect(contract, run.blame));
  let blamed = plan;
  if (found && suspects.length > 0) {
    // Loaded only where there is history to read.
    const { withBlame } = await import('./history.ts');
    blamed = await withBlame(plan, suspects, found, run);
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
