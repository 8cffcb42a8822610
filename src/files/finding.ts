import type { Diagnostic, Severity } from '../diagnostic.ts';

/** A problem inside one file, placed by its offset in the text: a Diagnostic in the making. */
export type Finding = {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly offset: number;
};

/** Turns offsets of one file into lines and columns, both from 1. */
export type LinePositions = {
  readonly linePos: (offset: number) => { readonly line: number; readonly col: number };
};

export function toDiagnostic(file: string, lines: LinePositions, finding: Finding): Diagnostic {
  const { offset, ...problem } = finding;
  const { line, col } = lines.linePos(offset);
  return { ...problem, source: { file, line, column: col } };
}

const longestQuote = 60;

/** Text of a file inside a message: one line, of bounded length, with the escapes of JSON. */
export function quote(text: string): string {
  if (text.length <= longestQuote) return JSON.stringify(text);
  // The cut may fall inside a surrogate pair.
  return JSON.stringify(`${text.slice(0, longestQuote).toWellFormed()}…`);
}
