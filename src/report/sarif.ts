import type { Diagnostic, Severity } from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';

const levels: { readonly [severity in Severity]: string } = {
  error: 'error',
  warning: 'warning',
  information: 'note',
};

/** The problems as a SARIF 2.1.0 log, as code-scanning services take it; ends with a line break. */
export function renderSarif(diagnostics: readonly Diagnostic[], version: string): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].toSorted(compareCodeUnits);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'contract-sync', version, rules: codes.map((id) => ({ id })) },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => result(diagnostic, codes)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function result({ code, severity, message, hint, source }: Diagnostic, codes: readonly string[]) {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: levels[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    ...(source && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: relativeUri(source.file) },
            region: { startLine: source.line, startColumn: source.column },
          },
        },
      ],
    }),
  };
}

/** A path as a relative reference (RFC 3986 §4.2): a colon must not make it a scheme. */
function relativeUri(file: string): string {
  return file.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
