import type { Diagnostic, Severity } from '../diagnostic.ts';
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

const longestQuote = 60;

/** Text of a file inside a message: in quotes, on one line, of bounded length. */
export function quote(text: string): string {
  return `"${printable(text, longestQuote)}"`;
}

/** Escapes what has no shape of its own (controls, joiners, writing directions), and cuts. */
export function printable(text: string, longest = 160): string {
  // The cut may fall inside of a surrogate pair.
  const cut = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
  return cut.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
