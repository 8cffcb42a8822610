import { deepestNesting } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import type { Diagnostic, Severity } from '../../core/diagnostic.ts';

/** A problem inside one file, placed by its offset in the text: a Diagnostic in the making. */
export type OffsetDiagnostic = {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly offset: number;
};

export function toDiagnostic(file: string, lines: Lines, finding: OffsetDiagnostic): Diagnostic {
  const { offset, ...problem } = finding;
  return { ...problem, source: { file, ...lines.place(offset) } };
}

/** A line and a column of a text, both from 1. */
export type LineColumn = { readonly line: number; readonly column: number };

/** Turns offsets of a text into places. */
export type Lines = { readonly place: (offset: number) => LineColumn };

/**
 * The lines of a text, counted when a position is first asked for. The package's own counter
 * misses the line breaks inside of what it cannot parse.
 */
export function linesOf(text: string): Lines {
  let starts: readonly number[] | undefined;
  return {
    place: (offset) => {
      // Where most documents start.
      if (offset === 0) return { line: 1, column: 1 };
      starts ??= lineStarts(text);
      // Some syntax errors are placed past the end.
      const within = Math.min(offset, text.length);
      const line = lastNotAfter(starts, within);
      return { line: line + 1, column: within - (starts[line] ?? 0) + 1 };
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return starts;
}

/** Index of the last of ascending numbers that is at most a limit; the first is 0. */
function lastNotAfter(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}

/** Problems of one file that are told; a file with more is not worth reading on. */
export const mostProblems = 100;
/** Lexical tokens of a file: half a megabyte of ordinary YAML, and a bound on time and memory. */
export const mostTokens = 200_000;

/** Values that all aliases of a document may add: what an alias bomb runs into. */
export const mostAliasedValues = 100_000;

// Assigning either can reach the prototype of objects all over a program that trusts its input.
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

const escape = /\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})/giu;

/** Escapes that YAML does not have; each would become an Error, and a text may hold 500,000. */
export function badEscapes(lexeme: string): number {
  if (!lexeme.startsWith('"') || !lexeme.includes('\\')) return 0;
  return lexeme.replaceAll(escape, '').split('\\').length - 1;
}

export function tooDeep(offset: number): OffsetDiagnostic {
  return {
    code: 'nesting-too-deep',
    severity: 'error',
    message: `Lists and mappings are nested more than ${deepestNesting} levels deep here.`,
    hint: 'Flatten the value.',
    offset,
  };
}

export function tooManyTokens(offset: number): OffsetDiagnostic {
  return {
    code: 'file-too-complex',
    severity: 'error',
    message: `The file has more than ${mostTokens} YAML tokens: the rest is not read.`,
    hint: 'Split it, for example into one file for each contract.',
    offset,
  };
}

export function tooManyBadEscapes(offset: number): OffsetDiagnostic {
  return {
    code: 'too-many-problems',
    severity: 'error',
    message: `The text that starts here has more than ${mostProblems} invalid escapes.`,
    hint: 'Use single quotes: a backslash has no meaning there.',
    offset,
  };
}

export function tooManyAliased(offset: number): OffsetDiagnostic {
  return {
    code: 'too-many-aliases',
    severity: 'error',
    message: `The aliases of this document expand to more than ${mostAliasedValues} values.`,
    hint: 'Write the values out, or split the document.',
    offset,
  };
}

export function loneSurrogate(text: string, offset: number): OffsetDiagnostic {
  return {
    code: 'lone-surrogate',
    severity: 'error',
    message: `Half of a surrogate pair in ${quote(text)} is no character: UTF-8 can't hold it.`,
    hint: String.raw`Write the character itself, or both halves: "\ud83d\ude00".`,
    offset,
  };
}
