/** READ FIRST: how a plan is made. Read, list, pair, look up, plan, seal. */

import type { CatalogReader, VersionHistory } from '../catalog/catalog.ts';
import { defined } from '../core/json.ts';
import { readMisnamed } from '../files/files.ts';
import { readCheckout } from '../files/git/repository.ts';
import { holdBackDoubtfulRetirements, planContract, retirementOf } from '../plan/contract-plan.ts';
import { judgeExceptions } from '../plan/judge.ts';
import { type Facts, judgeAssets } from '../plan/facts.ts';
import {
  type ContractPlan,
  isBreaking,
  mayBeNoticed,
  type Plan,
  type PlannedDialect,
  type UnchangedPlan,
  type UpdatePlan,
} from '../plan/plan.ts';
import type { PlannedPair } from '../plan/pair.ts';
import { enforceLimits } from '../plan/limits.ts';
import { erroredPlan, makePlan } from '../plan/seal.ts';
import { readOptionsOf } from '../config/settings.ts';
import { type Planning, type Session, subjectOf } from '../session.ts';
import { lookUp, lookUpAssets } from './facts.ts';
import { findPairs, type FoundPairs } from './pairs.ts';

/** Sends GET requests only. */
export async function planFiles(planning: Planning, now = Date.now()): Promise<Plan> {
  const run = { ...planning, reader: rememberVersions(planning.reader) };
  const found = await findPairs(run);
  if (found.isUnread) return erroredPlan(subjectOf(run), found.diagnostics);
  const facts = await lookUp(found, run);
  const planned = await planPairs(found, facts, run);
  const contracts = await judgeForReaders(planned.contracts, found, run, now);
  const base = run.bases?.find(({ appliesTo }) => !appliesTo);
  const seen = found.listsAll && !found.isBlind ? found.pairs : [];
  const all = [...contracts, ...planned.leftOut];
  const diagnostics = [
    ...found.diagnostics,
    ...judgeExceptions(found.rules, seen, all),
    ...(await noticesOfSending(contracts, run)),
  ];
  const plan = makePlan(run.catalogUrl, contracts, diagnostics, {
    dialect: plannedDialect(run),
    environment: run.environment?.name,
    base: base?.commit,
    defaultBase: base?.isDefault ? base.revision : undefined,
    arrays: found.rules.arrays,
    selection: found.selector.summary(planned.leftOut),
  });
  const limited = enforceLimits(plan, found.rules, run.overrides, planned.leftOut);
  return addBlame(limited, found, run);
}

/** What only matters where something is sent. */
export async function noticesOfSending(contracts: readonly ContractPlan[], { askBot }: Planning) {
  const sends = contracts.some(({ action }) => action === 'update' || action === 'create');
  return (sends && (await askBot?.())) || [];
}

type PlannedContracts = {
  readonly contracts: readonly ContractPlan[];
  /** Not selected: they count for the limits. */
  readonly leftOut: readonly ContractPlan[];
};

export async function planPairs(
  { pairs, selected, rules }: FoundPairs,
  facts: Facts,
  run: Planning,
): Promise<PlannedContracts> {
  // A file that is not selected may mean a stray.
  let planned: readonly PlannedPair[] = pairs.map((pair) => ({
    pair,
    plan: planContract(pair, facts, rules),
  }));
  if (rules.conventions.checksColumns) {
    const own = planned.filter(({ pair }) => selected.has(pair));
    const assets = await lookUpAssets(own, run.reader);
    planned = planned.map((each) => judgeAssets(each, assets));
  }
  const unread = planned.some(retirementOf)
    ? await readMisnamed(run.files, readOptionsOf(run))
    : [];
  const contracts: ContractPlan[] = [];
  const leftOut: ContractPlan[] = [];
  for (const { pair, plan } of holdBackDoubtfulRetirements(planned, facts, rules, unread))
    if (plan) (selected.has(pair) ? contracts : leftOut).push(plan);
  return { contracts, leftOut };
}

// Each part is loaded only where it has something to say.
async function judgeForReaders(
  contracts: readonly ContractPlan[],
  found: FoundPairs,
  run: Planning,
  now: number,
): Promise<readonly ContractPlan[]> {
  if (!contracts.some(mayBeNoticed)) return contracts;
  const { openLineage, withDownstream } = await import('./downstream.ts');
  const lineage = openLineage(found, run);
  let judged = await withDownstream(contracts, found, run, lineage);
  if (judged.some((plan) => plan.action === 'blocked' && isBreaking(plan))) {
    const { allowTakingBack } = await import('./take-back.ts');
    judged = await allowTakingBack(judged, found, run, now);
  }
  if (!found.rules.reviews.readers) return judged;
  const { withAgreements } = await import('./agreement.ts');
  return withAgreements(judged, found, run, lineage, now);
}

// Loaded only where there is history to read.
async function addBlame(plan: Plan, found: FoundPairs, run: Planning): Promise<Plan> {
  const suspects = plan.contracts.filter((contract) => isSuspect(contract, run.blame));
  if (suspects.length === 0) return plan;
  const { withBlame } = await import('./history.ts');
  return withBlame(plan, suspects, found, run);
}

function isSuspect(
  planned: ContractPlan,
  setting: Session['blame'] = 'none',
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
  const known = new Map<string, Promise<VersionHistory>>();
  return {
    ...reader,
    versions: async (id) => {
      const history = known.get(id) ?? reader.versions(id);
      if (known.size < mostRemembered) known.set(id, history);
      return history;
    },
  };
}

export function plannedDialect({ product: { name }, release }: Planning): PlannedDialect {
  return { name, ...defined({ release }) };
}

/** With the checked-out commit. */
export async function planNow(session: Session): Promise<Plan> {
  const checkout = readCheckout(session.repository);
  const { formatVersion, catalogUrl, ...rest } = await planFiles(session);
  const { commit, isChanged } = (await checkout) ?? {};
  const state = defined({ commit, uncommitted: isChanged ? (true as const) : undefined });
  return { formatVersion, catalogUrl, ...state, ...rest };
}
