/** One pair → its plan. Pure: the pair and the facts hold all that it takes from the catalog. */

import { targetDocument } from '../contract/equality.ts';
import { deepEqual } from '../core/json.ts';
import type { LivePlace } from '../patch/merge.ts';
import { planAbsent } from './absent.ts';
import { blockedBy, contentFor, findTooDeep, planUpdate } from './update.ts';
import { type Base, compareThreeWays } from './drift.ts';
import type { Facts } from './facts.ts';
import type { FiledPair, Pair } from './pair.ts';
import type { ContractPlan } from './plan.ts';
import { type Rules, rulesFor } from './rules.ts';
import { planUnmanaged } from './unmanaged.ts';

/** Undefined for a live contract outside of this repository's scope. */
export function planContract(pair: Pair, facts: Facts, shared: Rules): ContractPlan | undefined {
  const rules = rulesFor(pair, shared);
  const plan = planPair(pair, facts, rules);
  return plan && rules.team !== undefined ? { ...plan, team: rules.team } : plan;
}

function planPair(pair: Pair, facts: Facts, rules: Rules): ContractPlan | undefined {
  if (!pair.live) return planAbsent(pair, facts, rules);
  if (!pair.desired) return planUnmanaged(pair, rules);
  const { live } = pair;
  const { desired, problems } = contentFor(live, pair.desired, facts);
  return blockedBy(planUpdate(live, desired, rules, baseOf(pair, facts)), problems);
}

function baseOf({ live, base }: FiledPair, facts: Facts): Base | undefined {
  const declared = base?.declared && contentFor(live, base.declared, facts).desired;
  return base && { ...base, declared, reasonOf: facts.reasons.get(live.id) };
}

export function placesApart(pair: FiledPair, facts: Facts, rules: Rules): readonly LivePlace[] {
  const { live } = pair;
  const { desired } = contentFor(live, pair.desired, facts);
  if (!pair.base?.declared || findTooDeep(live, desired)) return [];
  const file = targetDocument(live, desired.managed, rules.equivalence, rules.arrays);
  const base = deepEqual(file, live.document) ? undefined : baseOf(pair, facts);
  if (!base) return [];
  return compareThreeWays(live, file, base, rules).apart;
}
