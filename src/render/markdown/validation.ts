import type { Validation } from '../../validation.ts';
import { count } from '../count.ts';
import { placesBelow } from './place.ts';
import { problemsBlock } from './problems.ts';
import { renderReport, type ReportOptions } from './report.ts';

/** What is known of the files alone. */
export function renderValidationMarkdown(
  { summary, diagnostics }: Validation,
  options: ReportOptions,
): string {
  const { contracts, files, errors, warnings } = summary;
  const verdict = [
    `${count(contracts, 'contract', 'contracts')} in ${count(files, 'file', 'files')}`,
    ...(errors > 0 ? [count(errors, 'error', 'errors')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning', 'warnings')] : []),
  ].join(', ');
  const problems = diagnostics.map((diagnostic) => ({ diagnostic }));
  return renderReport(
    verdict,
    problems.length > 0 ? [problemsBlock(problems, placesBelow(options.files))] : [],
    options,
  );
}
