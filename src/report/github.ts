/**
 * What a step writes into the log of a workflow run, which is also the channel by which it gives
 * commands. The runner obeys `::command::` at the start of a line and `##[command]` anywhere in one.
 * It looks for both as the locale compares text, so it does not see characters that have no weight
 * there, a zero-width space or a combining mark: what keeps the signs apart has to be visible.
 */

import type { Diagnostic } from '../core/diagnostic.ts';
import { lazyPattern, sanitizeLine } from '../core/text.ts';

type WorkflowCommand = {
  readonly name: 'error' | 'warning' | 'notice' | 'group' | 'endgroup';
  readonly properties?: Readonly<Record<string, string | number>>;
  readonly message?: string;
};

/** GitHub workflow commands that annotate the lines at fault, one each; ends with a line break. */
export function renderAnnotations(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${annotationLine(diagnostic)}\n`).join('');
}

/** GitHub shows no more of an annotation than 4,096 characters. */
const longestMessage = 4000;

/** The command that shows a problem at its line. */
export function annotationLine({ code, severity, message, hint, source }: Diagnostic): string {
  const text = hint === undefined ? [message] : [message, hint];
  return commandLine({
    name: severity === 'information' ? 'notice' : severity,
    properties: {
      ...(source && { file: sanitizeLine(source.file), line: source.line, col: source.column }),
      title: sanitizeLine(code),
    },
    message: text.map(sanitizeLine).join('\n').slice(0, longestMessage),
  });
}

/** One line: the runner undoes these escapes; without them text could begin another command. */
export function commandLine({ name, properties = {}, message = '' }: WorkflowCommand): string {
  const given = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${name}${given.length > 0 ? ` ${given.join(',')}` : ''}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(value: string | number): string {
  return escapeMessage(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The lines of a text, each of which is no command. */
export function logLines(text: string): string[] {
  return text.split(lineBreak).map((line) => sanitizeLine(defuse(line)));
}

/** A text that may have colours, of which no line is a command. */
export function withoutCommands(text: string): string {
  return text
    .split(keptLineBreak)
    .map((part, index) => (index % 2 === 0 ? defuse(part) : part))
    .join('');
}

/** Whatever some reader of the log may take for the end of a line. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const keptLineBreak = new RegExp(`(${lineBreak.source})`, 'u');

/** Characters that count for nothing when the runner compares. */
const weightless = String.raw`\p{C}\p{M}\p{Default_Ignorable_Code_Point}`;
// One class for blanks and these: as alternatives, which share the tab, they would take 2^n steps.
const leadingColons = lazyPattern(String.raw`^[\s${weightless}]*:[${weightless}]*:`, 'u');
const hashBracket = lazyPattern(String.raw`#([${weightless}]*)\[`, 'gu');

function defuse(line: string): string {
  if (!line.includes(':') && !line.includes('#')) return line;
  const apart = line.replaceAll(hashBracket(), '#·$1[');
  return leadingColons().test(apart) ? `·${apart}` : apart;
}

/** A JSON document, of which no line is a command; its values stay as they are. */
export function jsonWithoutCommands(json: string): string {
  if (!json.includes('#')) return json;
  return json.replaceAll(hashBracket(), String.raw`\u0023$1[`);
}
