/** Plans for a catalog whose kind or statuses are unknown. */

import type { Problem } from '../core/diagnostic.ts';
import { deepEqual, type JsonValue } from '../core/json.ts';
import { type ContractPlan, contractProblems, keyOfPlan } from './plan.ts';
import { patchOf } from './change.ts';

export const unasked = { kind: 'unreadable', why: "the kind of catalog isn't known." } as const;

export function agreeOnAll(
  [first = [], ...others]: readonly (readonly ContractPlan[])[],
  problem: Problem,
): readonly ContractPlan[] {
  return others.reduce(
    (agreed, other) => compareAll(agreed, other, problem).map(({ plan }) => plan),
    first,
  );
}

/** By the id of a contract: the problem, where the plans for several kinds of catalog differ. */
export function findDoubts(
  [first = [], ...others]: readonly (readonly ContractPlan[])[],
  problem: Problem,
): ReadonlyMap<string, Problem> {
  const compared = others.flatMap((other) => compareAll(first, other, problem));
  return new Map(
    compared.flatMap(({ plan, doubt }) =>
      doubt && 'id' in plan && plan.id !== undefined ? [[plan.id, doubt] as const] : [],
    ),
  );
}

type Agreed = { readonly plan: ContractPlan; readonly doubt?: Problem };

function compareAll(
  first: readonly ContractPlan[],
  second: readonly ContractPlan[],
  problem: Problem,
): Agreed[] {
  const others = new Map(second.map((plan) => [keyOfPlan(plan), plan]));
  const shared = first.map((plan) => {
    const other = others.get(keyOfPlan(plan));
    others.delete(keyOfPlan(plan));
    return other ? agree(plan, other, problem) : block(plan, [], problem);
  });
  return [...shared, ...others.values().map((plan) => block(plan, [], problem))];
}

export function agree(first: ContractPlan, second: ContractPlan, problem: Problem): Agreed {
  if (first.action === second.action && deepEqual(effectOf(first), effectOf(second)))
    return { plan: first };
  const [plan, other] = weightOf(first) >= weightOf(second) ? [first, second] : [second, first];
  if ('drift' in plan && plan.action === 'unchanged') {
    // The kinds compare differently, so drift is unknown too.
    const { drift: _, ...rest } = plan;
    const doubt: Problem = { ...problem, severity: 'warning', source: plan.source };
    return { plan: { ...rest, problems: [...plan.problems, doubt] }, doubt };
  }
  const known = contractProblems(other);
  const isShared = (own: Problem) => known.some((each) => deepEqual(own, each));
  return block(plan, contractProblems(plan).filter(isShared), problem);
}

export function block(plan: ContractPlan, known: readonly Problem[], problem: Problem): Agreed {
  if (plan.action === 'unmanaged' || plan.action === 'unchanged') return { plan };
  const { source } = plan;
  const doubt = source.format === 'version' ? problem : { ...problem, source };
  const problems = [...known, doubt];
  switch (plan.action) {
    case 'update':
    case 'blocked':
      return { plan: { ...plan, action: 'blocked', problems }, doubt };
    case 'missing':
      return { plan: { ...plan, problems }, doubt };
    case 'create': {
      const { name, fullyQualifiedName, entity } = plan;
      const missing = { action: 'missing', name, fullyQualifiedName, entity, source } as const;
      return { plan: { ...missing, problems }, doubt };
    }
  }
}

function effectOf(plan: ContractPlan): JsonValue {
  return {
    ...('target' in plan && { patch: patchOf(plan.changes) }),
    ...('drift' in plan && plan.drift && { drift: plan.drift }),
    ...(plan.action === 'missing' && {
      why: plan.problems.map(({ hint: _hint, ...problem }) => problem),
    }),
  };
}

function weightOf(plan: ContractPlan): number {
  if ('drift' in plan && plan.action === 'unchanged') return 1.5;
  return ['unmanaged', 'unchanged', 'missing', 'create', 'blocked', 'update'].indexOf(plan.action);
}
