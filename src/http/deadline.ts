/** The parts of an answer that are waited for, each with the whole time limit to itself. */
type Phase = 'headers' | 'body';

/** The server took too long. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(phase: Phase, milliseconds: number) {
    const missed = phase === 'headers' ? 'did not answer' : 'did not finish its answer';
    super(`${missed} within ${milliseconds / 1000} seconds`);
  }
}

/** A clock that aborts `signal` when a phase lasts too long. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Ends the phase before it, if any, and gives this one its full time. */
  readonly begin: (phase: Phase) => void;
  readonly end: () => void;
};

/** `parent` aborts as well: then the answer is no longer wanted. */
export function startDeadline(milliseconds: number, parent?: AbortSignal): Deadline {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearTimeout(timer);
  return {
    signal: parent ? AbortSignal.any([late.signal, parent]) : late.signal,
    begin: (phase) => {
      end();
      timer = setTimeout(() => late.abort(new DeadlineError(phase, milliseconds)), milliseconds);
    },
    end,
  };
}
