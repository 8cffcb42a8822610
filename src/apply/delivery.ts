/** One change on its way into the catalog: its states, and what leads from one to the next. Pure. */

import type { ApiError } from '../catalog/fault.ts';
import type { Product } from '../catalog/products/product.ts';
import { retryPolicy } from '../catalog/send.ts';
import type { LiveContract } from '../contract/contract.ts';
import type { Patch } from '../patch/evaluate.ts';
import { patchOf } from '../plan/change.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { guardFor, isRepeatable, patched } from './guard.ts';
import {
  landed,
  notLanded,
  type NotLanded,
  type Outcome,
  type OutcomeError,
  overlapped,
  type Seen,
} from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import {
  type Comparing,
  missingFrom,
  noteOfStatus,
  overwrittenPlaces,
  type Stored,
} from './stored.ts';

export type Delivery = {
  readonly change: UpdatePlan;
  readonly guard: Patch;
  readonly patch: Patch;
  /** `whole`: whole fields behind the guard; `bare`: whole fields without it. */
  readonly form: 'guarded' | 'whole' | 'bare';
  /** Whether a sending may have landed, or may land yet. */
  readonly risk: 'none' | 'landed' | 'landing';
  /** How often it was due again. */
  readonly repeats: number;
  readonly state: State;
};

type State =
  /** `live`: as read just now, and not moved since the plan. `error`: why it is due again. */
  | { readonly kind: 'due'; readonly live?: LiveContract; readonly error?: ApiError | undefined }
  | Answered
  | { readonly kind: Failed; readonly error: ApiError }
  | { readonly kind: 'settled'; readonly outcome: Outcome };

type Answered = {
  readonly kind: 'answered';
  readonly answer: LiveContract;
  /** The whole contract, as read right before. */
  readonly before: LiveContract | undefined;
};

type Failed = 'lost' | 'tests-refused' | 'tag-refused' | 'refused';

export type Event =
  | Answered
  | { readonly kind: 'failed'; readonly error: ApiError; readonly isTagged: boolean }
  | { readonly kind: 'unsent' | 'stopped'; readonly why: OutcomeError }
  | Stored;

export type Catalog = Comparing & {
  readonly product: Product;
  /** `refused`: it refused a guard that held, and took whole fields without one. */
  readonly guards: 'unknown' | 'taken' | 'refused';
};

export function planned(change: UpdatePlan, { product, rules }: Catalog): Delivery {
  const guard = guardFor(change, product, rules.arrays);
  const patch = patchOf(change.changes);
  const state = { kind: 'due' } as const;
  return { change, guard, patch, form: 'guarded', risk: 'none', repeats: 0, state };
}

export function advance(delivery: Delivery, event: Event, catalog: Catalog): Delivery {
  try {
    return step(delivery, event, catalog);
  } catch (error) {
    // A bug in one change must not lose the outcomes of the others.
    return end(delivery, 'unverified', reasons.unforeseen(explain(error).message));
  }
}

function step(delivery: Delivery, event: Event, catalog: Catalog): Delivery {
  switch (event.kind) {
    case 'answered':
      return { ...delivery, state: event };
    case 'failed':
      return afterFailure(delivery, event, catalog);
    case 'unsent':
      return fail(delivery, event.why);
    case 'stopped':
      return delivery.risk === 'none'
        ? end(delivery, 'skipped', event.why)
        : fail(delivery, explanation(delivery, catalog));
    default:
      return withOverlap(afterRead(delivery, event, catalog), delivery, event, catalog);
  }
}

function afterFailure(
  delivery: Delivery,
  { error, isTagged }: Extract<Event, { kind: 'failed' }>,
  catalog: Catalog,
): Delivery {
  const { isRefusal, isRefusedTest, isRefusedGuard } = catalog.product.meaning(
    error,
    delivery.patch,
  );
  const risk = riskAfter(delivery.risk, error, isRefusal);
  const failed = (kind: Failed | 'due'): Delivery => ({
    ...delivery,
    risk,
    state: { kind, error },
  });
  // A pause outlasted the read that the patch builds on.
  if (error.isPaused) return failed('due');
  if (!isRefusal && error.outcome === 'unknown') return failed('lost');
  if (isRefusedTest && delivery.form !== 'bare') return failed('tests-refused');
  if (isTagged && error.status === 412) return failed('tag-refused');
  const isFinal = risk === 'none' && !isRefusedGuard;
  const refused = failed('refused');
  return isFinal ? fail(refused, explanation(refused, catalog)) : refused;
}

function riskAfter(before: Delivery['risk'], error: ApiError, isRefusal: boolean) {
  if (error.isSecondTry || (!isRefusal && error.outcome === 'unknown')) return 'landing';
  return before === 'none' && !isRefusal && !error.isPaused ? 'landed' : before;
}

