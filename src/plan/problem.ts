import type { Diagnostic, Severity } from '../core/diagnostic.ts';

/** What a change does to those who rely on the contract. */
export type Impact = 'breaking' | 'warning' | 'information';

/** Something to be said about one contract; an error blocks it. */
export type Problem = Diagnostic & {
  /** What the change does to consumers, whatever severity the contract's status makes of it. */
  readonly impact?: Impact;
  /** The exception that keeps the problem from being an error. */
  readonly allowed?: Permission;
};

/** Whether a reader has to be told: what harms nobody is shown by the change itself. */
export function isTold({ impact }: Problem): boolean {
  return impact !== 'information';
}

/** Orders the gravest first: by severity, then what breaks consumers before what does not. */
export function compareGravity(a: Problem, b: Problem): number {
  return rank(a) - rank(b);
}

const severities: readonly Severity[] = ['error', 'warning', 'information'];

function rank({ severity, impact }: Problem): number {
  return 2 * severities.indexOf(severity) + (impact === 'breaking' ? 0 : 1);
}

/** Why a rule does not hold here, and the last day of that: `2027-01-31`. */
export type Permission = { readonly reason: string; readonly until?: string };
