/** How much of an estate a plan may touch. */

import { type Lifecycle, endsUse } from '../contract/conventions.ts';
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import {
  type ContractPlan,
  type LimitName,
  type Override,
  type Plan,
  plannedChanges,
} from './plan.ts';

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
