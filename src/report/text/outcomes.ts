/** What became of a plan: of each change by an apply, of the reviewed one since its review. */

import type { Outcome, Outcomes } from '../../apply/outcome.ts';
import { sanitizeLine } from '../../core/text.ts';
import type { Comparison } from '../../review/compare.ts';
import {
  describeComparison,
  describeOutcome,
  describeOutcomes,
  type OutcomeReport,
} from '../model/outcomes.ts';
import { clip, lineSigns, differenceText } from '../values.ts';
import { type Palette, signOf } from './palette.ts';

export type OutcomesTextOptions = {
  readonly palette: Palette;
  /** Tells the catalog's own account of each change too. */
  readonly verbose: boolean;
};

/** What became of each change, and the counts; ends with a line break. */
export function renderOutcomesText(
  applied: Outcomes,
  { palette, verbose }: OutcomesTextOptions,
): string {
  const { outcomes, counts, lifted } = describeOutcomes(applied);
  const lines = outcomes.flatMap((outcome) => [
    ...outcomeLines(outcome, palette),
    ...(verbose ? accountLines(outcome, palette) : []),
  ]);
  const end = [`${palette.strong('Apply:')} ${counts}.`, ...lifted.map(sanitizeLine)];
  return `${[...lines, '', ...end].join('\n')}\n`;
}

/** What became of one change, as soon as that is known. */
export function renderOutcomeLines(outcome: Outcome, palette: Palette): string[] {
  return outcomeLines(describeOutcome(outcome), palette);
}

/** Characters: some hundred names. */
const longestNames = 4000;

/** One line for an outcome, and the reason where there is one. */
function outcomeLines(outcome: OutcomeReport, palette: Palette): string[] {
  const { result, label, gravity, members, error, note } = outcome;
  const { faint, strong } = palette;
  return [
    `${signOf(result === 'left' ? 'faint' : gravity, palette)} ${strong(sanitizeLine(label))}  ${result}${versions(outcome, palette)}`,
    ...(members ? [`    ${sanitizeLine(clip(members.join(', '), longestNames))}`] : []),
    ...(note === undefined ? [] : [`    ${sanitizeLine(note)}`]),
    ...(error ? [`    ${sanitizeLine(error.message)}`] : []),
    ...(error?.hint === undefined ? [] : [`    ${faint(sanitizeLine(error.hint))}`]),
  ];
}

function versions(outcome: OutcomeReport, palette: Palette): string {
  const { versionBefore, versionAfter } = outcome;
  if (versionBefore === undefined || versionAfter === undefined) return '';
  return `  ${palette.faint(sanitizeLine(`version ${versionBefore} → ${versionAfter}`))}`;
}

const longestAccount = 200;

function accountLines({ account }: OutcomeReport, palette: Palette): string[] {
  return account
    .map(({ field, change }) => `${field}: ${clip(change, longestAccount)}`)
    .map((line) => `    ${palette.faint(sanitizeLine(line))}`);
}

/** What is new, gone or changed since the review; ends with a line break. */
export function renderComparisonText(comparison: Comparison, palette: Palette): string {
  const { faint, strong } = palette;
  const lines = describeComparison(comparison).flatMap(({ sign, label, verdict, differences }) => [
    `${signOf(sign, palette)} ${strong(sanitizeLine(label))}  ${sanitizeLine(verdict)}`,
    ...differences.map(({ sign, difference }) => {
      const line = sanitizeLine(differenceText(difference));
      return `    ${sign === 'same' ? faint(`= ${line}`) : palette[sign](`${lineSigns[sign]} ${line}`)}`;
    }),
  ]);
  return `${strong('Since the review:')}\n${lines.map((line) => `${line}\n`).join('')}`;
}
