/** What became of a change, from how its sending ended and what the catalog stores. Pure. */

import { retryPolicy } from '../catalog/retry.ts';
import { ApiError } from '../catalog/api-error.ts';
import type { LiveContract } from '../contract/contract.ts';
import { type Delivery, errorOf, tagOf } from './delivery.ts';
import { hasMoved, writeState } from './guard.ts';
import type { TestAnswer } from './guard-mode.ts';
import { landed, notLanded, type Outcome, type OutcomeError, skipped } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import { type Comparing, missingFrom, type Stored } from './stored.ts';

export type Decided =
  | { readonly kind: 'settled'; readonly outcome: Outcome }
  /** More can be done: to send it, or to read what became of it. */
  | { readonly kind: 'open'; readonly delivery: Delivery };

/** Refused though its guard holds: it is the patch, or the catalog takes no `test`. */
type Doubtful = {
  readonly kind: 'doubtful';
  readonly delivery: Delivery;
  readonly live: LiveContract;
};

export type Settlement = Decided | Doubtful;

/** What can be said before the catalog is read; undefined: nothing yet. */
export function settleUnread(delivery: Delivery): Outcome | undefined {
  const { dialect, last, mayHaveLanded } = delivery;
  if (!last || mayHaveLanded !== 'no') return undefined;
  const { sent } = last;
  const isFinal =
    sent.kind === 'unsent' || (sent.kind === 'refused' && !dialect.isRefusedGuard(sent.error));
  return isFinal ? failed(delivery) : undefined;
}

/** What can be said once it is known what the catalog stores. */
export function settleStored(delivery: Delivery, stored: Stored, comparing: Comparing): Settlement {
  switch (stored.kind) {
    case 'seen':
      return settleSeen(delivery, stored.live, comparing);
    case 'gone':
      return settled(unseen(delivery, reasons.gone, 'stale'));
    case 'deleted':
      return settled(unseen(delivery, reasons.deleted, 'stale'));
    case 'interrupted':
      return settled(abandon(delivery, reasons.interrupted));
    case 'unreadable':
      return settled(unseen(delivery, unreadable(delivery, explain(stored.error)), 'failed'));
  }
}

export function settled(outcome: Outcome): Decided {
  return { kind: 'settled', outcome };
}

function answerTo({ last }: Delivery): LiveContract | undefined {
  return last?.sent.kind === 'answered' ? last.sent.live : undefined;
}

function isAnswered(delivery: Delivery): boolean {
  return answerTo(delivery) !== undefined;
}

function unseen(delivery: Delivery, why: OutcomeError, result: 'stale' | 'failed'): Outcome {
  const { change } = delivery;
  return isAnswered(delivery)
    ? notLanded(change, 'unverified', reasons.unverified(why.message))
    : notLanded(change, result, why);
}

/** Why nothing can be said of a contract that could not be read. */
function unreadable(delivery: Delivery, why: OutcomeError): OutcomeError {
  if (isAnswered(delivery)) return why;
  if (delivery.mayHaveLanded !== 'no') return reasons.unknown(why.message);
  const error = errorOf(delivery);
  if (error === undefined) return why;
  return reasons.refused({ ...explainRefusal(delivery), why: why.message });
}

/** What is said of a change on which the run does not go on. */
export function abandon(delivery: Delivery, why: OutcomeError): Outcome {
  const { change, mayHaveLanded } = delivery;
  if (isAnswered(delivery)) return notLanded(change, 'unverified', reasons.unverified(why.message));
  if (mayHaveLanded === 'no') return skipped(change, why);
  return notLanded(change, 'failed', reasons.unknown(why.message));
}

function settleSeen(delivery: Delivery, live: LiveContract, comparing: Comparing): Settlement {
  const { change, dialect, mayHaveLanded } = delivery;
  const missing = missingFrom(live, change, comparing);
  const isOurs = isAnswered(delivery) || mayHaveLanded !== 'no';
  if (missing.length === 0) {
    const result = isOurs ? 'applied' : 'unchanged';
    return settled(landed(change, live, result, answerTo(delivery)));
  }
  const seen = { live, differences: missing };
  const moved = hasMoved(change, live, dialect);
  if (isAnswered(delivery)) {
    const reason = moved ? reasons.differs(missing) : reasons.storedNothing(missing);
    return settled(notLanded(change, 'unverified', reason, seen));
  }
  if (!moved) return settleUnmoved(delivery, live);
  // Some catalogs keep the version of a contract that they change.
  const version = live.version === change.liveVersion ? undefined : live.version;
  const reason = isOurs ? reasons.movedOn(version) : reasons.moved(version);
  return settled(notLanded(change, 'stale', reason, seen));
}

function settleUnmoved(delivery: Delivery, live: LiveContract): Settlement {
  const { change, dialect, last, sendings } = delivery;
  const open = { kind: 'open', delivery: { ...delivery, state: writeState(live) } } as const;
  if (!last || last.sent.kind === 'answered' || last.sent.kind === 'throttled') return open;
  const { mode, sent } = last;
  if (sent.kind === 'unsent') return settled(failed(delivery));
  if (isTagRefused(delivery)) {
    return { kind: 'open', delivery: { ...open.delivery, isTagRefused: true } };
  }
  if (mode === 'guarded' && dialect.isRefusedTest(sent.error)) {
    return dialect.knowsTests
      ? settled(notLanded(change, 'stale', explainRefusal(delivery)))
      : { kind: 'doubtful', delivery, live };
  }
  const isWorthAnother = sent.kind === 'lost' && canHelp(sent.error, sendings);
  return isWorthAnother ? open : settled(failed(delivery));
}

/** Whether the catalog makes other tags than its dialect is known to make: once is enough to know. */
function isTagRefused(delivery: Delivery): boolean {
  const error = errorOf(delivery);
  return (
    error instanceof ApiError &&
    error.status === 412 &&
    delivery.isTagRefused !== true &&
    tagOf(delivery) !== undefined
  );
}

/** Whether another sending may get a better answer. */
function canHelp({ code, outcome, retryAfterMs = 0 }: ApiError, sendings: number): boolean {
  // The writer goes on with its other media type.
  if (code === 'unsupported-media-type') return sendings < 2;
  return (
    outcome === 'unknown' &&
    sendings < retryPolicy.attempts &&
    retryAfterMs <= retryPolicy.longestAsked
  );
}

/** What a refusal meant, once it is known whether the catalog takes tests. */
export function decide({ delivery }: Doubtful, tests: TestAnswer): Decided {
  if (tests !== 'refused') return settled(failed(delivery));
  // No patch with a test lands in such a catalog, so this one has not, whatever the status.
  const mayHaveLanded = delivery.mayHaveLanded === 'hardly' ? 'no' : delivery.mayHaveLanded;
  return { kind: 'open', delivery: { ...delivery, mayHaveLanded } };
}

/** Why the last sending was not answered with yes, in the words of the catalog's dialect. */
function explainRefusal(delivery: Delivery): OutcomeError {
  const { change, dialect } = delivery;
  const error = errorOf(delivery);
  const fault = error instanceof ApiError ? dialect.explain(error, change.patch) : undefined;
  return fault ?? explain(error);
}

/** The contract does not show the change so far, and no more is done about it. */
export function failed(delivery: Delivery): Outcome {
  const told = explainRefusal(delivery);
  const reason = delivery.mayHaveLanded === 'maybe' ? reasons.mayStillLand(told) : told;
  return notLanded(delivery.change, 'failed', reason);
}
