import type { Diagnostic, Severity } from '../core/diagnostic.ts';
import type { Lines } from './lines.ts';

/** A problem inside one file, placed by its offset in the text: a Diagnostic in the making. */
export type Finding = {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly offset: number;
};

export function toDiagnostic(file: string, lines: Lines, finding: Finding): Diagnostic {
  const { offset, ...problem } = finding;
  return { ...problem, source: { file, ...lines.place(offset) } };
}
