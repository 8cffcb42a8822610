/** What a later run adds to the comment, beside the plan as it was reviewed. */

import type { Outcome } from '../apply/outcome.ts';
import { advice, code, prose, said } from '../report/markdown/text.ts';
import { outcomesVerdict } from '../report/model/outcomes.ts';
import { type Failure, isOfReview, type StepResult } from './result.ts';
import { runPage, type Step } from './step.ts';

type Applied = Extract<StepResult, { readonly kind: 'apply' }>;

/** What an apply came to: when, which run, what landed, what did not and why. */
export function runNote({ plan, outcomes, failure }: Applied, step: Step): string {
  const verdict = plan.errored ? (failure?.message ?? '') : `${outcomesVerdict(outcomes)}.`;
  const left = outcomes.outcomes.filter(({ error }) => error !== null);
  const more = left.length > mostReasons ? [`  - … and ${left.length - mostReasons} more`] : [];
  const reasons = left.slice(0, mostReasons).map(reasonItem);
  const ways = plan.diagnostics.filter(isOfReview).map((problem) => `  - ${advice(problem)}`);
  return [`- ${runLink(step)}: ${said(verdict)}`, ...reasons, ...more, ...ways].join('\n');
}

const mostReasons = 10;

function reasonItem({ id, fullyQualifiedName, result, error }: Outcome): string {
  const name = code(fullyQualifiedName ?? id ?? '');
  return `  - ❌ ${name} ${prose(result)}: ${said(error?.message ?? '')}`;
}

/** Why a run has made no plan: what the comment shows is that of an earlier one. */
export function failureNote({ message }: Failure, step: Step): string {
  const words = `The plan below is from an earlier run: ${runLink(step)} made none. ${said(message)}`;
  return `> [!WARNING]\n> ${words}`;
}

/** The run, and when it began. */
export function runLink(step: Step): string {
  const { runId, startedAt } = step.run;
  const time = startedAt.slice(0, 16).replace('T', ' ');
  return `[run ${runId}](${runPage(step)}), ${time} UTC`;
}
