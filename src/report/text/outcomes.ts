import { isArray, isObject } from '../../core/json.ts';
import { sanitizeLine } from '../../core/text.ts';
import type { Outcome, OutcomeResult, Outcomes } from '../../apply/outcome.ts';
import type { Palette } from './palette.ts';

type OutcomesTextOptions = {
  readonly palette: Palette;
  /** Tells the catalog's own account of each change too. */
  readonly verbose: boolean;
};

/** What became of each change, and the counts; ends with a line break. */
export function renderOutcomesText(
  { outcomes, summary }: Outcomes,
  { palette, verbose }: OutcomesTextOptions,
): string {
  const lines = outcomes.flatMap((outcome) => [
    ...outcomeLines(outcome, palette),
    ...(verbose ? accountLines(outcome, palette) : []),
  ]);
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
function outcomeLines(outcome: Outcome, palette: Palette): string[] {
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

function versions(outcome: Outcome, palette: Palette): string {
  const { versionBefore, versionAfter, predictedVersions } = outcome;
  if (versionBefore === undefined || versionAfter === undefined) return '';
  const foretold = predictedVersions ? ` (${predictedVersions.join(' or ')} was expected)` : '';
  const move = `version ${sanitizeLine(versionBefore)} → ${sanitizeLine(versionAfter)}`;
  return `  ${palette.faint(`${move}${sanitizeLine(foretold)}`)}`;
}

/** Interface §2.3: which fields the catalog says it has updated. */
function accountLines({ changeDescription }: Outcome, palette: Palette): string[] {
  const updated = changeDescription?.['fieldsUpdated'];
  if (!isArray(updated)) return [];
  return updated.filter(isObject).map(({ name = null, oldValue = null, newValue = null }) => {
    const field = typeof name === 'string' ? name : JSON.stringify(name);
    const change = `${JSON.stringify(oldValue)} → ${JSON.stringify(newValue)}`;
    return `    ${palette.faint(sanitizeLine(`${field}: ${shortened(change)}`))}`;
  });
}

function shortened(text: string): string {
  return text.length > longestAccount ? `${text.slice(0, longestAccount)}…` : text;
}

const longestAccount = 200;
