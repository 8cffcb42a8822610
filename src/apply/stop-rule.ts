import type { Outcome, OutcomeError } from './outcome.ts';

/** Decides whether a run may go on to its next change. */
type StopRule = {
  /** Why not, or undefined where it may. */
  readonly reason: () => OutcomeError | undefined;
  readonly note: (outcome: Outcome) => void;
};

type StopRuleOptions = {
  readonly signal: AbortSignal | undefined;
  readonly maxFailures: number | undefined;
};

/** So many failures one after the other, and the fault is hardly the contracts'. */
const longestRow = 10;

/** Without one of these permissions every further change would fail as well. */
const deniedCodes: ReadonlySet<string> = new Set(['unauthorized', 'forbidden']);

/** A count that the user gives replaces both of our own reasons to stop. */
export function createStopRule({ signal, maxFailures }: StopRuleOptions): StopRule {
  let failures = 0;
  let inRow = 0;
  let stop: OutcomeError | undefined;

  function note({ result, error }: Outcome): void {
    if (result === 'skipped') return;
    const isFailure = result === 'failed' || result === 'unverified';
    failures += Number(isFailure);
    inRow = isFailure ? inRow + 1 : 0;
    if (maxFailures !== undefined) {
      if (failures >= maxFailures) stop ??= stopped(`after ${failures} failed`);
    } else if (error && deniedCodes.has(error.code)) {
      stop ??= stopped('because the catalog denies access');
    } else if (inRow >= longestRow) {
      stop ??= stopped(`after ${inRow} failed in a row`);
    }
  }

  return { reason: () => (signal?.aborted ? interrupted : stop), note };
}

const interrupted: OutcomeError = {
  code: 'interrupted',
  message: 'Not attempted: the run was interrupted.',
  hint: 'Apply again: what has landed is not sent twice.',
};

function stopped(why: string): OutcomeError {
  return {
    code: 'stopped-early',
    message: `Not attempted: the run stopped ${why}.`,
    hint: 'Mend the cause and apply again, or allow more with --max-failures.',
  };
}
