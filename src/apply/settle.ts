/** What became of a change, from how its sending ended and what the catalog stores. Pure. */

import { retryPolicy } from '../catalog/send.ts';
import { ApiError } from '../catalog/fault.ts';
import type { LiveContract } from '../contract/contract.ts';
import { hasMoved, isOtherTag, isRepeatable, patched } from './guard.ts';
import type { Lesson, Lessons } from './run.ts';
import { landed, notLanded, type Outcome, type OutcomeError, overlapped } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import {
  type Comparing,
  missingFrom,
  noteOfStatus,
  type Stored,
  overwrittenPlaces,
} from './stored.ts';
import type { Product } from '../catalog/products/product.ts';
import { guardOf } from '../patch/describe.ts';
import type { DiffOptions, Patch } from '../patch/operation.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { patchOf, sidesOf } from '../plan/change.ts';

/**
 * `bare`: whole fields without a guard. `trial`: whole fields with a guard that can't hold, to find
 * out whether guards are heeded.
 */
export type Form = 'guarded' | 'bare' | 'trial';

export type Sent =
  | { readonly kind: 'answered'; readonly live: LiveContract }
  /**
   * `paused`: a pause outlasted the read that the patch builds on; the patch may have been sent
   * before.
   */
  | { readonly kind: 'refused' | 'lost' | 'paused'; readonly error: ApiError }
  | { readonly kind: 'unsent'; readonly error: unknown };

export type Delivery = {
  readonly change: UpdatePlan;
  readonly patch: Patch;
  readonly valueTests: Patch;
  readonly dialect: Product;
  readonly last?: { readonly form: Form; readonly sent: Sent; readonly tag: string | undefined };
  readonly losses: number;
  /** `hardly`: every sending was refused, but in a way that the interface does not know. */
  readonly mayHaveLanded: 'no' | 'hardly' | 'maybe';
  /**
   * What may be in flight and would do harm if it landed twice: `patch` as planned, before which
   * nothing else may land; or whole `fields`, which the planned patch must not follow.
   */
  readonly underWay: 'nothing' | 'fields' | 'patch';
  readonly isDoubted: boolean;
  readonly live?: LiveContract;
  /** The whole contract as read right before the last sending, where edits may have merged. */
  readonly before?: LiveContract;
};

export function undelivered(change: UpdatePlan, dialect: Product, arrays: DiffOptions): Delivery {
  const tests = guardOf(change.changes, sidesOf(change).live, arrays, dialect.isTestable);
  return {
    change,
    patch: patchOf(change.changes),
    // Reading makes 4.0 the number 4: where the catalog tells them apart, integers aren't tested.
    valueTests: dialect.comparesNumbers
      ? tests
      : tests.filter((test) => !('value' in test && Number.isInteger(test.value))),
    dialect,
    losses: 0,
    mayHaveLanded: 'no',
    underWay: 'nothing',
    isDoubted: false,
  };
}

export function afterSending(delivery: Delivery, last: NonNullable<Delivery['last']>): Delivery {
  const { live: _, ...rest } = delivery;
  const mayHaveLanded = chanceAfter(delivery.mayHaveLanded, last.sent);
  return { ...rest, last, mayHaveLanded, underWay: underWayAfter(delivery, last) };
}

function chanceAfter(before: Delivery['mayHaveLanded'], sent: Sent): Delivery['mayHaveLanded'] {
  if (sent.kind === 'answered' || sent.kind === 'unsent') return before;
  const { isSecondTry, outcome } = sent.error;
  const isUnknown = isSecondTry || (sent.kind === 'lost' && outcome === 'unknown');
  if (before === 'maybe' || isUnknown) return 'maybe';
  return sent.kind === 'lost' ? 'hardly' : before;
}

function underWayAfter(
  { patch, underWay }: Delivery,
  { form, sent }: NonNullable<Delivery['last']>,
): Delivery['underWay'] {
  const isLost =
    (sent.kind === 'lost' || sent.kind === 'paused') && sent.error.outcome === 'unknown';
  if (!isLost || underWay === 'patch' || isRepeatable(patch)) return underWay;
  return form === 'guarded' ? 'patch' : 'fields';
}

