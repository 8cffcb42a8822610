import type { Diagnostic, Severity } from '../diagnostic.ts';

const commands: { readonly [severity in Severity]: string } = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
};

/** GitHub workflow commands that annotate the lines at fault, one each; ends with a line break. */
export function renderAnnotations(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${annotation(diagnostic)}\n`).join('');
}

function annotation({ code, severity, message, hint, source }: Diagnostic): string {
  const properties = [
    ...(source
      ? [`file=${property(source.file)}`, `line=${source.line}`, `col=${source.column}`]
      : []),
    `title=${property(code)}`,
  ];
  const text = hint === undefined ? message : `${message}\n${hint}`;
  return `::${commands[severity]} ${properties.join(',')}::${escape(text)}`;
}

/** The runner undoes these escapes; without them text could end the command and begin another. */
function escape(text: string): string {
  return text
    .replaceAll('%', '%25')
    .replaceAll('\n', '%0A')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, encodeURIComponent);
}

function property(text: string): string {
  return escape(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
