/** Compares a plan with the reviewed one. */

import { indexFiles } from '../contract/identity.ts';
import type { Product } from '../catalog/products/product.ts';
import {
  dialectDoubtful,
  type DialectSetting,
  possibleProducts,
} from '../catalog/products/products.ts';
import type { LiveContract } from '../contract/contract.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { readContracts } from '../files/files.ts';
import { agree } from '../plan/doubt.ts';
import { noFacts, referencesIn } from '../plan/facts.ts';
import { createBases } from '../plan/pair.ts';
import { planContract } from '../plan/contract-plan.ts';
import type { ContractPlan, Plan } from '../plan/plan.ts';
import { adoptConventions } from '../plan/rules.ts';
import { countNewReaders, reviewedChanges } from '../review/compare.ts';
import { type PlanLive, review, type Review, type Reviewed, withReview } from '../review/review.ts';
import { readOptionsOf, type Planning } from '../session.ts';
import { lookUpPeople } from './facts.ts';
import { findReasons } from './reasons.ts';

export type ReviewedPlan = { readonly plan: Plan; readonly review?: Review };

/** With a run, the catalog's history is read too. */
export async function reviewPlan(plan: Plan, reviewed: Reviewed | undefined, run?: Planning) {
  if (!reviewed) return { plan };
  const openPlanner = async (dialect: DialectSetting) =>
    run && openLivePlanner({ ...run, dialect });
  const known = reviewed.plan ? countNewReaders(plan, reviewedChanges(reviewed.plan)) : plan;
  const result = await review(known, reviewed, run && { ...run, openPlanner });
  return { plan: withReview(known, result), review: result };
}

async function openLivePlanner(run: Planning): Promise<PlanLive | undefined> {
  const { bases = [], dialect: setting } = run;
  const { contracts, diagnostics } = await readContracts(run.files, readOptionsOf(run));
  if (hasErrors(diagnostics)) return undefined;
  const files = indexFiles(contracts);
  const { baseOf } = createBases({ bases });
  const possible = possibleProducts(setting);
  const isKnown = possible.length === 1;
  const references = referencesIn([...contracts, ...bases.flatMap((base) => base.contracts)]);
  const openIn = async (product: Product) => {
    const rules = adoptConventions(run.rules, product, setting !== 'auto');
    const people = await lookUpPeople(references, { rules, isKnown }, run.reader);
    return async (then: LiveContract): Promise<ContractPlan | undefined> => {
      const live = product.fromWire({ ...then, document: product.fromVersion(then.document, {}) });
      const desired = files.find(live);
      const base = baseOf(live);
      if (!desired) return planContract({ live, base }, noFacts, rules);
      const pair = { live, desired, base };
      const facts = { ...noFacts, people };
      const reasons = await findReasons([pair], facts, rules, run);
      return planContract(pair, { ...facts, reasons }, rules);
    };
  };
  const planners: PlanLive[] = [];
  for (const product of possible) planners.push(await openIn(product));
  return async (listed) => {
    let agreed: ContractPlan | undefined;
    for (const planLive of planners) {
      const plan = await planLive(listed);
      if (!plan) return undefined;
      agreed = agreed ? agree(agreed, plan, dialectDoubtful('nothing tells it')).plan : plan;
    }
    return agreed;
  };
}
