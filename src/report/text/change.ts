import { sanitizeLine } from '../../core/text.ts';
import type { ChangeReport } from '../model/change.ts';
import { placeText } from '../place.ts';
import { differingLines, inlineLines, type Line, lineSigns } from '../values.ts';
import { type Palette, signOf } from './palette.ts';

/** The file and the line that ask for it, as editors and terminals open them. */
export function placeInFile({ source }: Pick<ChangeReport, 'source'>, palette: Palette): string {
  if (!source) return '';
  return `  ${palette.faint(sanitizeLine(placeText(source)))}`;
}

const contextLines = 1;
const longestInline = 100;

/** One change, and who set what it changes. */
export function changeLines(change: ChangeReport, palette: Palette): string[] {
  return [...contentOf(change, palette), ...blameLines(change, palette)];
}

/** Who set the live value, where that is known. */
export function blameLines({ blame }: Pick<ChangeReport, 'blame'>, { faint }: Palette): string[] {
  return blame === undefined ? [] : [`      ${faint(sanitizeLine(blame))}`];
}

/** On one line where it fits, else a headline and the lines that differ. */
function contentOf(change: ChangeReport, palette: Palette): string[] {
  const { sign, label, movement, before, after } = change;
  const symbol = movement === undefined ? signOf(sign, palette) : palette.changed('>');
  const headline = `  ${symbol} ${sanitizeLine(label)}`;
  const line = placeInFile(change, palette);
  if (movement !== undefined) {
    return [`${headline}  ${palette.faint(sanitizeLine(movement))}${line}`];
  }
  const sides = inlineLines(change, longestInline);
  if (sides) {
    const values = sides.map(({ kind, text }) => palette[kind](sanitizeLine(text)));
    return [`${headline}  ${values.join(' → ')}${line}`];
  }
  const lines = differingLines(before, after, contextLines);
  return [`${headline}${line}`, ...indented(lines.map((body) => bodyLine(body, palette)))];
}

/** A line of a text, with its sign. */
export function bodyLine({ kind, text }: Line, { faint, ...palette }: Palette): string {
  const line = `    ${lineSigns[kind]} ${sanitizeLine(text)}`;
  if (kind === 'context') return line;
  return kind === 'gap' ? faint(line) : palette[kind](line);
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
