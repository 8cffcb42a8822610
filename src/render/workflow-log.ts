/**
 * Text for the log of a workflow run, which is also the channel by which a step gives commands.
 * The runner obeys `::command::` at the start of a line and `##[command]` anywhere in one. It
 * looks for both as the locale compares text, so it does not see characters that have no weight
 * there, a zero-width space or a combining mark: what keeps the signs apart has to be visible.
 */

import { sanitizeLine } from './terminal.ts';

/** The lines of a text, each of which is no command. */
export function logLines(text: string): string[] {
  return text.split(lineBreak).map(defuse);
}

/** Whatever some reader of the log may take for the end of a line. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/** Characters that count for nothing when the runner compares. */
const weightless = String.raw`[\p{C}\p{M}\p{Default_Ignorable_Code_Point}]`;
const leadingColons = new RegExp(`^(?:\\s|${weightless})*:${weightless}*:`, 'u');
const hashBracket = new RegExp(`#(${weightless}*)\\[`, 'gu');

function defuse(line: string): string {
  const apart = line.replaceAll(hashBracket, '#·$1[');
  const clean = sanitizeLine(leadingColons.test(apart) ? `·${apart}` : apart);
  return clean;
}

/** A message, or a property, of a command of ours. */
export type WorkflowCommand = {
  readonly name: 'error' | 'warning' | 'notice' | 'add-mask' | 'group' | 'endgroup' | 'debug';
  readonly properties?: Readonly<Record<string, string | number>>;
  readonly message: string;
};

/** The one line by which the runner is given a command. */
export function commandLine({ name, properties = {}, message }: WorkflowCommand): string {
  const given = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${name}${given.length > 0 ? ` ${given.join(',')}` : ''}::${escapeMessage(message)}`;
}

/** The runner turns exactly these back. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(value: string | number): string {
  return escapeMessage(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
