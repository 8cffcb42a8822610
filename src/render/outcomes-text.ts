import type { Outcome, Outcomes, OutcomeResult } from '../plan/outcome.ts';
import type { Palette } from './palette.ts';
import { sanitizeLine } from './terminal.ts';

/** What became of each change, and the counts; ends with a line break. */
export function renderOutcomesText({ outcomes, summary }: Outcomes, palette: Palette): string {
  const lines = outcomes.flatMap((outcome) => outcomeLines(outcome, palette));
  const counts = results
    .filter((result) => result === 'applied' || summary[result] > 0)
    .map((result) => `${summary[result]} ${result}`);
  return `${[...lines, '', `${palette.strong('Apply:')} ${counts.join(', ')}.`].join('\n')}\n`;
}

const results: readonly OutcomeResult[] = [
  'applied',
  'unchanged',
  'stale',
  'failed',
  'unverified',
  'skipped',
];

/** One line for an outcome, and the reason where there is one. */
export function outcomeLines(outcome: Outcome, palette: Palette): string[] {
  const { result, error } = outcome;
  const label = sanitizeLine(outcome.fullyQualifiedName ?? outcome.id);
  return [
    `${symbolOf(result, palette)} ${palette.strong(label)}  ${result}${versions(outcome, palette)}`,
    ...(error ? [`    ${sanitizeLine(error.message)}`] : []),
    ...(error?.hint === undefined ? [] : [`    ${palette.faint(sanitizeLine(error.hint))}`]),
  ];
}

function symbolOf(result: OutcomeResult, palette: Palette): string {
  switch (result) {
    case 'applied':
    case 'unchanged':
      return palette.good('✓');
    case 'failed':
      return palette.error('✗');
    case 'stale':
    case 'unverified':
    case 'skipped':
      return palette.warning('!');
  }
}

function versions({ versionBefore, versionAfter }: Outcome, palette: Palette): string {
  if (versionBefore === undefined || versionAfter === undefined) return '';
  return `  ${palette.faint(`version ${sanitizeLine(versionBefore)} → ${sanitizeLine(versionAfter)}`)}`;
}
