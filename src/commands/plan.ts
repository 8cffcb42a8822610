/** READ FIRST: the story of a plan. Files and catalog → pairs → facts → one plan of each pair. */

import type { CatalogReader } from '../catalog/catalog.ts';
import { dialectDoubtful, type Kind } from '../catalog/products/products.ts';
import { type Checkout, readCheckout } from '../files/git/changes.ts';
import { agreeOnAll, blockUnknownStatus } from '../plan/doubt.ts';
import { enforceLimits, erroredPlan, makePlan } from '../plan/seal.ts';
import { planPair } from '../plan/plan-pair.ts';
import type { ContractPlan, Plan } from '../plan/plan.ts';
import { settleStrays } from '../plan/unmanaged.ts';
import { type Planning, type Session, subjectOf } from '../session.ts';
import { lookUp } from './facts.ts';
import { findPairs, type FoundPairs, type Pairing } from './pairs.ts';
import { isSuspect, mostSuspects } from './suspects.ts';

/** A plan, and the pairs that it was made of; those of the first dialect that the catalog may speak. */
export type MadePlan = { readonly plan: Plan; readonly reading?: Pairing };

/** The plan that brings the catalog to the files. Sends GET requests and nothing else. */
export async function planFiles(run: Planning): Promise<MadePlan> {
  const found = await findPairs(run);
  if (!found.pairings) return { plan: erroredPlan(subjectOf(run), found.diagnostics) };
  const { kind, selector, diagnostics } = found;
  const [reading, other] = found.pairings;
  const { contracts, leftOut } = await planReading(reading, found, run);
  const agreed = other
    ? agreeOnAll(
        contracts,
        (await planReading(other, found, run)).contracts,
        dialectDoubtful(kind.evidence),
      )
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
  return { plan: enforceLimits(plan, reading.rules, run.overrides), reading };
}

/** The plans of the pairs as one kind of catalog has them: those that are selected, and the rest. */
export async function planReading(
  { pairs, rules }: Pairing,
  { selector: { takes }, kind }: FoundPairs,
  run: Planning,
): Promise<{ contracts: ContractPlan[]; leftOut: ContractPlan[] }> {
  const isKnown = kind.possible.length === 1;
  const facts = await lookUp(pairs, { rules, takes, isKnown }, run);
  const planned = pairs.map((pair) => ({ pair, plan: planPair(pair, facts, rules) }));
  const settled = settleStrays(planned, facts, rules);
  const [contracts, leftOut]: [ContractPlan[], ContractPlan[]] = [[], []];
  for (const { pair, plan } of settled) if (plan) (takes(pair) ? contracts : leftOut).push(plan);
  return { contracts, leftOut };
}

/** Undefined where the kind of catalog is not known. */
export function plannedDialect({ dialect: { name }, release }: Kind): Plan['dialect'] {
  return name === 'auto' ? undefined : { name, ...(release !== undefined && { release }) };
}

/** The plan for files and catalog as both are now, with who set what it overwrites. */
export async function planNow(session: Session): Promise<Plan> {
  const run = { ...session, reader: rememberVersions(session.reader) };
  const checkout = readCheckout(session.files.root, session.variables ?? {});
  const { plan, reading } = await planFiles(run);
  const suspects = plan.contracts.filter((contract) => isSuspect(contract, session.blame));
  if (!reading || suspects.length === 0) return withCheckout(plan, await checkout);
  // What asks the catalog's history is loaded only where there is something to ask.
  const { withBlame } = await import('./blame.ts');
  return withCheckout(await withBlame({ plan, suspects, reading }, run), await checkout);
}

/** The history that tells why a contract is not as its base says tells who set that too. */
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
