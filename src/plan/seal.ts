/** Joins plans of contracts into one ordered plan, and checks its limits. */

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
  isBreaking,
  keyOfPlan,
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
    .map((contract) => ({ contract, label: contractLabel(contract), tie: keyOfPlan(contract) }))
    .toSorted((a, b) => compareCodeUnits(a.label, b.label) || compareCodeUnits(a.tie, b.tie))
    .map(({ contract }) => contract);
  return {
    formatVersion: '1.0',
    catalogUrl,
    ...defined({ dialect, environment, base, defaultBase }),
    planHash: planHash(sorted, environment),
    errored:
      hasErrors(diagnostics) ||
      sorted.some((contract) =>
        contractProblems(contract).some(
          ({ severity, scope, isDrift }) =>
            severity === 'error' && !isDrift && scope !== 'contract',
        ),
      ),
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
  const { planHash: _, ...plan } = makePlan(catalogUrl, [], diagnostics, { environment });
  return { ...plan, errored: true };
}

function summarize(contracts: readonly ContractPlan[]): PlanSummary {
  const amount = (of: Action): number => contracts.filter(({ action }) => action === of).length;
  const create = amount('create');
  const changed = contracts.filter(({ action }) => action === 'update' || action === 'create');
  const { edited = 0, notApplied = 0, unknown = 0 } = countReasons(contracts);
  return {
    update: amount('update'),
    unchanged: amount('unchanged'),
    missing: amount('missing'),
    unmanaged: amount('unmanaged'),
    blocked: amount('blocked'),
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

type Limited = { readonly limits: Limits };

/** Of the whole run, and of each team: a team that loses its folder is a small part of the run. */
export function enforceLimits(
  plan: Plan,
  rules: Limited & {
    readonly lifecycle: Lifecycle;
    readonly teams?: readonly { readonly name: string; readonly rules: Limited }[];
  },
  overrides: readonly Override[] = [],
  leftOut: readonly ContractPlan[] = [],
): Plan {
  const { limits, lifecycle, teams = [] } = rules;
  const beside = plan.selection?.leftOut.length ?? 0;
  const run = countTouched({ words: '', limits }, plan.contracts, { lifecycle, beside });
  const ofTeams = teams.map(({ name, rules: own }) => {
    const isOwn = ({ team }: ContractPlan): boolean => team === name;
    const rest = leftOut.filter((each) => isOwn(each) && each.action !== 'unmanaged').length;
    const subject = { words: ` of ${name}`, limits: own.limits };
    return countTouched(subject, plan.contracts.filter(isOwn), { lifecycle, beside: rest });
  });
  const exceeded = limitNames.flatMap((name) => {
    const isOver = ({ [name]: amount, estate, limits: { [name]: limit, from } }: typeof run) =>
      estate >= from &&
      (limit.kind === 'share' ? 100 * amount > limit.percent * estate : amount > limit.most);
    const all = isOver(run) ? [run] : ofTeams.filter(isOver);
    return all.map((each) => ({ name, ...each }));
  });
  if (exceeded.length === 0) return plan;
  const lifted = [...new Set(exceeded.map(({ name }) => name))].flatMap(
    (name) => overrides.find((each) => isOf(name, each)) ?? [],
  );
  const problems = exceeded.map((each): Diagnostic => {
    const { name, words, estate } = each;
    const override = lifted.find((one) => isOf(name, one));
    const share = Math.round((100 * each[name]) / estate);
    const limit = each.limits[name];
    const allowed = limit.kind === 'share' ? `${limit.percent}%` : String(limit.most);
    const verb = name === 'updates' ? 'updates' : 'deprecates';
    return {
      code: 'limit-exceeded',
      severity: override ? 'warning' : 'error',
      message: `The plan ${verb} ${each[name]} of ${estate} contracts${words} (${share}%); \`limits.${name}\` allows ${allowed}.`,
      hint: override
        ? `Allowed by --allow-limit: ${override.reason}`
        : `If you mean it, raise \`limits.${name}\`, or once, on the command line, set --allow-limit ${name} --reason "…".`,
    };
  });
  return {
    ...plan,
    errored: plan.errored || hasErrors(problems),
    diagnostics: [...plan.diagnostics, ...problems],
    ...(lifted.length > 0 && { overrides: [...(plan.overrides ?? []), ...lifted] }),
  };
}

function isOf(name: LimitName, override: Override): boolean {
  return 'limit' in override && override.limit === name;
}

// The estate: live contracts of this repository, with a file, planned or left out, or in scope.
// Those without a file count, so that losing files does not make a repository small.
function countTouched(
  subject: Limited & { readonly words: string },
  contracts: readonly ContractPlan[],
  { lifecycle, beside }: { readonly lifecycle: Lifecycle; readonly beside: number },
) {
  const changed = plannedChanges({ contracts });
  const ended = changed.filter(
    ({ transition: { to } = {} }) => typeof to === 'string' && endsUse(to, lifecycle),
  );
  const own = contracts.filter(
    (each) => each.action !== 'missing' && (each.action !== 'unmanaged' || each.inScope),
  );
  const estate = own.length + beside;
  return { ...subject, updates: changed.length, deprecations: ended.length, estate };
}
