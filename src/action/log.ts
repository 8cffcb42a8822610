import type { Diagnostic } from '../core/diagnostic.ts';
import type { Redactor } from '../core/redact.ts';
import { annotationLine, commandLine, logLines } from '../report/github.ts';
import type { Runner } from './runner.ts';

/**
 * The log of a step. Text is never a command in it, and no secret is shown. The toolkit's `error`
 * and `group` escape what would end a command and no more: control and invisible characters would
 * come through, and annotations of any length.
 */
export type Log = {
  readonly text: (text: string) => void;
  /** Text that opens at a click. */
  readonly group: (title: string, text: string) => void;
  readonly annotate: (diagnostic: Diagnostic) => void;
};

export function createLog({ print }: Pick<Runner, 'print'>, { redact }: Redactor): Log {
  const text: Log['text'] = (lines) => {
    for (const line of logLines(redact(lines))) print(line);
  };
  return {
    text,
    group: (title, lines) => {
      print(commandLine({ name: 'group', message: title }));
      text(lines.trimEnd());
      print(commandLine({ name: 'endgroup' }));
    },
    annotate: (diagnostic) => print(redact(annotationLine(diagnostic))),
  };
}
