import type { Problem, Severity } from '../core/diagnostic.ts';

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
