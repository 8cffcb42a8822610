import type { Diagnostic, Severity } from '../../core/diagnostic.ts';
import { deepestNesting } from '../../core/json.ts';

export type Finding = Omit<Diagnostic, 'severity' | 'source'> & {
  /** Default: an error. */
  readonly severity?: Severity;
};

/** By offset, in UTF-16 code units. */
export type OffsetDiagnostic = Finding & {
  readonly offset: number;
  /** JSON can't hold a value; the rest of the document can still be edited. */
  readonly ofValue?: true;
};

export function toDiagnostic(file: string, lines: Lines, finding: OffsetDiagnostic): Diagnostic {
  const { offset, ofValue: _, ...problem } = finding;
  const { code, severity = 'error', ...words } = problem;
  const source = { file, ...lines.place(offset) };
  // The order of members is that of the JSON output.
  return problem.severity ? { ...problem, severity, source } : { code, severity, ...words, source };
}

export type LineColumn = { readonly line: number; readonly column: number };

/** Lines and columns count from 1. */
export type Lines = { readonly place: (offset: number) => LineColumn };

/** Lazy: of most files no place is needed. */
export function linesOf(text: string): Lines {
  let starts: readonly number[] | undefined;
  return {
    place: (offset) => {
      if (offset === 0) return { line: 1, column: 1 };
      starts ??= [0, ...text.matchAll(/\n/gu).map(({ index }) => index + 1)];
      // Some syntax errors are placed past the end.
      const within = Math.min(offset, text.length);
      let [line, after] = [0, starts.length];
      while (after - line > 1) {
        const middle = (line + after) >> 1;
        if ((starts[middle] ?? 0) <= within) line = middle;
        else after = middle;
      }
      return { line: line + 1, column: within - (starts[line] ?? 0) + 1 };
    },
  };
}

export const mostProblems = 100;

// Assigning either can pollute prototypes in programs that read the values.
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

export const tooDeep = {
  code: 'nesting-too-deep',
  message: `Lists and mappings are nested more than ${deepestNesting} levels deep here.`,
  hint: 'Flatten the value.',
};
