/** What became of a plan: of the reviewed one since its review, of each change by an apply. */

import type { Outcome, OutcomeResult, Outcomes } from '../../apply/outcome.ts';
import { contractLabel } from '../../contract/identity.ts';
import { isArray, isObject, type JsonObject } from '../../core/json.ts';
import { count } from '../../core/text.ts';
import type { Override } from '../../plan/plan.ts';
import type { Difference } from '../../patch/difference.ts';
import type { Comparison, ContractComparison, DifferenceComparison } from '../../review/compare.ts';
import type { Gravity } from './problems.ts';

/** What became of one change. */
export type OutcomeReport = Outcome & {
  readonly label: string;
  readonly gravity: Gravity;
  /** The names of several of which this is said. */
  readonly members?: readonly string[];
  /** The fields that the catalog says it has updated (interface §2.3). */
  readonly account: readonly { readonly field: string; readonly change: string }[];
};

export type OutcomesReport = {
  /** In a few words, what needs a hand first: `1 failed, 3 applied`. */
  readonly verdict: string;
  /** What was applied first, even if nothing was: `0 applied, 1 failed`. */
  readonly counts: string;
  /** In the plan's order; what several have in common is behind the others. */
  readonly outcomes: readonly OutcomeReport[];
  /** What needs a hand first. */
  readonly byNeed: readonly OutcomeReport[];
  /** Which limit or rule was lifted, and why. */
  readonly lifted: readonly string[];
};

export function describeOutcomes(applied: Outcomes): OutcomesReport {
  const outcomes = gatherAlike(applied.outcomes.map(describeOutcome));
  const counts = Object.entries(applied.summary);
  return {
    verdict: outcomesVerdict(applied),
    counts: inWords(counts.filter(([result, of]) => result === 'applied' || of > 0)),
    outcomes,
    byNeed: outcomes.toSorted((a, b) => need(a.result) - need(b.result)),
    lifted: (applied.overrides ?? []).map(describeOverride),
  };
}

function describeOverride(override: Override): string {
  return `Allowed ${whatIsLifted(override)}: ${override.reason}`;
}

function whatIsLifted(override: Override): string {
  if ('limit' in override) return `beyond limits.${override.limit}`;
  return override.rule === 'transition-blocked'
    ? 'against the lifecycle'
    : `although it breaks consumers (${override.rule})`;
}

/** What an apply came to, in a few words: `1 failed, 3 applied`. */
export function outcomesVerdict({ summary, planHash }: Outcomes): string {
  const counts = Object.entries(summary).filter(([, of]) => of > 0);
  if (counts.length > 0) return inWords(counts.toSorted(([a], [b]) => need(a) - need(b)));
  return planHash === undefined ? 'nothing was applied' : 'nothing to apply';
}

function inWords(counts: readonly (readonly [result: string, of: number])[]): string {
  return counts.map(([result, of]) => `${of} ${result}`).join(', ');
}

/** From what needs a hand to what does not. */
const gravities: Readonly<Record<OutcomeResult, Gravity>> = {
  failed: 'error',
  'not-found': 'error',
  'not-reviewed': 'error',
  unverified: 'warning',
  stale: 'warning',
  skipped: 'warning',
  applied: 'good',
  unchanged: 'good',
  left: 'good',
};

function need(result: string): number {
  return Object.keys(gravities).indexOf(result);
}

/** One outcome by its name, with how grave it is. */
export function describeOutcome(outcome: Outcome): OutcomeReport {
  const { result, changeDescription } = outcome;
  const updated = changeDescription?.['fieldsUpdated'];
  return {
    ...outcome,
    label: contractLabel(outcome),
    gravity: gravities[result],
    account: isArray(updated) ? updated.filter(isObject).map(describeField) : [],
  };
}

/** Two are read as fast apart. */
const fewestAlike = 3;

/** Those of which the same is to be said together, behind the others. */
function gatherAlike(outcomes: readonly OutcomeReport[]): OutcomeReport[] {
  const groups = [...Map.groupBy(outcomes.filter(hasError), likenessOf).values()];
  const alike = groups.filter(({ length }) => length >= fewestAlike);
  const gathered = new Set(alike.flat());
  return [...outcomes.filter((outcome) => !gathered.has(outcome)), ...alike.flatMap(together)];
}

function hasError({ error }: OutcomeReport): boolean {
  return error !== null;
}

/** What an error says of the one request that it ended, as `ApiError` words it. */
const circumstances = / \((?:GET|PATCH|POST) https?:[^)]*\)/gu;

function likenessOf({ result, error }: OutcomeReport): string {
  const message = error?.message.replace(circumstances, '');
  return JSON.stringify([result, error?.code, message, error?.hint]);
}

function together(alike: readonly OutcomeReport[]): OutcomeReport[] {
  const [first] = alike;
  if (!first?.error) return [];
  const { versionBefore: _, versionAfter: __, note: ___, ...rest } = first;
  return [
    {
      ...rest,
      label: count(alike.length, 'contract', 'contracts'),
      members: alike.map(({ label }) => label),
      error: { ...first.error, message: first.error.message.replace(circumstances, '') },
    },
  ];
}

function describeField({ name = null, oldValue = null, newValue = null }: JsonObject) {
  const field = typeof name === 'string' ? name : JSON.stringify(name);
  return { field, change: `${JSON.stringify(oldValue)} → ${JSON.stringify(newValue)}` };
}

/** What became of a contract since the review. */
export type ContractSinceReview = {
  readonly sign: 'good' | 'added' | 'removed' | 'changed';
  readonly label: string;
  readonly verdict: string;
  /** Of a changed one first as it was reviewed, then as it is proposed. */
  readonly differences: readonly DifferenceSinceReview[];
};

type DifferenceSinceReview = {
  readonly sign: 'same' | 'added' | 'removed';
  readonly difference: Difference;
};

/** What is new, gone or changed since the review, by name. */
export function describeComparison({ contracts }: Comparison): ContractSinceReview[] {
  return contracts.map((contract) => ({
    sign: signs[contract.kind],
    label: contractLabel(contract),
    verdict: verdicts[contract.kind],
    differences: signs[contract.kind] === 'good' ? [] : contract.differences.flatMap(splitChange),
  }));
}

const signs = {
  landed: 'good',
  superseded: 'good',
  new: 'added',
  gone: 'removed',
  changed: 'changed',
  same: 'same',
} as const;

const verdicts: Readonly<Record<ContractComparison['kind'], string>> = {
  landed: 'already landed',
  superseded: 'landed, and was changed again since',
  new: 'was not in the reviewed plan',
  gone: 'was reviewed; is not planned now',
  changed: 'differs from what was reviewed',
};

function splitChange(compared: DifferenceComparison): DifferenceSinceReview[] {
  const { kind, difference } = compared;
  if (kind !== 'changed') return [{ sign: signs[kind], difference }];
  return [
    { sign: 'removed', difference: compared.approved },
    { sign: 'added', difference },
  ];
}
