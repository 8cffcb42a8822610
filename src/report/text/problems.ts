import { type Diagnostic, renamePlace, type SourcePosition } from '../../core/diagnostic.ts';
import { isPlain, lazyPattern, sanitizeLine } from '../../core/text.ts';
import type { Check } from '../../doctor/checks.ts';
import type { Validation } from '../../files/files.ts';
import { describeValidation, type Total } from '../model/problems.ts';
import { type Palette, signOf } from './palette.ts';

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
  const verdict = palette[severity === 'information' ? 'faint' : severity](`${severity}:`);
  return [
    `${place}${verdict} ${sanitizeLine(message)} ${palette.faint(`[${code}]`)}`,
    ...(source && lineOf ? excerptLines(source, lineOf, palette) : []),
    ...(hint === undefined ? [] : [`  ${sanitizeLine(hint)}`]),
  ];
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
  const shaped = isPlain(text) ? text : text.replaceAll(mark(), '');
  const spaced = isPlain(shaped) ? shaped : shaped.replaceAll(wide(), '  ');
  return spaced.replaceAll(/[^ ]/gu, ' ');
}

const mark = lazyPattern(String.raw`\p{Mark}`, 'gu');
const wide = lazyPattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]`,
  'gu',
);

/** The lines of files, by their own names, and how the files are called to the reader. */
type Excerpts = { readonly lineOf: LineOf; readonly nameOf?: (file: string) => string };

function lineAt({ source }: Diagnostic, lineOf: LineOf): LineOf {
  return (place) => source && lineOf({ ...place, file: source.file });
}

/** Every problem with its line, and the counts; ends with a line break. */
export function renderValidationText(
  validation: Validation,
  palette: Palette,
  { lineOf, nameOf = (file) => file }: Excerpts,
): string {
  const problems = validation.diagnostics.map((diagnostic) =>
    diagnosticLines(renamePlace(diagnostic, nameOf), palette, lineAt(diagnostic, lineOf)).join(
      '\n',
    ),
  );
  const { found, files, good, verdict } = describeValidation(validation);
  const closing =
    found.length > 0
      ? `${files}, ${totalsText(found, palette)}${good === undefined ? '' : `; ${good}`}.`
      : `${palette.good('No problems:')} ${verdict}.`;
  return `${[...problems, closing].join('\n\n')}\n`;
}

/** Counts in one line, the grave ones in their colours. */
export function totalsText(totals: readonly Total[], palette: Palette): string {
  return totals.map(({ words, gravity }) => (gravity ? palette[gravity](words) : words)).join(', ');
}

/** A check as a line with its verdict, and what to do about it below. */
export function renderCheckText(
  { subject, verdict, message, hint }: Check,
  palette: Palette,
): string {
  const line = `${signOf(verdict === 'bad' ? 'error' : verdict, palette)} ${subject.padEnd(width)}`;
  const below = hint === undefined ? '' : `${' '.repeat(width + 2)}${sanitizeLine(hint)}\n`;
  return `${line}${sanitizeLine(message)}\n${below}`;
}

/** The longest subject, and a space. */
const width = 'permissions'.length + 1;
