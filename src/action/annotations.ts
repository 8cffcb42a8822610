import { contractLabel } from '../contract/identity.ts';
import type { Diagnostic, Severity } from '../core/diagnostic.ts';
import {
  compareGravity,
  contractProblems,
  isTold,
  type Plan,
  type Problem,
  updates,
} from '../plan/plan.ts';
import type { StepResult } from './result.ts';

/** GitHub shows no more of a kind for one step. */
const mostOfAKind = 10;

/** The problems that are shown at their lines, the worst first, as many as GitHub shows. */
export function annotationsOf(result: StepResult): Diagnostic[] {
  const all = problemsOf(result).toSorted(compareGravity);
  return severities.flatMap((wanted) => {
    // The step's own failure takes one.
    const room = wanted === 'error' && result.failure ? mostOfAKind - 1 : mostOfAKind;
    return all.filter(({ severity }) => severity === wanted).slice(0, room);
  });
}

const severities: readonly Severity[] = ['error', 'warning', 'information'];

function problemsOf(result: StepResult): readonly Problem[] {
  if (result.kind === 'validation') return result.validation.diagnostics;
  const { plan } = result;
  const problems = plan.contracts.flatMap(contractProblems).filter(isTold);
  const notices = result.kind === 'plan' ? transitionNotices(plan) : [];
  return [...plan.diagnostics, ...problems, ...notices];
}

/** What a reviewer should not overlook in the file, at the line that asks for it. */
function transitionNotices(plan: Plan): Diagnostic[] {
  return updates(plan).flatMap((contract) => {
    const { transition, changes } = contract;
    const source = changes.find(({ path }) => path === '/entityStatus')?.source;
    if (!transition || !source) return [];
    const { from, to } = transition;
    return [
      {
        code: 'status-transition',
        severity: 'information',
        message: `${contractLabel(contract)}: ${from ?? 'no status'} → ${to ?? 'no status'}.`,
        source,
      },
    ];
  });
}
