import { retryPolicy } from '../catalog/retry.ts';
import { afterSending, couldLandTwice, type Delivery, tagOf } from './delivery.ts';
import { guard } from './guard.ts';
import type { SendMode } from './guard-mode.ts';
import { skipped } from './outcome.ts';
import { reasons } from './reasons.ts';
import type { Run } from './run.ts';
import { sendPatch } from './send.ts';
import { abandon, type Decided, failed, settled, settleUnread } from './settle.ts';

/** Sends one patch, and again where it was one request too many and its guard is sure to hold. */
export async function deliver(delivery: Delivery, run: Run): Promise<Decided> {
  const { change, dialect, state } = delivery;
  const mode = run.guardMode.current();
  const tests = guard(change, dialect, state);
  if (!tests) return settled(skipped(change, reasons.unguardable));
  if (couldLandTwice(delivery) && !(await isSafe(delivery, mode, run)))
    return withoutSending(delivery, run);
  const sending = {
    id: change.id,
    patch: mode === 'guarded' ? [...tests, ...change.patch] : change.patch,
    ifMatch: run.tagMode.isTrusted() ? tagOf(delivery) : undefined,
  };
  let next = delivery;
  do {
    next = afterSending(next, mode, await sendPatch(sending, run, dialect));
  } while (isThrottled(next) && !run.signal?.aborted && (await isSafe(next, mode, run)));
  noteSending(next, run);
  const outcome = isGivenUp(next, run) ? abandon(next, reasons.notAttempted) : settleUnread(next);
  return outcome ? settled(outcome) : { kind: 'open', delivery: next };
}

/** The catalog may say later how it treats guards; asking it is as good as an attempt. */
function withoutSending(delivery: Delivery, { guardMode, signal }: Run): Decided {
  const sendings = delivery.sendings + 1;
  const mayAskAgain = guardMode.current() === 'guarded' && sendings < retryPolicy.attempts;
  if (!mayAskAgain || signal?.aborted) return settled(failed(delivery));
  return { kind: 'open', delivery: { ...delivery, sendings } };
}

/** Whether the patch can be sent although an earlier sending of it may land yet. */
async function isSafe({ change }: Delivery, mode: SendMode, { guardMode }: Run): Promise<boolean> {
  return mode === 'guarded' && guardMode.isProven(change);
}

function isThrottled({ last }: Delivery): boolean {
  return last?.sent.kind === 'throttled';
}

/** An interruption found it waiting for its turn, so nothing of it has left. */
function isGivenUp({ last, mayHaveLanded }: Delivery, { signal }: Run): boolean {
  return signal?.aborted === true && last?.sent.kind === 'unsent' && mayHaveLanded === 'no';
}

function noteSending({ change, last }: Delivery, run: Run): void {
  const isAnswered = last?.sent.kind === 'answered';
  run.stopRule.noteSent(isAnswered);
  if (!isAnswered) return;
  if (last.mode === 'guarded') run.guardMode.noteAccepted();
  run.onAnswer?.(change);
}
