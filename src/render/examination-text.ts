import type { Check } from '../examination.ts';
import type { Palette } from './palette.ts';
import { sanitizeLine } from '../core/text.ts';

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