function afterRead(delivery: Delivery, read: Stored, catalog: Catalog): Delivery {
  switch (read.kind) {
    case 'seen':
      return afterLook(delivery, read.live, catalog);
    case 'gone':
    case 'deleted':
      return unseen(delivery, 'stale', reasons[read.kind]);
    case 'interrupted':
      return unseen(delivery, 'skipped', reasons.interrupted);
    case 'unreadable': {
      const why = explain(read.error);
      const isRefused = delivery.risk === 'none' && 'error' in delivery.state;
      const refusal = isRefused && reasons.refused(explanation(delivery, catalog), why.message);
      return unseen(delivery, 'failed', refusal || why);
    }
  }
}

function afterLook(delivery: Delivery, live: LiveContract, catalog: Catalog): Delivery {
  const { change, guard, patch, risk, state } = delivery;
  const differences = missingFrom(live, change, catalog);
  const seen = { live, differences };
  const answer = state.kind === 'answered' ? state.answer : undefined;
  const isOurs = answer !== undefined || risk !== 'none';
  const note = noteOfStatus(change, answer, seen, catalog);
  if (differences.length === 0 || note !== undefined) {
    const sending = { answer, isGuarded: catalog.product.knowsTests, note };
    return settle(delivery, landed(change, live, isOurs ? 'applied' : 'unchanged', sending));
  }
  const hasMoved = patched([...guard, ...patch], live) === undefined;
  if (answer) {
    const why = hasMoved ? reasons.differs(differences) : reasons.storedNothing(differences);
    return end(delivery, 'unverified', why, seen);
  }
  if (!hasMoved) return afterUnmoved(delivery, live, catalog);
  // Some catalogs keep the version of a contract that they change.
  const version = live.version === change.liveVersion ? undefined : live.version;
  return isOurs
    ? end(delivery, 'unverified', reasons.movedOn(version), seen)
    : end(delivery, 'stale', reasons.moved(version), seen);
}

function afterUnmoved(delivery: Delivery, live: LiveContract, catalog: Catalog): Delivery {
  const { form, risk, repeats, state } = delivery;
  if (state.kind === 'due') return { ...delivery, state: { ...state, live } };
  if (state.kind === 'answered' || state.kind === 'settled') return delivery;
  const { kind, error } = state;
  const { product, guards } = catalog;
  const why = explanation(delivery, catalog);
  const again = { ...delivery, repeats: repeats + 1, state: { kind: 'due', live, error } } as const;
  if (error.status === 202) return end(delivery, 'held', why);
  if (kind === 'tag-refused' || mayHelp(state, repeats)) return again;
  if (kind !== 'tests-refused') return fail(delivery, why);
  if (product.knowsTests && risk !== 'landing') return end(delivery, 'stale', why);
  if (product.knowsTests || guards === 'taken') return fail(delivery, why);
  // Another operation of the patch may be what was refused: guarded fields tell.
  return { ...again, form: form === 'guarded' ? 'whole' : 'bare' };
}

// A connection that fails every third time must not end a change.
const mostLosses = 7;

function mayHelp({ kind, error }: State & { readonly error: ApiError }, repeats: number): boolean {
  const { status, transient, retryAfterMs = 0 } = error;
  // The writer sends its other media type.
  if (status === 415) return repeats === 0;
  const most = status === undefined ? mostLosses : retryPolicy.attempts - 1;
  const isBearable = repeats < most && retryAfterMs <= retryPolicy.longestAsked;
  return kind === 'lost' && transient && isBearable;
}

/** Whether its fields are sent whole, so that they may land twice: as the patch, they may not. */
export function isWhole({ form, risk, patch }: Delivery, { product, guards }: Catalog): boolean {
  if (form !== 'guarded' || guards === 'refused') return true;
  return risk === 'landing' && !product.knowsTests && !isRepeatable(patch);
}

function withOverlap(next: Delivery, { change, state }: Delivery, read: Stored, catalog: Catalog) {
  if (state.kind !== 'answered' || !state.before || next.state.kind !== 'settled') return next;
  const since = read.kind === 'seen' ? [state.answer, read.live] : [state.answer];
  const lost = overwrittenPlaces(change, state.before, since, catalog);
  if (lost.length === 0) return next;
  const why = reasons.overlapped(lost, state.before);
  return settle(next, overlapped(next.state.outcome, why, lost));
}

function unseen(delivery: Delivery, result: NotLanded, why: OutcomeError): Delivery {
  if (delivery.state.kind === 'answered')
    return end(delivery, 'unverified', reasons.unverified(why.message));
  return delivery.risk === 'none'
    ? end(delivery, result, why)
    : end(delivery, 'unverified', reasons.unknown(why.message));
}

function fail(delivery: Delivery, why: OutcomeError): Delivery {
  return delivery.risk === 'landing'
    ? end(delivery, 'unverified', reasons.mayStillLand(why))
    : end(delivery, 'failed', why);
}

function end(delivery: Delivery, result: NotLanded, why: OutcomeError, seen?: Seen): Delivery {
  return settle(delivery, notLanded(delivery.change, result, why, seen));
}

function settle(delivery: Delivery, outcome: Outcome): Delivery {
  return { ...delivery, state: { kind: 'settled', outcome } };
}

function explanation({ state, patch }: Delivery, { product }: Catalog): OutcomeError {
  const error = 'error' in state ? state.error : undefined;
  return (error && product.meaning(error, patch).explanation) ?? explain(error);
}
