/** Compares a plan with the reviewed one. */

import { indexFiles } from '../contract/identity.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { readContracts } from '../files/files.ts';
import { noFacts, referencesIn } from '../plan/facts.ts';
import { createBases } from '../plan/pair.ts';
import { planContract } from '../plan/contract-plan.ts';
import type { Plan } from '../plan/plan.ts';
import { countNewReaders, reviewedIn } from '../review/compare.ts';
import { type PlanLive, review, type Review, type Reviewed, withReview } from '../review/review.ts';
import { readOptionsOf, type Planning } from '../session.ts';
import { lookUpPeople } from './facts.ts';
import { findReasons } from './reasons.ts';

export type ReviewedPlan = { readonly plan: Plan; readonly review?: Review };

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
  const references = referencesIn([...contracts, ...bases.flatMap((base) => base.contracts)]);
  const people = await lookUpPeople(references, rules, run.reader);
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
