/** One change on its way into the catalog: its states, and what leads from one to the next. Pure. */

import type { ApiError } from '../catalog/fault.ts';
import type { Meaning } from '../catalog/products/product.ts';
import { retryPolicy } from '../catalog/send.ts';
import type { LiveContract } from '../contract/contract.ts';
import { inexactNumbers } from '../contract/conventions.ts';
import { parseReference, peopleIn, referenceKey } from '../contract/identity.ts';
import { defined, type JsonObject } from '../core/json.ts';
import { evaluate, type Operation, type Patch } from '../patch/evaluate.ts';
import { formatPointer, parsePointer, valueAt } from '../patch/pointer.ts';
import { patchOf, sidesOf } from '../plan/seal.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { explain, type OutcomeError, reasons } from './reasons.ts';
import {
  landed,
  landedInPart,
  type Outcome,
  outcomeOf,
  type OutcomeResult,
  overlapped,
  type Seen,
  withRefusal,
} from './outcome.ts';
import {
  type Comparing,
  guardFor,
  missingFrom,
  noteOfStatus,
  overwrittenPlaces,
  patched,
  type Stored,
} from './stored.ts';

export type Delivery = {
  readonly change: UpdatePlan;
  readonly guard: Patch;
  readonly patch: Patch;
  /** `whole`: whole fields behind the guard; `bare`: whole fields without it. */
  readonly form: 'guarded' | 'whole' | 'bare';
  /** Whether any sending so far may have landed, or still may. */
  readonly risk: 'none' | 'mayHaveLanded' | 'mayStillLand';
  /** The plan's change, of which the catalog has refused the status: the rest goes without it. */
  readonly refused?: { readonly change: UpdatePlan; readonly why: OutcomeError };
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

type Failure = { readonly kind: 'failed'; readonly error: ApiError; readonly isTagged: boolean };

export type Event =
  | Answered
  | Failure
  | { readonly kind: 'unsent' | 'stopped'; readonly why: OutcomeError }
  | Stored;

export type Catalog = Comparing & {
  /** `refused`: it refused a guard that held, and took whole fields without one. */
  readonly guards: 'unknown' | 'taken' | 'refused';
};

export function planned(change: UpdatePlan, catalog: Catalog): Delivery {
  const guard = guardFor(change, catalog);
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

function afterFailure(before: Delivery, { error, isTagged }: Failure, catalog: Catalog): Delivery {
  const { patch, form } = before;
  const { product } = catalog;
  const meaning = product.meaning(error, patch);
  const { isRefusal, isRefusedTest, isRefusedGuard } = meaning;
  const isLost = !isRefusal && error.outcome === 'unknown';
  const delivery = { ...before, risk: riskAfter(before.risk, error, meaning) };
  const failed = (kind: Failed | 'due'): Delivery => ({ ...delivery, state: { kind, error } });
  // A pause outlasted the read that the patch builds on.
  if (error.isPaused) return failed('due');
  if (isLost) return failed('lost');
  if (isRefusedTest && form !== 'bare') return failed('tests-refused');
  if (isTagged && error.status === 412) return failed('tag-refused');
  const refused = failed('refused');
  if (meaning.isOwnedStatus) return withoutStatus(refused, catalog);
  const isFinal = delivery.risk === 'none' && !isRefusedGuard;
  return isFinal ? fail(refused, explanation(refused, catalog)) : refused;
}

function riskAfter(
  before: Delivery['risk'],
  error: ApiError,
  { isRefusal, mayLeave }: Meaning,
): Delivery['risk'] {
  if (error.isSecondTry || (!isRefusal && error.outcome === 'unknown')) return 'mayStillLand';
  const mayHaveLeft = isRefusal ? mayLeave.length > 0 : !error.isPaused;
  return before === 'none' && mayHaveLeft ? 'mayHaveLanded' : before;
}

function withoutStatus(delivery: Delivery, catalog: Catalog): Delivery {
  const { change, risk } = delivery;
  const why = explanation(delivery, catalog);
  const changes = change.changes.filter(({ path }) => path !== '/entityStatus');
  if (changes.length === 0) return fail(delivery, why);
  const { entityStatus: _, ...target } = change.target;
  return { ...planned({ ...change, changes, target }, catalog), risk, refused: { change, why } };
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
  const differences = missingFrom(live, change.target, catalog);
  const seen = { live, differences };
  const answer = state.kind === 'answered' ? state.answer : undefined;
  const isOurs = answer !== undefined || risk !== 'none';
  const note = noteOfStatus(change.target, answer, seen, catalog);
  if (differences.length === 0 || note !== undefined) {
    const sending = { answer, isGuarded: catalog.product.knowsTests, note };
    return settle(delivery, landed(change, live, isOurs ? 'applied' : 'unchanged', sending));
  }
  const left = leftBehind(delivery, live, catalog);
  if (left.length > 0)
    return settle(delivery, landedInPart(change, live, left, explanation(delivery, catalog)));
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

/** The fields that a refused patch has changed all the same, as it meant them or not. */
function leftBehind({ change, patch, state }: Delivery, live: LiveContract, { product }: Catalog) {
  const error = 'error' in state ? state.error : undefined;
  if (!error) return [];
  const sides = sidesOf(change);
  const { version, updatedAt } = live;
  const isUnwritten = version === change.liveVersion && updatedAt === change.liveUpdatedAt;
  return product.meaning(error, patch).mayLeave.filter((field) => {
    const now = personKeys(live.document, field);
    if (now === personKeys(sides.live, field)) return false;
    return isUnwritten || now === personKeys(sides.target, field);
  });
}

function personKeys(document: JsonObject, field: string): string {
  const people = peopleIn(document, field).flatMap((item) => parseReference(item) ?? []);
  return people.map(referenceKey).toSorted().join();
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
  if (kind === 'tag-refused' || mayHelp(kind, error, repeats)) return again;
  if (kind !== 'tests-refused') return fail(delivery, why);
  if (product.knowsTests && risk !== 'mayStillLand') return end(delivery, 'stale', why);
  if (product.knowsTests || guards === 'taken') return fail(delivery, why);
  // Another operation of the patch may be what was refused: guarded fields tell.
  return { ...again, form: form === 'guarded' ? 'whole' : 'bare' };
}

// A connection that fails every third time must not end a change.
const mostLosses = 7;

function mayHelp(kind: Failed, error: ApiError, repeats: number): boolean {
  const { status, transient, retryAfterMs = 0 } = error;
  // The writer sends its other media type.
  if (status === 415) return repeats === 0;
  const most = status === undefined ? mostLosses : retryPolicy.attempts - 1;
  const isBearable = repeats < most && retryAfterMs <= retryPolicy.longestAsked;
  return kind === 'lost' && transient && isBearable;
}

function withOverlap(
  next: Delivery,
  { change, state }: Delivery,
  read: Stored,
  catalog: Catalog,
): Delivery {
  if (state.kind !== 'answered' || !state.before || next.state.kind !== 'settled') return next;
  const { before, answer } = state;
  const since = read.kind === 'seen' ? read.live : undefined;
  const lost = overwrittenPlaces(change, before, answer, since, catalog);
  if (lost.length === 0) return next;
  const outcome = overlapped(next.state.outcome, reasons.overlapped(lost, before), lost);
  return { ...next, state: { kind: 'settled', outcome } };
}

function unseen(delivery: Delivery, result: OutcomeResult, why: OutcomeError): Delivery {
  if (delivery.state.kind === 'answered')
    return end(delivery, 'unverified', reasons.unverified(why.message));
  return delivery.risk === 'none'
    ? end(delivery, result, why)
    : end(delivery, 'unverified', reasons.unknown(why.message));
}

function fail(delivery: Delivery, why: OutcomeError): Delivery {
  return delivery.risk === 'mayStillLand'
    ? end(delivery, 'unverified', reasons.mayStillLand(why))
    : end(delivery, 'failed', why);
}

function end(delivery: Delivery, result: OutcomeResult, why: OutcomeError, seen?: Seen) {
  return settle(delivery, outcomeOf(delivery.change, result, why, seen));
}

function settle(delivery: Delivery, outcome: Outcome): Delivery {
  const { refused } = delivery;
  const told = refused ? withRefusal(outcome, refused.why) : outcome;
  return { ...delivery, state: { kind: 'settled', outcome: told } };
}

function explanation({ state, patch }: Delivery, { product }: Catalog): OutcomeError {
  const error = 'error' in state ? state.error : undefined;
  return (error && product.meaning(error, patch).explanation) ?? explain(error);
}

/** Whether its fields are sent whole, so that they may land twice: as the patch, they may not. */
export function isWhole({ form, risk, patch }: Delivery, { product, guards }: Catalog): boolean {
  if (form !== 'guarded' || guards === 'refused') return true;
  return risk === 'mayStillLand' && !product.knowsTests && !isRepeatable(patch);
}

/** The operations to send, whether they may land twice, and a number in them that is inexact here. */
export function composeBody(delivery: Delivery, catalog: Catalog) {
  const { guard, form, patch, state } = delivery;
  const isPatchRepeatable = isRepeatable(patch);
  let operations = patch;
  if (isWhole(delivery, catalog) && state.kind === 'due' && state.live) {
    const fields = wholeFields(patch, state.live);
    if (!isPatchRepeatable || !inexactIn(fields)) operations = fields;
  }
  return {
    body: form === 'bare' ? operations : [...guard, ...operations],
    repeats: operations !== patch || catalog.product.knowsTests || isPatchRepeatable,
    inexact: inexactIn(operations),
  };
}

function inexactIn(patch: Patch): OutcomeError | undefined {
  const [found] = patch.flatMap((each) =>
    'value' in each ? inexactNumbers(each.value, parsePointer(each.path)) : [],
  );
  return found && { code: found.code, message: found.message, ...defined({ hint: found.hint }) };
}

/** Each field that the patch touches, whole, as the patch leaves it. */
function wholeFields(patch: Patch, { document }: LiveContract): Patch {
  const after = evaluate(document, patch);
  const touched = patch.flatMap((each) => ('from' in each ? [each.from, each.path] : [each.path]));
  const fields = new Set(touched.map((path) => parsePointer(path)?.[0] ?? ''));
  return [...fields].flatMap((field): Operation[] => {
    const path = formatPointer([field]);
    const value = valueAt(after, [field]);
    if (value !== undefined) return [{ op: 'add', path, value }];
    return Object.hasOwn(document, field) ? [{ op: 'remove', path }] : [];
  });
}

/**
 * Landing twice does no more than landing once: no element of a list comes, goes or moves. A member
 * that is gone can't be removed again, and the patch fails whole.
 */
function isRepeatable(patch: Patch): boolean {
  return patch.every(
    ({ op, path }) =>
      op === 'replace' || ((op === 'add' || op === 'remove') && !/\/(?:-|\d+)$/u.test(path)),
  );
}
