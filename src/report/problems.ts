/** Which problems are shown, how grave they are, and in what order. */

import type { Diagnostic, Problem, Severity } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import type { Validation } from '../files/files.ts';
import { type Gravity, note, type Phrase, type Report } from './blocks.ts';

const severities: readonly Severity[] = ['error', 'warning', 'information'];

export function countProblems(problems: readonly Diagnostic[]): string {
  const counts = severities.flatMap((wanted) => {
    const of = ofSeverity(problems, wanted).length;
    const word = wanted === 'information' ? 'remark' : wanted;
    return of > 0 ? [count(of, word, `${word}s`)] : [];
  });
  return counts.join(', ');
}

export function firstOfEachSeverity(
  problems: readonly Problem[],
  room: Readonly<Record<Severity, number>>,
): Problem[] {
  return severities.flatMap((wanted) => ofSeverity(problems, wanted).slice(0, room[wanted]));
}

export function ofSeverity<Kind extends Diagnostic>(problems: readonly Kind[], wanted: Severity) {
  return problems.filter(({ severity }) => severity === wanted);
}

/**
 * False for harmless ones, which the change itself shows, for remarks on a file, which are the same
 * in each plan, and for those on the run, which standard error has.
 */
export function isShown({ impact, severity, scope }: Problem): boolean {
  const isStanding = scope === 'contract' || scope === 'run';
  return impact !== 'information' && !(severity === 'information' && isStanding);
}

export function sortByGravity<Kind extends Problem>(problems: readonly Kind[]): Kind[] {
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ severity, impact }: Problem): number {
  return 2 * severities.indexOf(severity) + (impact === 'breaking' ? 0 : 1);
}

export type Total = { readonly words: string; readonly gravity?: Gravity };

export function total(amount: number, words: string, gravity?: Gravity): Total[] {
  return amount > 0 ? [{ words, ...(gravity && { gravity }) }] : [];
}

export function joinTotals(totals: readonly Total[]): string {
  return totals.map(({ words }) => words).join(', ');
}

export function totalWords(totals: readonly Total[]): Phrase[] {
  return totals.flatMap(({ words: text, gravity: as = 'own' as const }, index): Phrase[] => [
    index === 0 ? '' : ', ',
    { text, as },
  ]);
}

export function inFiles(contracts: number, files: number): string {
  return `${count(contracts, 'contract', 'contracts')} in ${count(files, 'file', 'files')}`;
}

export function validationVerdict({ summary }: Validation): string {
  const { contracts, files } = summary;
  return joinTotals([{ words: inFiles(contracts, files) }, ...totalsOf(summary)]);
}

export function validationPage(validation: Validation): Report {
  const { diagnostics: problems, errored } = validation;
  const gravity = errored ? 'error' : 'good';
  const title = { words: validationVerdict(validation), gravity } as const;
  return { title, blocks: [{ kind: 'problems', problems }] };
}

export function validationScreen(validation: Validation): Report {
  const { diagnostics: problems, summary } = validation;
  const { contracts, files } = summary;
  const totals = totalsOf(summary);
  const good = `; ${count(contracts, 'contract', 'contracts')} without errors`;
  const end = `${contracts > 0 ? good : ''}.`;
  const words: readonly Phrase[] =
    totals.length > 0
      ? [`${count(files, 'file', 'files')}, `, ...totalWords(totals), end]
      : [{ text: 'No problems:', as: 'good' }, ` ${validationVerdict(validation)}.`];
  return { blocks: [{ kind: 'problems', problems }, note(words)] };
}

function totalsOf({ errors, warnings }: Validation['summary']): Total[] {
  return [
    ...total(errors, count(errors, 'error', 'errors'), 'error'),
    ...total(warnings, count(warnings, 'warning', 'warnings'), 'warning'),
  ];
}