function errorOf({ last }: Delivery): unknown {
  return last && 'error' in last.sent ? last.sent.error : undefined;
}

export type Decided = { readonly lesson?: Lesson | undefined } & (
  | { readonly kind: 'settled'; readonly outcome: Outcome }
  | { readonly kind: 'open'; readonly delivery: Delivery }
);

type Settling = Comparing & {
  readonly lessons: Pick<Lessons, 'mayBeRefused'>;
  readonly isAhead: boolean;
};

export function settleUnread(delivery: Delivery): Outcome | undefined {
  const { last, mayHaveLanded } = delivery;
  if (!last || mayHaveLanded !== 'no') return undefined;
  const { kind } = last.sent;
  const isFinal = kind === 'unsent' || (kind === 'refused' && !meaningOf(delivery)?.isRefusedGuard);
  return isFinal ? failed(delivery) : undefined;
}

export function settleStored(delivery: Delivery, stored: Stored, settling: Settling): Decided {
  const decided = settleAs(delivery, stored, settling);
  const { before } = delivery;
  const answer = answerTo(delivery);
  if (decided.kind === 'open' || !before || !answer) return decided;
  const now = stored.kind === 'seen' ? [answer, stored.live] : [answer];
  const lost = overwrittenPlaces(delivery.change, before, now, settling);
  if (lost.length === 0) return decided;
  const why = reasons.overlapped(lost, before);
  return { ...decided, outcome: overlapped(decided.outcome, why, lost) };
}

