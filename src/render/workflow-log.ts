/**
 * Text for the log of a workflow run, which is also the channel by which a step gives commands.
 * The runner obeys `::command::` at the start of a line and `##[command]` anywhere in one. It
 * looks for both as the locale compares text, so it does not see characters that have no weight
 * there, a zero-width space or a combining mark: what keeps the signs apart has to be visible.
 */

import { sanitizeLine } from '../core/text.ts';

/** The lines of a text, each of which is no command. */
export function logLines(text: string): string[] {
  return text.split(lineBreak).map(defuse);
}

/** Whatever some reader of the log may take for the end of a line. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/** Characters that count for nothing when the runner compares. */
const weightless = String.raw`\p{C}\p{M}\p{Default_Ignorable_Code_Point}`;
// One class for blanks and these: as alternatives, which share the tab, they would take 2^n steps.
const leadingColons = new RegExp(`^[\\s${weightless}]*:[${weightless}]*:`, 'u');
const hashBracket = new RegExp(`#([${weightless}]*)\\[`, 'gu');

function defuse(line: string): string {
  const apart = line.replaceAll(hashBracket, '#·$1[');
  return sanitizeLine(leadingColons.test(apart) ? `·${apart}` : apart);
}
