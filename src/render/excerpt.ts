import type { SourcePosition } from '../core/diagnostic.ts';
import type { Palette } from './palette.ts';
import { sanitizeLine } from '../core/text.ts';

/** The text of a line of a file, if it can be had. */
export type LineOf = (place: Pick<SourcePosition, 'file' | 'line'>) => string | undefined;

/** How much of a long line is shown on either side of the place. */
const reach = 60;

/** The line with a caret under the place; nothing where the line cannot be had. */
export function excerptLines(place: SourcePosition, lineOf: LineOf, palette: Palette): string[] {
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
