import { sanitizeLine } from '../../core/text.ts';
import type { Palette } from './palette.ts';

/** What a code means to whoever meets it. */
export type Explanation = {
  /** What JSON documents call a failure of this kind. */
  readonly failure: string;
  readonly means: string;
  readonly wayOut: string;
  readonly example?: string;
};

/** A code with what it means, an example, and the way out; ends with a line break. */
export function renderExplanation(
  code: string,
  { failure, means, wayOut, example }: Explanation,
  { strong, faint }: Palette,
): string {
  const shown = (example ?? '').split('\n').map((line) => `  ${sanitizeLine(line)}`);
  const blocks = [
    [`${strong(sanitizeLine(code))}  ${faint(failure)}`, `  ${sanitizeLine(means)}`],
    ...(example === undefined ? [] : [[faint('For example:'), ...shown]]),
    [faint('What to do:'), `  ${sanitizeLine(wayOut)}`],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
