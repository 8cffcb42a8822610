import type { Diagnostic } from './diagnostic.ts';

/** An error that ends a run; problems of files are Diagnostics. */
export class SyncError extends Error {
  override readonly name: string = 'SyncError';
  /** Stable, kebab-case: scripts and tests rely on it. */
  readonly code: string;
  /** What to do about it. */
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

/** A configuration that the repository itself must not have, so that whoever changes its files can mend it. */
export class RepositoryError extends ConfigError {}

export class DiagnosticsError extends SyncError {
  override readonly name = 'DiagnosticsError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(code: string, message: string, diagnostics: readonly Diagnostic[]) {
    super(code, message);
    this.diagnostics = diagnostics;
  }
}

/** The problems of an error that ends a run; throws any other error again. */
export function toDiagnostics(error: unknown): readonly Diagnostic[] {
  if (!(error instanceof SyncError)) throw error;
  if (error instanceof DiagnosticsError) return error.diagnostics;
  const { code, message, hint } = error;
  return [{ code, severity: 'error', message, ...(hint !== undefined && { hint }) }];
}
