import type { ApiError } from '../catalog/fault.ts';
import type { Product } from '../catalog/products/product.ts';
import type { LiveContract } from '../contract/contract.ts';
import type { DiffOptions, Patch } from '../patch/operation.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { guardOf, patchOf, sidesOf } from '../plan/change.ts';
import { isRepeatable } from './guard.ts';

/**
 * How a change is sent: as planned and with its guard; whole fields without one; or, where somebody
 * has to know whether guards are heeded, whole fields with a guard that can't hold.
 */
export type Form = 'guarded' | 'bare' | 'trial';

/** How one sending ended. */
export type Sent =
  | { readonly kind: 'answered'; readonly live: LiveContract }
  /** Refused by the catalog: the patch has not landed, and never will. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** Without a yes: the patch may have landed, or may land later. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  /** Never sent. */
  | { readonly kind: 'unsent'; readonly error: unknown };

/** What is known of a change on its way into the catalog. */
export type Delivery = {
  readonly change: UpdatePlan;
  readonly patch: Patch;
  /** `test` operations on the values that the patch builds on. */
  readonly valueTests: Patch;
  readonly dialect: Product;
  /** How it was sent last, and what came of that; absent before the first sending. */
  readonly last?: { readonly form: Form; readonly sent: Sent; readonly isTagged: boolean };
  /** How many rounds have not told what became of it. */
  readonly losses: number;
  /**
   * Whether a sending may have landed, or may land yet: `hardly` where all such were refused, but
   * in a way that the interface does not know.
   */
  readonly mayHaveLanded: 'no' | 'hardly' | 'maybe';
  /**
   * What may still be under way of a patch that would do harm if it landed twice: as it was planned,
   * which must land before nothing else, or whole fields, before which the planned patch must not.
   */
  readonly underWay: 'nothing' | 'fields' | 'patch';
  /** It was refused although its guard held. */
  readonly isDoubted: boolean;
  /** As a read showed it since the last sending, when it had not moved. */
  readonly live?: LiveContract;
};

/** A change that is still to be sent. */
export function undelivered(change: UpdatePlan, dialect: Product, arrays: DiffOptions): Delivery {
  const tests = guardOf(change.changes, sidesOf(change).live, { arrays, conventions: dialect });
  return {
    change,
    patch: patchOf(change.changes),
    // Whether a catalog has 4 or 4.0 is lost in reading: where they differ to it, neither is tested.
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

/** What is known once it has been sent again. */
export function afterSending(delivery: Delivery, last: NonNullable<Delivery['last']>): Delivery {
  const { live: _, ...rest } = delivery;
  const { sent } = last;
  return {
    ...rest,
    last,
    mayHaveLanded: chanceAfter(delivery.mayHaveLanded, sent),
    underWay: underWayAfter(delivery, last),
  };
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
  const isLost = sent.kind === 'lost' && sent.error.outcome === 'unknown';
  if (!isLost || underWay === 'patch' || isRepeatable(patch)) return underWay;
  return form === 'guarded' ? 'patch' : 'fields';
}

/** Why the last sending was not answered with yes; undefined where it was, or there was none. */
export function errorOf({ last }: Delivery): unknown {
  return last && 'error' in last.sent ? last.sent.error : undefined;
}
