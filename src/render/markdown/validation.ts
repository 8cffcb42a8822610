import type { Validation } from '../../validation.ts';
import { count } from '../count.ts';
import { placesBelow } from './place.ts';
import { remarksBlock } from './remarks.ts';
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
  const remarks = diagnostics.map((problem) => ({ problem }));
  return renderReport(
    verdict,
    remarks.length > 0 ? [remarksBlock(remarks, placesBelow(options.files))] : [],
    options,
  );
}
