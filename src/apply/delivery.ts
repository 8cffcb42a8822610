import type { Dialect } from '../catalog/dialects/dialect.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { isRepeatable, plannedState, type WriteState } from './guard.ts';
import type { SendMode } from './guard-mode.ts';
import type { Sent } from './send.ts';

/** What is known of a change on its way into the catalog. */
export type Delivery = {
  readonly change: UpdatePlan;
  readonly dialect: Dialect;
  /** How often the patch was sent; being throttled does not count. */
  readonly sendings: number;
  /** How it was sent last, and what came of that; absent before the first sending. */
  readonly last?: { readonly mode: SendMode; readonly sent: Sent };
  /** The tag was refused though the contract had not moved. */
  readonly isTagRefused?: true;
  /** What this run has read of the contract when it had not moved; absent before the first read. */
  readonly state?: WriteState;
  /**
   * Whether a sending may have landed, or may land yet: `hardly` where all such were refused, but
   * in a way that the interface does not know.
   */
  readonly mayHaveLanded: 'no' | 'hardly' | 'maybe';
};

/** A change that is still to be sent. */
export function undelivered(change: UpdatePlan, dialect: Dialect): Delivery {
  return { change, dialect, sendings: 0, mayHaveLanded: 'no' };
}

/** What is known once the patch has been sent again. */
export function afterSending(delivery: Delivery, mode: SendMode, sent: Sent): Delivery {
  return {
    ...delivery,
    sendings: delivery.sendings + Number(sent.kind !== 'throttled'),
    last: { mode, sent },
    mayHaveLanded: chanceAfter(delivery.mayHaveLanded, sent),
  };
}

function chanceAfter(before: Delivery['mayHaveLanded'], sent: Sent): Delivery['mayHaveLanded'] {
  if (before === 'maybe' || sent.kind === 'throttled') return 'maybe';
  if (sent.kind !== 'lost') return before;
  return sent.error.outcome === 'unknown' ? 'maybe' : 'hardly';
}

/** For `If-Match`, beside the tests, where the dialect knows how its server makes tags. */
export function tagOf({ change, dialect, state }: Delivery): string | undefined {
  return dialect.tagFor(state ?? plannedState(change), change.patch);
}

/** Whether two sendings of it could both land, and do harm: a guard is all that prevents that. */
export function couldLandTwice({ change, mayHaveLanded }: Delivery): boolean {
  return mayHaveLanded !== 'no' && !isRepeatable(change.patch);
}

/** Why the last sending was not answered with yes; undefined where it was, or there was none. */
export function errorOf({ last }: Delivery): unknown {
  return last && 'error' in last.sent ? last.sent.error : undefined;
}
