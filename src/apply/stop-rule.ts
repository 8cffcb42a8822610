import { isContractFault } from '../catalog/products/product.ts';
import type { Outcome, OutcomeError } from './outcome.ts';
import { reasons } from './reasons.ts';

/** Decides whether a run may go on to its next change. */
export type StopRule = {
  /** Why the run ends, or undefined where it goes on. */
  readonly reason: () => OutcomeError | undefined;
  readonly note: (outcome: Outcome) => void;
  /** A change was sent; whether the catalog said yes. If not, it takes a read to know more. */
  readonly noteSent: (isAnswered: boolean) => void;
  /** Whether another change may be sent before a read tells what became of the open ones. */
  readonly mayGoOn: () => boolean;
  /** A read has told what became of those; some may have to be sent again. */
  readonly noteRead: (toSendAgain: number) => void;
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
  let failuresInRow = 0;
  let open = 0;
  let openInRow = 0;
  // Twice as long after each read that finds no harm: a plan that has grown old takes few reads.
  let longestOpenRow = longestRow;
  let failuresAtRead = 0;
  let stop: OutcomeError | undefined;

  function note(outcome: Outcome): void {
    const { result, error } = outcome;
    if (result === 'skipped') return;
    const isFailure = result === 'failed' || result === 'unverified';
    failures += Number(isFailure);
    failuresInRow = isFailure ? failuresInRow + Number(!isItsOwn(outcome)) : 0;
    if (maxFailures !== undefined) {
      if (failures >= maxFailures) stop ??= stopped(`after ${failures} failures`);
    } else if (error && deniedCodes.has(error.code)) {
      stop ??= stopped('because the catalog denies access');
    } else if (failuresInRow >= longestRow) {
      stop ??= stopped(`after ${failuresInRow} failures in a row`);
    }
  }

  function noteSent(isAnswered: boolean): void {
    open += Number(!isAnswered);
    openInRow = isAnswered ? 0 : openInRow + 1;
    if (isAnswered) failuresInRow = 0;
  }

  function noteRead(toSendAgain: number): void {
    const wasHarmless = toSendAgain === 0 && failures === failuresAtRead;
    if (wasHarmless && openInRow >= longestOpenRow) longestOpenRow *= 2;
    failuresAtRead = failures;
    open = 0;
    openInRow = 0;
  }

  const reason = () => (signal?.aborted ? reasons.notAttempted : stop);
  const isPatient = () =>
    maxFailures === undefined
      ? failuresInRow + openInRow < longestOpenRow
      : failures + open < maxFailures;
  return { reason, note, noteSent, noteRead, mayGoOn: () => !reason() && isPatient() };
}

function stopped(why: string): OutcomeError {
  return {
    code: 'stopped-early',
    message: `Not attempted: the run stopped ${why}.`,
    hint: 'Fix the cause and apply again, or raise --max-failures.',
  };
}

/** A contract that is wrong in itself says nothing of the others. */
function isItsOwn({ error }: Outcome): boolean {
  return error !== null && isContractFault(error.code);
}
