import { ApiError } from '../catalog/api-error.ts';
import { retryPolicy, waitAfter } from '../catalog/retry.ts';
import type { LiveContract } from '../contract/contract.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { checkOutcome, checkAnswer } from './check-outcome.ts';
import { guard, isRepeatable, type SendMode } from './guard.ts';
import { notLanded, type Outcome, skipped } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import type { Run } from './run.ts';

/**
 * Brings one change into the catalog, once. A patch is sent again only after a look at the
 * contract: the answer that says yes may have been lost on its way.
 */
export async function applyChange(change: UpdatePlan, run: Run): Promise<Outcome> {
  if (!guard(change)) return skipped(change, reasons.unguardable);
  let mode = run.guardMode.mode();
  let mayHaveLanded = false;
  if (mode === 'bare') {
    const settled = await checkOutcome(change, run, { mayHaveLanded });
    if (settled) return settled;
  }
  for (let sendings = 1; ; sendings += 1) {
    const sent = await send(change, mode, run);
    if (sent.kind === 'answered') {
      run.guardMode.learn(mode);
      return checkAnswer(change, sent.live, run);
    }
    mayHaveLanded ||= sent.kind === 'lost';
    if (sent.kind === 'denied' && !mayHaveLanded) return failed(change, sent.error);
    if (sent.kind === 'lost') await pause(sendings, sent.error, run);
    const settled = await checkOutcome(change, run, { mayHaveLanded, error: sent.error });
    if (settled) return settled;
    const next = nextMode(sent, mode, { change, run, sendings });
    if (!next) return failed(change, sent.error, mayHaveLanded);
    mode = next;
  }
}

type Sent =
  | { readonly kind: 'answered'; readonly live: LiveContract }
  /** It has not landed, perhaps because of its guard. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** It may have landed: no answer says so. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  /** It has not landed, and asking again would not help. */
  | { readonly kind: 'denied'; readonly error: unknown };

async function send(change: UpdatePlan, mode: SendMode, { writer, signal }: Run): Promise<Sent> {
  const patch = mode === 'guarded' ? (guard(change) ?? change.patch) : change.patch;
  try {
    return { kind: 'answered', live: await writer.patch(change.id, patch, signal) };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'denied', error };
    if (error.outcome === 'unknown') return { kind: 'lost', error };
    return { kind: refusals.has(error.status ?? 0) ? 'refused' : 'denied', error };
  }
}

/** What servers answer to a `test` that fails: the interface has 400 for it (§7), RFC 5789 §2.2 others. */
const refusals: ReadonlySet<number> = new Set([400, 409, 412, 422]);

/** How to send once more to a contract that has not moved, or undefined where that is not wise. */
function nextMode(
  sent: Exclude<Sent, { readonly kind: 'answered' }>,
  mode: SendMode,
  { change, run, sendings }: { change: UpdatePlan; run: Run; sendings: number },
): SendMode | undefined {
  switch (sent.kind) {
    case 'denied':
      return undefined;
    case 'refused':
      // The guard holds and yet the patch is refused: it is the patch, or the server knows no `test`.
      return mode === 'guarded' && run.guardMode.isDoubtful() ? 'bare' : undefined;
    case 'lost':
      if (sendings >= retryPolicy.attempts || isAskedForTooLong(sent.error)) return undefined;
      // Still on its way, a bare append could land after our look, and then a second time. What was
      // one request too many is on its way no longer.
      return mode === 'guarded' || isRepeatable(change.patch) || sent.error.status === 429
        ? mode
        : undefined;
  }
}

/** Gives the server the time it asks for, and what is still under way the time to land. */
async function pause(sendings: number, error: ApiError, run: Run): Promise<void> {
  const wait = waitAfter(sendings, run.effects.random, error.retryAfterMs);
  if (wait === undefined || run.signal?.aborted) return;
  run.onRetry?.(`${error.message} Looking what became of it in ${(wait / 1000).toFixed(1)} s.`);
  // An interruption ends the wait; it is noticed before the next request.
  await run.effects.sleep(wait, run.signal).catch(() => undefined);
}

function isAskedForTooLong({ retryAfterMs = 0 }: ApiError): boolean {
  return retryAfterMs > retryPolicy.longestAsked;
}

function failed(change: UpdatePlan, error: unknown, mayHaveLanded = false): Outcome {
  const told = explain(error);
  return notLanded(change, 'failed', mayHaveLanded ? reasons.mayStillLand(told) : told);
}
