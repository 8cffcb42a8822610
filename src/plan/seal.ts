/** Joins plans of contracts into one ordered plan, and checks its limits. */

import { contractLabel } from '../contract/identity.ts';
import { endsUse, type Lifecycle } from '../contract/conventions.ts';
import { hasErrors, sortDiagnostics, type Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits, defined, sortKey } from '../core/json.ts';
import type { DiffOptions } from '../patch/identity.ts';
import { planHash } from './change.ts';
import {
  type Action,
  type ContractPlan,
  contractProblems,
  type DriftedPlace,
  isBreaking,
  type LimitName,
  type Override,
  type Plan,
  type PlannedDialect,
  type PlanSubject,
  plannedChanges,
  type PlanSummary,
  type SelectionSummary,
} from './plan.ts';
import { limitNames, type Limits } from './rules.ts';

type PlanHead = {
  readonly dialect?: PlannedDialect | undefined;
  readonly environment?: string | undefined;
  readonly base?: string | undefined;
  readonly defaultBase?: string | undefined;
  readonly arrays?: DiffOptions | undefined;
  readonly selection?: SelectionSummary | undefined;
};

/** Deterministic: the order of the contracts given has no effect. */
export function makePlan(
  catalogUrl: string,
  contracts: readonly ContractPlan[],
  diagnostics: readonly Diagnostic[],
  { dialect, environment, base, defaultBase, arrays, selection }: PlanHead = {},
): Plan {
  // By name for people, then by id and file, as names are not unique.
  const sorted = contracts
    .map((contract) => ({
      contract,
      label: sortKey(contractLabel(contract)),
      tie: sortKey(keyOfPlan(contract)),
    }))
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

// The id of a live contract; the place of a file that has none. Places sort by file, then line.
function keyOfPlan(contract: ContractPlan): string {
  if (contract.action !== 'missing' && contract.action !== 'create') return contract.id;
  const { file, line, column } = contract.source;
  return [file, String(line).padStart(10, '0'), column].join(':');
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
    const { action } = contract;
    // A saved plan may hold members that its actions don't have.
    if (action !== 'update' && action !== 'blocked' && action !== 'unchanged') continue;
    const left = (contract.drift?.differences ?? []).map(leftReason);
    const changes = action === 'unchanged' ? [] : contract.changes;
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

type LimitRules = {
  readonly limits: Limits;
  readonly lifecycle: Lifecycle;
  readonly teams?: readonly {
    readonly name: string;
    readonly rules: { readonly limits: Limits };
  }[];
};

/** Teams have limits of their own: one that loses its folder is a small part of the run. */
export function enforceLimits(
  plan: Plan,
  { limits, lifecycle, teams = [] }: LimitRules,
  overrides: readonly Override[] = [],
  leftOut: readonly ContractPlan[] = [],
): Plan {
  const notSelected = plan.selection?.leftOut.length ?? 0;
  const run = { words: '', limits, ...countTouched(plan.contracts, lifecycle, notSelected) };
  const ofTeams = teams.map(({ name, rules }) => {
    const isOwn = ({ team }: ContractPlan): boolean => team === name;
    const rest = leftOut.filter((each) => isOwn(each) && each.action !== 'unmanaged').length;
    const touched = countTouched(plan.contracts.filter(isOwn), lifecycle, rest);
    return { words: ` of ${name}`, limits: rules.limits, ...touched };
  });
  const problems: Diagnostic[] = [];
  const lifted: Override[] = [];
  for (const name of limitNames) {
    const exceeded = isOver(run, name) ? [run] : ofTeams.filter((each) => isOver(each, name));
    const override = overrides.find((each) => 'limit' in each && each.limit === name);
    if (override && exceeded.length > 0) lifted.push(override);
    problems.push(...exceeded.map((each) => limitExceeded(each, name, override?.reason)));
  }
  if (problems.length === 0) return plan;
  return {
    ...plan,
    errored: plan.errored || hasErrors(problems),
    diagnostics: [...plan.diagnostics, ...problems],
    ...(lifted.length > 0 && { overrides: [...(plan.overrides ?? []), ...lifted] }),
  };
}

type Touched = { readonly updates: number; readonly deprecations: number; readonly estate: number };

type Limited = Touched & { readonly words: string; readonly limits: Limits };

function isOver({ limits, estate, ...touched }: Limited, name: LimitName): boolean {
  const { [name]: limit, from } = limits;
  if (estate < from) return false;
  return limit.kind === 'share'
    ? 100 * touched[name] > limit.percent * estate
    : touched[name] > limit.most;
}

function limitExceeded(
  { words, limits, estate, ...touched }: Limited,
  name: LimitName,
  reason: string | undefined,
): Diagnostic {
  const limit = limits[name];
  const share = Math.round((100 * touched[name]) / estate);
  const allowed = limit.kind === 'share' ? `${limit.percent}%` : String(limit.most);
  const verb = name === 'updates' ? 'updates' : 'deprecates';
  const message = `The plan ${verb} ${touched[name]} of ${estate} contracts${words} (${share}%); \`limits.${name}\` allows ${allowed}.`;
  const hint =
    reason === undefined
      ? `If you mean it, raise \`limits.${name}\`, or once, on the command line, set --allow-limit ${name} --reason "…".`
      : `Allowed by --allow-limit: ${reason}`;
  const severity = reason === undefined ? 'error' : 'warning';
  return { code: 'limit-exceeded', severity, message, hint };
}

// The estate: live contracts of this repository, with a file, planned or left out, or in scope.
// Those without a file count, so that losing files does not make a repository small.
function countTouched(
  contracts: readonly ContractPlan[],
  lifecycle: Lifecycle,
  notSelected: number,
): Touched {
  const changed = plannedChanges({ contracts });
  const ended = changed.filter(
    ({ transition: { to } = {} }) => typeof to === 'string' && endsUse(to, lifecycle),
  );
  const own = contracts.filter(
    (each) => each.action !== 'missing' && (each.action !== 'unmanaged' || each.inScope),
  );
  return {
    updates: changed.length,
    deprecations: ended.length,
    estate: own.length + notSelected,
  };
}
