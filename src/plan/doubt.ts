/** Plans for a catalog whose kind or statuses are unknown. */

import type { Problem } from '../core/diagnostic.ts';
import { deepEqual, type JsonValue } from '../core/json.ts';
import type { ContractPlan, MissingPlan, UnchangedPlan, UpdatePlan } from './plan.ts';
import type { Rules } from './rules.ts';
import { patchOf } from './change.ts';

export const unasked = { kind: 'unreadable', why: "the kind of catalog isn't known." } as const;

export function blockUnknownStatus(
  plan: ContractPlan,
  problemOf: (status: string) => Problem | undefined,
  { lifecycle }: Pick<Rules, 'lifecycle'>,
): ContractPlan {
  if (!('transition' in plan) || typeof plan.transition?.to !== 'string') return plan;
  const { to } = plan.transition;
  const problem = lifecycle.statuses.includes(to) ? undefined : problemOf(to);
  return problem ? block(plan, problem) : plan;
}

/** Merges the plans for two kinds of catalog: whatever differs is blocked. */
export function agreeOnAll(
  first: readonly ContractPlan[],
  second: readonly ContractPlan[],
  problem: Problem,
): ContractPlan[] {
  const others = new Map(second.map((plan) => [keyOf(plan), plan]));
  const shared = first.map((plan) => {
    const other = others.get(keyOf(plan));
    others.delete(keyOf(plan));
    return other ? agree(plan, other, problem) : alone(plan, problem);
  });
  return [...shared, ...others.values().map((plan) => alone(plan, problem))];
}

export function agree(first: ContractPlan, second: ContractPlan, problem: Problem): ContractPlan {
  if (first.action === second.action && deepEqual(effectOf(first), effectOf(second))) return first;
  const [plan, other] = weightOf(first) >= weightOf(second) ? [first, second] : [second, first];
  if ('drift' in plan && plan.action === 'unchanged') return withoutDrift(plan, problem);
  if (plan.action === 'unchanged' || plan.action === 'unmanaged') return plan;
  const known = other.action === 'unmanaged' ? [] : other.problems;
  const shared = plan.problems.filter((own) => known.some((each) => deepEqual(own, each)));
  return block({ ...plan, problems: shared }, problem);
}

function alone(plan: ContractPlan, problem: Problem): ContractPlan {
  return plan.action === 'unmanaged' || plan.action === 'unchanged'
    ? plan
    : block({ ...plan, problems: [] }, problem);
}

function block(
  plan: Exclude<ContractPlan, { readonly action: 'unmanaged' | 'unchanged' }>,
  problem: Problem,
): UpdatePlan | MissingPlan {
  const { source } = plan;
  const placed = source.format === 'version' ? problem : { ...problem, source };
  const problems = [...plan.problems, placed];
  switch (plan.action) {
    case 'update':
    case 'blocked':
      return { ...plan, action: 'blocked', problems };
    case 'missing':
      return { ...plan, problems };
    case 'create': {
      const { name, fullyQualifiedName, entity } = plan;
      return { action: 'missing', name, fullyQualifiedName, entity, source, problems };
    }
  }
}

// The kinds compare differently, so drift is unknown too.
function withoutDrift({ drift: _drift, ...plan }: UnchangedPlan, problem: Problem): UnchangedPlan {
  const warning: Problem = { ...problem, severity: 'warning', source: plan.source };
  return { ...plan, problems: [...plan.problems, warning] };
}

function keyOf(plan: ContractPlan): string {
  if (plan.action !== 'missing' && plan.action !== 'create') return plan.id;
  const { file, line, column } = plan.source;
  return `${file}:${line}:${column}`;
}

function effectOf(plan: ContractPlan): JsonValue {
  return {
    ...('target' in plan && { patch: patchOf(plan.changes) }),
    ...('drift' in plan && plan.drift && { drift: plan.drift }),
    ...(plan.action === 'missing' && { why: plan.problems.map(({ code }) => code) }),
  };
}

function weightOf(plan: ContractPlan): number {
  const order = ['unmanaged', 'unchanged', 'missing', 'create', 'blocked', 'update'];
  if ('drift' in plan && plan.action === 'unchanged') return 1.5;
  return order.indexOf(plan.action);
}
