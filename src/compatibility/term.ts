/** How long a status has to last before it makes a breaking change less grave. */

import { formatDay } from '../core/time.ts';

/** Since when a contract has its status, by the catalog's history. */
export type StatusSince = {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly version?: string;
  /** Whether it may have had it before: no earlier version is known. */
  readonly isAtLeast: boolean;
};

/** A term that a status has to last. */
export type Term = {
  readonly status: string;
  /** In milliseconds. */
  readonly lasts: number;
  /** The start of the day on which it is judged, in epoch milliseconds. */
  readonly today: number;
};

type TermVerdict = {
  readonly isOver: boolean;
  /** A sentence. */
  readonly reason: string;
};

const day = 24 * 60 * 60_000;

/** A term ends with a day (UTC): the plans of one day say one thing. What nobody knows has not ended. */
export function judgeTerm(
  { status, lasts, today }: Term,
  since: StatusSince | undefined,
): TermVerdict {
  if (!since)
    return {
      isOver: false,
      reason: `The catalog's history doesn't say since when the contract is ${status}.`,
    };
  const end = Math.ceil((since.time + lasts) / day) * day;
  const isOver = end <= today;
  const { version } = since;
  const from = `${status} since ${formatDay(since.time)}${since.isAtLeast ? ' or longer' : ''}`;
  const by = version === undefined ? '' : ` (version ${version})`;
  const verdict = isOver ? 'allowed since' : 'allowed from';
  return { isOver, reason: `${from}${by}: ${verdict} ${formatDay(end)}${isOver ? '' : ' on'}.` };
}
