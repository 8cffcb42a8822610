import type { DesiredContract } from '../../src/contract/contract.ts';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import type { ReadResult } from '../../src/files/files.ts';

/** What was read, as text for golden files: every diagnostic, then every contract. */
export function describeReading({ contracts, diagnostics }: ReadResult): string {
  return [...diagnostics.map(describeDiagnostic), ...contracts.map(describeContract)].join('');
}

function describeDiagnostic({ code, severity, message, hint, source }: Diagnostic): string {
  const place = source ? `${source.file}:${source.line}:${source.column}` : '(no file)';
  return `${place} ${severity} ${code}\n  ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`;
}

function describeContract({ identity, managed, source }: DesiredContract): string {
  const fields = JSON.stringify({ identity, managed });
  return `${source.file}:${source.line}:${source.column} contract\n  ${shortened(fields)}\n`;
}

function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
