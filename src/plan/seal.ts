/** Joins plans of contracts into one ordered plan, and checks its limits. */

import { advise, slot } from '../core/advice.ts';
import { contractLabel } from '../contract/identity.ts';
import { endsUse, type Lifecycle } from '../contract/conventions.ts';
import { hasErrors, sortDiagnostics, type Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits, defined } from '../core/json.ts';
import { planHash } from './change.ts';
import {
  type Action,
  type ContractPlan,
  contractProblems,
  type DriftedPlace,
  forbidsApply,
  isBreaking,
  type LimitName,
  type Override,
  type Plan,
  type PlanSubject,
  plannedChanges,
  type PlanSummary,
} from './plan.ts';

/** Deterministic: the order of the contracts given has no effect. */
export function makePlan(
  catalogUrl: string,
  contracts: readonly ContractPlan[],
  diagnostics: readonly Diagnostic[],
  given: {
    readonly [
      member in 'dialect' | 'environment' | 'base' | 'defaultBase' | 'arrays' | 'selection'
    ]?: Plan[member] | undefined;
  } = {},
): Plan {
  const { dialect, environment, base, defaultBase, arrays, selection } = given;
  // By name for people, then by id and file, as names are not unique.
  const sorted = contracts
    .map((contract) => ({ contract, label: contractLabel(contract), tie: tieBreaker(contract) }))
    .toSorted((a, b) => compareCodeUnits(a.label, b.label) || compareCodeUnits(a.tie, b.tie))
    .map(({ contract }) => contract);
  return {
    formatVersion: '3.0',
    catalogUrl,
    ...defined({ dialect, environment, base, defaultBase }),
    planHash: planHash(sorted, environment),
    errored:
      hasErrors(diagnostics) ||
      sorted.some((contract) => contractProblems(contract).some(forbidsApply)),
    summary: summarize(sorted),
    contracts: sorted,
    ...defined({ arrays }),
    diagnostics: sortDiagnostics(diagnostics),
    ...defined({ selection }),
  };
}

export function erroredPlan(
  { catalogUrl, environment }: PlanSubject,
  diagnostics: readonly Diagnostic[],
): Plan {
  return {
    formatVersion: '3.0',
    catalogUrl,
    ...defined({ environment }),
    errored: true,
    summary: summarize([]),
    contracts: [],
    diagnostics: sortDiagnostics(diagnostics),
  };
}

function tieBreaker(contract: ContractPlan): string {
  if (contract.action !== 'missing' && contract.action !== 'create') return contract.id;
  const { file, line } = contract.source;
  return `${file}:${String(line).padStart(10, '0')}`;
}

function summarize(contracts: readonly ContractPlan[]): PlanSummary {
  const counts: Record<Action, number> = {
    update: 0,
    unchanged: 0,
    missing: 0,
    unmanaged: 0,
    blocked: 0,
    create: 0,
  };
  for (const { action } of contracts) counts[action] += 1;
  const { create, ...others } = counts;
  const changed = contracts.filter(({ action }) => action === 'update' || action === 'create');
  const { edited = 0, notApplied = 0, unknown = 0 } = countReasons(contracts);
  return {
    ...others,
    ...(create > 0 && { create }),
    transitions: changed.filter((contract) => 'transition' in contract).length,
    breaking: contracts.filter(isBreaking).length,
    drift: edited,
    ...(notApplied > 0 && { notApplied }),
    ...(unknown > 0 && { unknown }),
  };
}

export const leftReasons = ['edited', 'notApplied', 'unknown'] as const;
export type LeftReason = (typeof leftReasons)[number];

function countReasons(contracts: readonly ContractPlan[]): { [kind in LeftReason]?: number } {
  const counts: { [kind in LeftReason]?: number } = {};
  for (const contract of contracts) {
    if (!('drift' in contract || 'changes' in contract)) continue;
    const left = 'drift' in contract ? contract.drift.differences.map(leftReason) : [];
    const changes = 'changes' in contract ? contract.changes : [];
    const isPlanned = changes.some(({ cause }) => cause === 'not-applied');
    for (const kind of new Set([...left, ...(isPlanned ? (['notApplied'] as const) : [])]))
      counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

export function leftReason({ mergedIn, unknown }: DriftedPlace): LeftReason {
  if (mergedIn !== undefined) return 'notApplied';
  return unknown === undefined ? 'edited' : 'unknown';
}

export type Limits = Readonly<Record<LimitName, Limit>> & {
  /** Number of contracts from which limits apply: half of three is no alarm. */
  readonly from: number;
};

export type Limit =
  | { readonly kind: 'share'; readonly percent: number }
  | { readonly kind: 'count'; readonly most: number };

export const limitNames: readonly LimitName[] = ['updates', 'deprecations'];

export const defaultLimits: Limits = {
  updates: { kind: 'share', percent: 50 },
  deprecations: { kind: 'share', percent: 20 },
  from: 10,
};

/** A number or a text such as `20%`; undefined for anything else. */
export function parseLimit(text: string | number): Limit | undefined {
  if (typeof text === 'number') return { kind: 'count', most: text };
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)%$/u.exec(text) ?? [];
  return percent === undefined || Number(percent) > 100
    ? undefined
    : { kind: 'share', percent: Number(percent) };
}

export function enforceLimits(
  plan: Plan,
  { limits, lifecycle }: { readonly limits: Limits; readonly lifecycle: Lifecycle },
  overrides: readonly Override[] = [],
): Plan {
  const changed = plannedChanges(plan);
  const ended = changed.filter(
    ({ transition: { to } = {} }) => typeof to === 'string' && endsUse(to, lifecycle),
  );
  const touched = { updates: changed.length, deprecations: ended.length };
  // Live contracts of this repository: with a file, planned or left out, or in scope. Those without
  // a file count, so that losing files does not make a repository small.
  const own = plan.contracts.filter(
    (contract) =>
      contract.action !== 'missing' && (contract.action !== 'unmanaged' || contract.inScope),
  );
  const estate = own.length + (plan.selection?.leftOut.length ?? 0);
  const exceeded = limitNames.filter((name) => {
    const [amount, limit] = [touched[name], limits[name]];
    const isOver =
      limit.kind === 'share' ? 100 * amount > limit.percent * estate : amount > limit.most;
    return isOver && estate >= limits.from;
  });
  if (exceeded.length === 0) return plan;
  const overrideOf = (name: LimitName) =>
    overrides.find((each) => 'limit' in each && each.limit === name);
  const lifted = exceeded.map(overrideOf).filter((override) => override !== undefined);
  const problems = exceeded.map((name): Diagnostic => {
    const override = overrideOf(name);
    const share = Math.round((100 * touched[name]) / estate);
    const limit = limits[name];
    const allowed = limit.kind === 'share' ? `${limit.percent}%` : String(limit.most);
    const verb = name === 'updates' ? 'updates' : 'deprecates';
    return {
      code: 'limit-exceeded',
      severity: override ? 'warning' : 'error',
      message: `The plan ${verb} ${touched[name]} of ${estate} contracts (${share}%); \`limits.${name}\` allows ${allowed}.`,
      ...advise(
        override
          ? `Allowed by --allow-limit: ${override.reason}`
          : slot('limits', `If you mean it, plan again with --allow-limit ${name} --reason "…".`),
      ),
    };
  });
  return {
    ...plan,
    errored: plan.errored || hasErrors(problems),
    diagnostics: [...plan.diagnostics, ...problems],
    ...(lifted.length > 0 && { overrides: [...(plan.overrides ?? []), ...lifted] }),
  };
}
