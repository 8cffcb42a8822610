import type { Validation } from '../validation.ts';
import { count } from '../core/text.ts';
import { diagnosticLines } from './diagnostic-text.ts';
import type { LineOf } from './excerpt.ts';
import type { Palette } from './palette.ts';

/** Every problem with its line, and the counts; ends with a line break. */
export function renderValidationText(
  { diagnostics, summary }: Validation,
  palette: Palette,
  lineOf: LineOf,
): string {
  const problems = diagnostics.map((diagnostic) =>
    diagnosticLines(diagnostic, palette, lineOf).join('\n'),
  );
  return `${[...problems, summaryLine(summary, palette)].join('\n\n')}\n`;
}

function summaryLine(
  { files, contracts, errors, warnings }: Validation['summary'],
  palette: Palette,
): string {
  const read = `${count(contracts, 'good contract', 'good contracts')} in ${count(files, 'file', 'files')}`;
  if (errors + warnings === 0) return `${palette.good('No problems:')} ${read}.`;
  const found = [
    ...(errors > 0 ? [palette.error(count(errors, 'error', 'errors'))] : []),
    ...(warnings > 0 ? [palette.warning(count(warnings, 'warning', 'warnings'))] : []),
  ];
  return `${found.join(', ')}; ${read}.`;
}
