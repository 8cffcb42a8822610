import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Outcome, OutcomeResult, Outcomes } from '../../apply/outcome.ts';
import type { Plan } from '../../plan/plan.ts';
import { planBlocks, type PlanReportOptions } from './plan.ts';
import { type Block, renderReport } from './report.ts';
import { code, firstRows, prose, table } from './text.ts';

/** What became of a plan, then the plan itself. */
export function renderOutcomesMarkdown(
  plan: Plan,
  outcomes: Outcomes,
  options: PlanReportOptions,
): string {
  const blocks = [
    ...refusalBlocks(outcomes.diagnostics),
    ...outcomeBlocks(outcomes),
    ...planBlocks(plan, options),
  ];
  return renderReport(outcomesVerdict(outcomes), blocks, options);
}

/** From what needs a hand to what does not. */
const results: readonly OutcomeResult[] = [
  'failed',
  'unverified',
  'stale',
  'skipped',
  'applied',
  'unchanged',
];

const signs: Readonly<Record<OutcomeResult, string>> = {
  failed: '❌',
  unverified: '⚠️',
  stale: '⚠️',
  skipped: '⚠️',
  applied: '✅',
  unchanged: '✅',
};

/** `3 applied, 1 failed`. */
export function outcomesVerdict({ summary, planHash }: Outcomes): string {
  const counts = results
    .filter((result) => summary[result] > 0)
    .map((result) => `${summary[result]} ${result}`);
  if (counts.length > 0) return counts.join(', ');
  return planHash === undefined ? 'nothing was applied' : 'nothing to apply';
}

function refusalBlocks(diagnostics: readonly Diagnostic[]): Block[] {
  if (diagnostics.length === 0) return [];
  const lines = diagnostics.map(({ message, hint = '' }) =>
    `> ${prose(message)} ${prose(hint)}`.trimEnd(),
  );
  return [[`> [!CAUTION]\n${lines.join('\n')}`, '> [!CAUTION]\n> Nothing was applied.']];
}

function outcomeBlocks({ outcomes }: Outcomes): Block[] {
  if (outcomes.length === 0) return [];
  const rows = outcomes
    .toSorted((a, b) => results.indexOf(a.result) - results.indexOf(b.result))
    .map(outcomeRow);
  return [[table(header, rows), firstRows(header, rows, 100), '']];
}

const header = ['', 'Contract', 'Version', 'Reason'];

function outcomeRow(outcome: Outcome): string[] {
  const { result, error } = outcome;
  const reason = error ? `${prose(error.message)} ${prose(error.hint ?? '')}`.trimEnd() : '';
  return [
    `${signs[result]} ${result}`,
    code(outcome.fullyQualifiedName ?? outcome.id),
    versions(outcome),
    reason,
  ];
}

function versions({ versionBefore, versionAfter }: Outcome): string {
  return [versionBefore, versionAfter]
    .filter((version) => version !== undefined)
    .map(code)
    .join(' → ');
}
