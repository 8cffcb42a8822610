/** What became of a plan, as plain JSON (`schemas/outcomes.schema.json`). */

import type { Diagnostic } from '../diagnostic.ts';

export type OutcomeResult = 'applied' | 'unchanged' | 'stale' | 'failed' | 'unverified' | 'skipped';

/** What became of one change. */
export type Outcome = {
  readonly result: OutcomeResult;
  readonly id: string;
  readonly fullyQualifiedName?: string;
  readonly versionBefore?: string;
  readonly versionAfter?: string;
  readonly error: OutcomeError | null;
};

export type OutcomeError = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
};

export type Outcomes = {
  readonly formatVersion: '1.0';
  /** Absent where no plan could be made, so that nothing was applied. */
  readonly planHash?: string;
  readonly summary: Readonly<Record<OutcomeResult, number>>;
  /** In the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** What kept the run from applying anything. */
  readonly diagnostics: readonly Diagnostic[];
};

export function summarizeOutcomes(planHash: string, outcomes: readonly Outcome[]): Outcomes {
  return {
    formatVersion: '1.0',
    planHash,
    summary: countResults(outcomes),
    outcomes,
    diagnostics: [],
  };
}

/** What stands in place of the outcomes of a plan that was not applied. */
export function nothingApplied(diagnostics: readonly Diagnostic[]): Outcomes {
  return { formatVersion: '1.0', summary: countResults([]), outcomes: [], diagnostics };
}

function countResults(outcomes: readonly Outcome[]): Outcomes['summary'] {
  const summary = { applied: 0, unchanged: 0, stale: 0, failed: 0, unverified: 0, skipped: 0 };
  for (const { result } of outcomes) summary[result] += 1;
  return summary;
}

/** Whether every change has landed. */
export function allLanded({ summary }: Outcomes): boolean {
  return summary.stale + summary.failed + summary.unverified + summary.skipped === 0;
}
