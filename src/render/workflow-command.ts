/** Workflow commands: what a step tells the GitHub runner, in lines of its log. */

import type { Diagnostic, Severity } from '../core/diagnostic.ts';
import { sanitizeLine } from '../core/text.ts';

export type WorkflowCommand = {
  readonly name: 'error' | 'warning' | 'notice' | 'group' | 'endgroup';
  readonly properties?: Readonly<Record<string, string | number>>;
  readonly message?: string;
};

/** GitHub workflow commands that annotate the lines at fault, one each; ends with a line break. */
export function renderAnnotations(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${annotationLine(diagnostic)}\n`).join('');
}

const names: { readonly [severity in Severity]: WorkflowCommand['name'] } = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
};

/** GitHub shows no more of an annotation than 4,096 characters. */
const longestMessage = 4000;

/** The command that shows a problem at its line. */
export function annotationLine({ code, severity, message, hint, source }: Diagnostic): string {
  const text = hint === undefined ? [message] : [message, hint];
  return commandLine({
    name: names[severity],
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
