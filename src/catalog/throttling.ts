/** What it means to people, and to the gate, that a catalog is asked too often. */

import type { Effects } from '../core/effects.ts';
import { count } from '../core/text.ts';
import { type Closed, createGate, type Gate, type Pause, type Reception } from '../http/gate.ts';
import { ApiError } from './api-error.ts';
import type { OpenConnection } from './connection.ts';
import type { CatalogRequest, Fault } from './request.ts';

/** Milliseconds to wait for one success, unless `--timeout-throttled` is given. */
const defaultPatience = 600_000;

/** The gate that all requests over a connection pass. */
export function openGate(connection: OpenConnection): Gate<Fault> {
  const { concurrency = Infinity, timeoutThrottledMs, effects, log, onRetry = log } = connection;
  const report = pauseReporter(effects, onRetry);
  return createGate({
    most: concurrency,
    patience: timeoutThrottledMs ?? defaultPatience,
    receptionOf,
    onPause: (pause) => {
      connection.onPause?.(pause.milliseconds);
      report(pause);
    },
    effects,
  });
}

function receptionOf(fault: Fault): Reception {
  const { status, retryAfterMs: asked } = fault;
  if (status === 429 || status === 503) {
    return { kind: 'refused', asked, isCertain: isThrottled(fault) };
  }
  return { kind: status !== undefined && status < 500 ? 'passed' : 'unclear' };
}

/** Whether the catalog is well and wants no more than to be asked less often. */
function isThrottled({ status, retryAfterMs }: Fault): boolean {
  return status === 429 || (status === 503 && retryAfterMs !== undefined);
}

/** Milliseconds between two lines about pauses that are shorter than that. */
const reportEvery = 5000;

function pauseReporter(
  { now }: Pick<Effects, 'now'>,
  report: (line: string) => void = () => undefined,
): (pause: Pause<Fault>) => void {
  let reportedAt = -Infinity;
  return (pause) => {
    if (pause.milliseconds < reportEvery && now() - reportedAt < reportEvery) return;
    reportedAt = now();
    report(describePause(pause));
  };
}

function describePause({ milliseconds, atOnce, fault }: Pause<Fault>): string {
  const reason =
    fault.status === 503 ? 'The catalog is too busy' : 'The catalog is rate-limiting requests';
  const seconds = Number((milliseconds / 1000).toFixed(1));
  const speed = atOnce === 1 ? 'one at a time' : `${atOnce} at once`;
  return `${reason}: ${seconds > 0 ? `waiting ${seconds} s, then ` : ''}${speed}.`;
}

/** The request is given up: unsent, or after refusals, of which one may have been carried out. */
export function notSent(
  request: CatalogRequest,
  closed: Closed<Fault>,
  doubt: Partial<Fault>,
): ApiError {
  const fault = closed.kind === 'ended' ? interrupted : tooLate(closed);
  return new ApiError(request, { ...fault, ...doubt }, 0);
}

const interrupted: Fault = {
  code: 'interrupted',
  message: 'The run was interrupted before this request was sent.',
  transient: false,
  mayHaveLanded: false,
};

/** Without the refusal's status: that was the answer to an earlier sending. */
function tooLate({ fault, resumesIn, patience }: Closed<Fault> & { kind: 'too-late' }): Fault {
  const complaint =
    resumesIn > patience
      ? `It asks for a pause of ${inSeconds(resumesIn)}, longer than the ${inSeconds(patience)} allowed.`
      : `No request succeeded for ${inSeconds(patience)}.`;
  return {
    code: 'throttled-too-long',
    message: `${fault.message} ${complaint}`,
    hint: 'Run again later, lower --concurrency, or increase --timeout-throttled.',
    transient: false,
    mayHaveLanded: false,
  };
}

function inSeconds(milliseconds: number): string {
  return count(Number((milliseconds / 1000).toFixed(1)), 'second', 'seconds');
}
