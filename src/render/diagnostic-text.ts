import type { Diagnostic, Severity } from '../core/diagnostic.ts';
import { excerptLines, type LineOf } from './excerpt.ts';
import type { Palette } from './palette.ts';
import { sanitizeLine } from '../core/text.ts';

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
