/** A run that is about fewer contracts: what has a file is asked of all files all the same. */

import type { Diagnostic } from '../core/diagnostic.ts';
import type { Narrowed, ReadResult } from '../files/files.ts';
import type { Rules } from '../plan/rules.ts';
import type { Selection } from '../plan/selection.ts';
import { withoutRetirement } from './moves.ts';

type Wide = {
  readonly rules: Rules;
  readonly selection?: Selection;
  /** Whether files have errors that the run leaves out: what they declare is not known. */
  readonly isBlind?: boolean;
};

/** The run with its selection by files, and without what it can't know enough for. */
export function narrowRun<Run extends Wide>(
  run: Run,
  { narrowed, diagnostics }: Pick<ReadResult, 'narrowed' | 'diagnostics'>,
): { readonly run: Run; readonly diagnostics: readonly Diagnostic[] } {
  if (!narrowed) return { run, diagnostics };
  const { only, exclude, ...selection } = run.selection ?? { only: [], exclude: [] };
  return {
    run: {
      ...run,
      isBlind: narrowed.isBlind,
      selection: { only, exclude, ...selection, named: narrowed },
      rules: narrowed.isBlind ? withoutRetirement(run.rules) : run.rules,
    },
    diagnostics: [...diagnostics, ...refuseOutside(narrowed, run.rules)],
  };
}

/** Two runs, one with the path and one without, would take turns to undo each other. */
function refuseOutside({ outside }: Narrowed, { unmanaged }: Rules): Diagnostic[] {
  if (unmanaged.rule !== 'deprecate') return [];
  return outside.map((file) => ({
    code: 'file-outside-include',
    severity: 'error',
    message:
      '`contracts.include` leaves this file out, so `unmanaged: deprecate` retires its contract.',
    hint: 'Add the file to `contracts.include`, or name others.',
    source: { file, line: 1, column: 1 },
  }));
}