function settleAs(delivery: Delivery, stored: Stored, settling: Settling): Decided {
  switch (stored.kind) {
    case 'seen':
      return settleSeen(delivery, stored.live, settling);
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

export function settled(outcome: Outcome, lesson?: Lesson): Decided {
  return { kind: 'settled', outcome, lesson };
}

function answerTo({ last }: Delivery): LiveContract | undefined {
  return last?.sent.kind === 'answered' ? last.sent.live : undefined;
}

function unseen(delivery: Delivery, why: OutcomeError, otherwise: 'stale' | 'failed'): Outcome {
  const { change, mayHaveLanded } = delivery;
  if (answerTo(delivery)) return notLanded(change, 'unverified', reasons.unverified(why.message));
  return mayHaveLanded === 'no'
    ? notLanded(change, otherwise, why)
    : notLanded(change, 'unverified', reasons.unknown(why.message));
}

function unreadable(delivery: Delivery, why: OutcomeError): OutcomeError {
  return errorOf(delivery) === undefined || delivery.mayHaveLanded !== 'no'
    ? why
    : reasons.refused(explainRefusal(delivery), why.message);
}

export function abandon(delivery: Delivery, why: OutcomeError): Outcome {
  const { change, mayHaveLanded } = delivery;
  return !answerTo(delivery) && mayHaveLanded === 'no'
    ? notLanded(change, 'skipped', why)
    : unseen(delivery, why, 'failed');
}

function settleSeen(delivery: Delivery, live: LiveContract, settling: Settling): Decided {
  const { change, dialect, mayHaveLanded } = delivery;
  const missing = missingFrom(live, change, settling);
  const answer = answerTo(delivery);
  const isOurs = answer !== undefined || mayHaveLanded !== 'no';
  const seen = { live, differences: missing };
  const note = noteOfStatus(change, answer, seen, settling);
  if (missing.length === 0 || note !== undefined) {
    const sending = { answer, isGuarded: dialect.knowsTests, note };
    return settled(landed(change, live, isOurs ? 'applied' : 'unchanged', sending));
  }
  const isOther = settling.isAhead && patched(delivery.patch, live) === undefined;
  const moved = isOther || hasMoved(change, delivery.valueTests, live, dialect);
  if (answer) {
    const reason = moved ? reasons.differs(missing) : reasons.storedNothing(missing);
    return settled(notLanded(change, 'unverified', reason, seen));
  }
  return moved ? settleMoved(delivery, seen, isOurs) : settleUnmoved(delivery, live, settling);
}

function settleMoved(
  delivery: Delivery,
  seen: { readonly live: LiveContract; readonly differences: readonly string[] },
  isOurs: boolean,
): Decided {
  const { change } = delivery;
  const { live } = seen;
  // Some catalogs keep the version of a contract that they change.
  const version = live.version === change.liveVersion ? undefined : live.version;
  const isGuardRefused =
    delivery.last?.form === 'guarded' && meaningOf(delivery)?.isRefusedTest === true;
  const [result, reason] = isOurs
    ? (['unverified', reasons.movedOn(version)] as const)
    : (['stale', reasons.moved(version)] as const);
  const lesson = isGuardRefused ? 'false-test-refused' : undefined;
  return settled(notLanded(change, result, reason, seen), lesson);
}

function settleUnmoved(delivery: Delivery, live: LiveContract, settling: Settling): Decided {
  const { change, patch, dialect, last, losses } = delivery;
  const open = { kind: 'open', delivery: { ...delivery, live } } as const;
  if (settling.isAhead || !last || !('error' in last.sent)) return open;
  if (last.sent.kind === 'unsent') return settled(failed(delivery));
  const { error } = last.sent;
  if (error.status === 202) return settled(notLanded(change, 'held', explain(error)));
  const { isRefusedTest } = dialect.meaning(error, patch);
  const ofTag = error.status === 412 && !isRefusedTest ? lessonOfTag(delivery, live) : undefined;
  if (ofTag) return { ...open, lesson: ofTag };
  const ofTest = isRefusedTest ? settleRefusedTest(open.delivery, settling) : undefined;
  if (ofTest) return ofTest;
  return canHelp(error, losses)
    ? { kind: 'open', delivery: { ...open.delivery, losses: losses + 1 } }
    : settled(failed(delivery));
}

function lessonOfTag({ before, dialect, last }: Delivery, live: LiveContract): Lesson | undefined {
  if (last?.tag === undefined) return undefined;
  const isKnown = before?.tag === last.tag || !isOtherTag(live, dialect);
  return isKnown ? 'tag-refused' : 'tag-otherwise';
}

function settleRefusedTest(delivery: Delivery, { lessons }: Settling): Decided | undefined {
  const { change, dialect, last, mayHaveLanded } = delivery;
  if (last?.form === 'trial') return { kind: 'open', delivery };
  if (dialect.knowsTests) {
    return mayHaveLanded === 'maybe'
      ? undefined
      : settled(notLanded(change, 'stale', explainRefusal(delivery)));
  }
  return last?.form === 'guarded' && lessons.mayBeRefused()
    ? { kind: 'open', delivery: { ...delivery, isDoubted: true }, lesson: 'true-test-refused' }
    : undefined;
}

export function meaningOf(delivery: Delivery) {
  const error = errorOf(delivery);
  return error instanceof ApiError ? delivery.dialect.meaning(error, delivery.patch) : undefined;
}

// A connection that fails every third time must not end a change.
const mostLosses = 7;

function canHelp({ outcome, status, transient, retryAfterMs }: ApiError, losses: number) {
  // After a 415 the writer sends its other media type.
  if (status === 415) return losses === 0;
  const isPassing = outcome === 'unknown' && transient;
  const most = status === undefined ? mostLosses : retryPolicy.attempts - 1;
  return isPassing && losses < most && (retryAfterMs ?? 0) <= retryPolicy.longestAsked;
}

function explainRefusal(delivery: Delivery): OutcomeError {
  return meaningOf(delivery)?.explanation ?? explain(errorOf(delivery));
}

export function failed(delivery: Delivery): Outcome {
  return unsendable(delivery, explainRefusal(delivery));
}

export function unsendable({ change, mayHaveLanded }: Delivery, why: OutcomeError): Outcome {
  return mayHaveLanded === 'maybe'
    ? notLanded(change, 'unverified', reasons.mayStillLand(why))
    : notLanded(change, 'failed', why);
}
