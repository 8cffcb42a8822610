/** Joins plans of contracts into one ordered plan, and checks its limits. */

import { advise, slot } from '../core/advice.ts';
import { contractLabel } from '../contract/identity.ts';
import { endsUse, type Lifecycle } from '../contract/conventions.ts';
import { hasErrors, sortDiagnostics, type Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';
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

type Given = {
  readonly [
    member in 'dialect' | 'environment' | 'base' | 'defaultBase' | 'arrays' | 'selection'
  ]?: Plan[member] | undefined;
};

/** Deterministic: the order of the contracts given has no effect. */
export function makePlan(
  catalogUrl: string,
  contracts: readonly ContractPlan[],
  diagnostics: readonly Diagnostic[],
  given: Given = {},
): Plan {
  const { dialect, environment, base, defaultBase, arrays, selection } = given;
  const sorted = sortContracts(contracts);
  return {
    formatVersion: '3.0',
    catalogUrl,
    ...(dialect && { dialect }),
    ...(environment !== undefined && { environment }),
    ...(base !== undefined && { base }),
    ...(defaultBase !== undefined && { defaultBase }),
    planHash: planHash(sorted, environment),
    errored:
      hasErrors(diagnostics) ||
      sorted.some((contract) => contractProblems(contract).some(forbidsApply)),
    summary: summarize(sorted),
    contracts: sorted,
    ...(arrays && { arrays }),
    diagnostics: sortDiagnostics(diagnostics),
    ...(selection && { selection }),
  };
}

export function erroredPlan(
  { catalogUrl, environment }: PlanSubject,
  diagnostics: readonly Diagnostic[],
): Plan {
  return {
    formatVersion: '3.0',
    catalogUrl,
    ...(environment !== undefined && { environment }),
    errored: true,
    summary: summarize([]),
    contracts: [],
    diagnostics: sortDiagnostics(diagnostics),
  };
}

// By name for people, then by id and file, as names are not unique.
function sortContracts(contracts: readonly ContractPlan[]): ContractPlan[] {
  return contracts
    .map((contract) => ({ contract, label: contractLabel(contract), tie: tieBreaker(contract) }))
    .toSorted((a, b) => compareCodeUnits(a.label, b.label) || compareCodeUnits(a.tie, b.tie))
    .map(({ contract }) => contract);
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

export type LeftReason = (typeof leftReasons)[number];

export const leftReasons = ['edited', 'notApplied', 'unknown'] as const;

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
  const estate = estateOf(plan);
  const exceeded = limitNames.filter(
    (name) => estate >= limits.from && exceeds(touched[name], estate, limits[name]),
  );
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

// Live contracts of this repository: with a file, planned or left out, or in scope. Those without a
// file count, so that losing files does not make a repository small.
function estateOf({ contracts, selection }: Plan): number {
  const own = contracts.filter(
    (contract) =>
      contract.action !== 'missing' && (contract.action !== 'unmanaged' || contract.inScope),
  );
  return own.length + (selection?.leftOut.length ?? 0);
}

function exceeds(touched: number, estate: number, limit: Limit): boolean {
  switch (limit.kind) {
    case 'share':
      return 100 * touched > limit.percent * estate;
    case 'count':
      return touched > limit.most;
  }
}
