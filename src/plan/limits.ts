import { hasErrors, type Diagnostic } from '../core/diagnostic.ts';
import { endsUse, type Lifecycle } from '../contract/lifecycle.ts';
import {
  creations,
  updates,
  type LimitName,
  type Override,
  type Plan,
  type Transition,
} from './plan.ts';

/** How much of the contracts that a repository looks after one plan may touch. */
export type Limits = Readonly<Record<LimitName, Limit>> & {
  /** With fewer contracts than this nothing is limited: half of three is no alarm. */
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

/** The limit that a text such as `20%` or a number writes; undefined where it writes none. */
export function parseLimit(text: string | number): Limit | undefined {
  if (typeof text === 'number') return { kind: 'count', most: text };
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)%$/u.exec(text) ?? [];
  return percent === undefined || Number(percent) > 100
    ? undefined
    : { kind: 'share', percent: Number(percent) };
}

/** By what it is decided that a plan touches too much. */
type LimitRules = { readonly limits: Limits; readonly lifecycle: Lifecycle };

/** The plan, refused if it touches more than the limits allow and nobody has lifted them. */
export function enforceLimits(
  plan: Plan,
  { limits, lifecycle }: LimitRules,
  overrides: readonly Override[] = [],
): Plan {
  const estate = estateOf(plan);
  const exceeded = limitNames
    .map((limit): Excess => ({ limit, touched: touchedBy(plan, limit, lifecycle), estate }))
    .filter((excess) => estate >= limits.from && exceeds(excess, limits[excess.limit]));
  if (exceeded.length === 0) return plan;
  const lifted = exceeded
    .map((excess) => overrides.find((each) => 'limit' in each && each.limit === excess.limit))
    .filter((override) => override !== undefined);
  const problems = exceeded.map((excess) => explain(excess, limits[excess.limit], lifted));
  return {
    ...plan,
    errored: plan.errored || hasErrors(problems),
    diagnostics: [...plan.diagnostics, ...problems],
    ...(lifted.length > 0 && { overrides: [...(plan.overrides ?? []), ...lifted] }),
  };
}

type Excess = {
  readonly limit: LimitName;
  readonly touched: number;
  readonly estate: number;
};

/**
 * The live contracts that are this repository's: with a file, planned or left out, or in scope. A
 * repository that lost most of its files is not small by that.
 */
function estateOf({ contracts, selection }: Plan): number {
  const own = contracts.filter(
    (contract) =>
      contract.action !== 'missing' && (contract.action !== 'unmanaged' || contract.inScope),
  );
  return own.length + (selection?.leftOut.length ?? 0);
}

function touchedBy(plan: Plan, limit: LimitName, lifecycle: Lifecycle): number {
  const changed = [...updates(plan), ...creations(plan)];
  switch (limit) {
    case 'updates':
      return changed.length;
    case 'deprecations':
      return changed.filter(({ transition }) => isDeprecation(transition, lifecycle)).length;
  }
}

/** Whatever the lifecycle calls it, a contract that goes out of use is gone for its consumers. */
function isDeprecation(transition: Transition | undefined, lifecycle: Lifecycle): boolean {
  const to = transition?.to ?? undefined;
  return to !== undefined && endsUse(to, lifecycle);
}

function exceeds({ touched, estate }: Excess, limit: Limit): boolean {
  switch (limit.kind) {
    case 'share':
      return 100 * touched > limit.percent * estate;
    case 'count':
      return touched > limit.most;
  }
}

function explain(
  { limit, touched, estate }: Excess,
  most: Limit,
  lifted: readonly Override[],
): Diagnostic {
  const override = lifted.find((each) => 'limit' in each && each.limit === limit);
  const share = Math.round((100 * touched) / estate);
  const allowed = most.kind === 'share' ? `${most.percent}%` : String(most.most);
  return {
    code: 'limit-exceeded',
    severity: override ? 'warning' : 'error',
    message: `The plan ${verbs[limit]} ${touched} of ${estate} contracts (${share}%); \`limits.${limit}\` allows ${allowed}.`,
    hint: override
      ? `Allowed by --allow-limit: ${override.reason}`
      : `If you mean it, plan again with --allow-limit ${limit} --reason "…".`,
  };
}

const verbs: Readonly<Record<LimitName, string>> = {
  updates: 'updates',
  deprecations: 'deprecates',
};
