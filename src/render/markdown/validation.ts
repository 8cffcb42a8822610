import type { Validation } from '../../validation.ts';
import { count } from '../../core/text.ts';
import { placesBelow } from './place.ts';
import { remarksBlock } from './remarks.ts';
import { renderReport, type ReportOptions } from './report.ts';

/** What is known of the files alone. */
export function renderValidationMarkdown(validation: Validation, options: ReportOptions): string {
  const remarks = validation.diagnostics.map((problem) => ({ problem }));
  return renderReport(
    validationVerdict(validation),
    remarks.length > 0 ? [remarksBlock(remarks, placesBelow(options.files))] : [],
    options,
  );
}

/** `12 contracts in 11 files, 1 error`. */
export function validationVerdict({ summary }: Validation): string {
  const { contracts, files, errors, warnings } = summary;
  return [
    `${count(contracts, 'contract', 'contracts')} in ${count(files, 'file', 'files')}`,
    ...(errors > 0 ? [count(errors, 'error', 'errors')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning', 'warnings')] : []),
  ].join(', ');
}
