import { compareCodeUnits, compareNames, defined } from './json.ts';

export type Severity = 'error' | 'warning' | 'information';

/** A place in a file; line and column count from 1, the column in UTF-16 code units. */
export type SourcePosition = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The key there, where the file's word for it differs from the contract's. */
  readonly key?: string;
  /**
   * Absent for a contract in this program's own format. `version`: no file, but the state of a
   * contract that a rollback returns to; line and column don't count.
   */
  readonly format?: 'odcs' | 'configuration' | 'version';
};

/** One problem of the user's input, collected and never thrown. */
export type Diagnostic = {
  /** Stable, kebab-case: scripts and tests rely on it. */
  readonly code: string;
  readonly severity: Severity;
  /** One full sentence that says the fault. */
  readonly message: string;
  readonly hint?: string;
  readonly source?: SourcePosition;
  /**
   * The subject, if a rule depends on it: how the run was started; whether the plan is the reviewed
   * one; one contract, whose error leaves the others to be applied; the effect of a change.
   */
  readonly scope?: 'run' | 'plan' | 'contract' | 'change';
};

export function renamePlace<Placed extends { readonly source?: SourcePosition }>(
  placed: Placed,
  nameOf: (file: string) => string,
): Placed {
  const { source } = placed;
  if (!source || source.format === 'version') return placed;
  return { ...placed, source: { ...source, file: nameOf(source.file) } };
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

export function sortDiagnostics<Kind extends Diagnostic>(diagnostics: readonly Kind[]): Kind[] {
  return diagnostics.toSorted((a, b) => {
    const one = a.source;
    const other = b.source;
    const byFile =
      one && other
        ? (one.file === other.file ? 0 : compareNames(one.file, other.file)) ||
          one.line - other.line ||
          one.column - other.column
        : Number(Boolean(one)) - Number(Boolean(other));
    return byFile || compareCodeUnits(a.code, b.code) || compareCodeUnits(a.message, b.message);
  });
}

/** The effect of a change on the contract's consumers. */
export type Impact = 'breaking' | 'warning' | 'information';

/** A finding about one contract; an error blocks it. */
export type Problem = Diagnostic & {
  /** The effect on consumers, whatever severity the contract's status makes of it. */
  readonly impact?: Impact;
  /** Of a breaking change, as an exception names it: `schema.fax_number`. */
  readonly place?: string;
  /** Whether the cause is an edit in the catalog, and not in the file. */
  readonly isDrift?: boolean;
  /** The exception that keeps the problem from being an error. */
  readonly allowed?: Permission;
};

/** Without what a plan alone says of it. */
export function plainDiagnostic({ code, severity, message, hint, source }: Problem): Diagnostic {
  return { code, severity, message, ...defined({ hint, source }) };
}

/** Why a rule does not hold here, and the last day of that: `2027-01-31`. */
export type Permission = { readonly reason: string; readonly until?: string };

/** An error that ends a run; problems of files are Diagnostics. */
export class SyncError extends Error {
  override readonly name: string = 'SyncError';
  /** Stable, kebab-case: scripts and tests rely on it. */
  readonly code: string;
  readonly hint: string | undefined;

  constructor(
    code: string,
    message: string,
    { hint, cause }: { hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
  }
}

/** A setting that cannot be used; the message names the flag, variable or file key at fault. */
export class ConfigError extends SyncError {
  override readonly name = 'ConfigError';
}

/** A fault of the repository's own configuration, which a change of its files mends. */
export class RepositoryError extends ConfigError {}

export class DiagnosticsError extends SyncError {
  override readonly name = 'DiagnosticsError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(code: string, message: string, diagnostics: readonly Diagnostic[]) {
    super(code, message);
    this.diagnostics = diagnostics;
  }
}

/** Ends the run where there is any problem. */
export function refuseAny(problems: readonly Diagnostic[]): void {
  const [first] = problems;
  if (first) throw new DiagnosticsError(first.code, first.message, problems);
}

/** The problems of an error that ends a run; throws any other error again. */
export function toDiagnostics(error: unknown): readonly Diagnostic[] {
  if (!(error instanceof SyncError)) throw error;
  if (error instanceof DiagnosticsError) return error.diagnostics;
  const { code, message, hint } = error;
  return [{ code, severity: 'error', message, ...(hint !== undefined && { hint }) }];
}
