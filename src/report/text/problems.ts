import type { Diagnostic, Severity, SourcePosition } from '../../core/diagnostic.ts';
import { count, sanitizeLine } from '../../core/text.ts';
import type { Check } from '../../doctor/checks.ts';
import type { Validation } from '../../files/files.ts';
import type { Palette } from './palette.ts';

/**
 * `file:line:column: error: What is wrong. [code]`, the line itself where it can be had, and the
 * hint. Editors find the place.
 */
export function diagnosticLines(
  diagnostic: Diagnostic,
  palette: Palette,
  lineOf?: LineOf,
): string[] {
  const { code, severity, message, hint, source } = diagnostic;
  const place = source ? `${sanitizeLine(source.file)}:${source.line}:${source.column}: ` : '';
  const verdict = paintFor(severity, palette)(`${severity}:`);
  return [
    `${place}${verdict} ${sanitizeLine(message)} ${palette.faint(`[${code}]`)}`,
    ...(source && lineOf ? excerptLines(source, lineOf, palette) : []),
    ...(hint === undefined ? [] : [`  ${sanitizeLine(hint)}`]),
  ];
}

function paintFor(severity: Severity, palette: Palette): (text: string) => string {
  switch (severity) {
    case 'error':
      return palette.error;
    case 'warning':
      return palette.warning;
    case 'information':
      return palette.faint;
  }
}

/** The text of a line of a file, if it can be had. */
export type LineOf = (place: Pick<SourcePosition, 'file' | 'line'>) => string | undefined;

/** How much of a long line is shown on either side of the place. */
const reach = 60;

/** The line with a caret under the place; nothing where the line cannot be had. */
function excerptLines(place: SourcePosition, lineOf: LineOf, palette: Palette): string[] {
  const text = lineOf(place);
  if (text === undefined || text.trim() === '') return [];
  const offset = place.column - 1;
  const start = Math.max(0, offset - reach);
  const before = sanitizeLine(text.slice(start, offset).toWellFormed());
  const after = sanitizeLine(text.slice(offset, offset + reach).toWellFormed());
  const margin = String(place.line);
  return [
    palette.faint(`  ${margin} | ${before}${after}`),
    `  ${' '.repeat(margin.length)} ${palette.faint('|')} ${blank(before)}${palette.error('^')}`,
  ];
}

/** As many columns as the text takes: ideographs and their like take two. */
function blank(text: string): string {
  return text
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/gu,
      '  ',
    )
    .replaceAll(/[^ ]/gu, ' ');
}

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

/** A check as a line with its verdict, and what to do about it below. */
export function renderCheckText(
  { subject, verdict, message, hint }: Check,
  palette: Palette,
): string {
  const lines = [`${signs[verdict](palette)} ${subject.padEnd(width)}${sanitizeLine(message)}`];
  if (hint !== undefined) lines.push(`${' '.repeat(width + 2)}${sanitizeLine(hint)}`);
  return `${lines.join('\n')}\n`;
}

/** The longest subject, and two spaces. */
const width = 'page size'.length + 2;

const signs: Readonly<Record<Check['verdict'], (palette: Palette) => string>> = {
  good: ({ good }) => good('✓'),
  warning: ({ warning }) => warning('!'),
  bad: ({ error }) => error('✗'),
};
