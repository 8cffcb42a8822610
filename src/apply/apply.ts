/** A plan → one outcome per change: a failed change is an outcome, never an exception. */

import pLimit from 'p-limit';
import { retryPolicy } from '../catalog/send.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError } from '../core/errors.ts';
import { backOff } from '../http/retry.ts';
import { creations, updates } from '../plan/plan.ts';
import { createContracts } from './create.ts';
import { advance, type Delivery, type Event, planned } from './delivery.ts';
import { type Outcomes, summarizeOutcomes } from './outcome.ts';
import { type Apply, openRun, type Run, stopReason } from './run.ts';
import { readBefore, sendPatch, waitForSession } from './send.ts';
import { after, maySend } from './stop.ts';
import { readStored } from './stored.ts';

/**
 * Sends the plan's patches, each guarded against later edits, then reads what the catalog stores. A
 * change that has not landed, and was not answered with success, goes into another round.
 */
export async function apply(options: Apply): Promise<Outcomes> {
  const { plan } = options;
  if (plan.errored || plan.planHash === undefined) {
    const hint = 'Fix the errors and plan again.';
    throw new SyncError('plan-errored', 'The plan has errors: nothing was applied.', { hint });
  }
  const run = openRun(options);
  try {
    await deliverAll(run);
    await createContracts(creations(plan), run);
  } finally {
    run.close();
  }
  const inOrder = plan.contracts.flatMap((contract) => run.outcomes.get(contract) ?? []);
  return summarizeOutcomes(plan, inOrder, run.guards === 'refused' ? [guardsRefused] : []);
}

const guardsRefused: Diagnostic = {
  code: 'guards-refused',
  severity: 'warning',
  message:
    'The catalog refuses `test` operations, so each patch was sent without them, right after a read of its contract. An edit between the two is overwritten.',
  hint: "Ask the operators of the catalog whether it can take RFC 6902's `test`.",
};

async function deliverAll(run: Run): Promise<void> {
  let open: readonly Delivery[] = updates(run.plan).map((change) => planned(change, run));
  while (open.length > 0 && !stopReason(run)) open = await playRound(open, run);
  const why = stopReason(run);
  if (why) for (const delivery of open) move(delivery, { kind: 'stopped', why }, run);
}

async function playRound(open: readonly Delivery[], run: Run): Promise<readonly Delivery[]> {
  const sent = await pLimit(run.concurrency).map(open, async (delivery) =>
    stopReason(run) || !maySend(run.course, run.maxFailures)
      ? unread(delivery)
      : send(delivery, run),
  );
  await pause(sent, run);
  const read = await readAll(sent.filter(isUnderWay), run);
  run.course = after(run.course, 'read', run.maxFailures);
  return [...read, ...sent].filter(({ state }) => state.kind === 'due');
}

// A later sending must not build on what was read a round ago.
function unread(delivery: Delivery): Delivery {
  const { state } = delivery;
  return 'live' in state ? { ...delivery, state: { kind: 'due', error: state.error } } : delivery;
}

function isUnderWay({ state }: Delivery): boolean {
  return state.kind !== 'due' && state.kind !== 'settled';
}

async function send(due: Delivery, run: Run): Promise<Delivery> {
  const delivery = run.guards === 'refused' ? ({ ...due, form: 'bare' } as const) : due;
  try {
    await waitForSession(delivery, run);
    const before = await readBefore(delivery, run);
    const ready = before ? move(delivery, before, run) : delivery;
    if (ready.state.kind !== 'due') return ready;
    const live = before?.kind === 'seen' ? before.live : undefined;
    const next = move(ready, await sendPatch(ready, live, run), run);
    const event = next.state.kind === 'answered' ? 'answered' : 'open';
    if (isUnderWay(next)) run.course = after(run.course, event, run.maxFailures);
    return next;
  } catch (error) {
    return move(delivery, { kind: 'unforeseen', error }, run);
  }
}

function move(delivery: Delivery, event: Event, run: Run): Delivery {
  const next = advance(delivery, event, run);
  if (event.kind === 'answered') {
    if (run.guards !== 'taken') run.guards = next.form === 'bare' ? 'refused' : 'taken';
    run.onAnswer?.(next.change);
  }
  if (delivery.state.kind === 'tag-refused' && next.state.kind === 'due') run.tags = 'none';
  if (next.state.kind === 'settled') run.report(next.change, next.state.outcome);
  return next;
}

async function readAll(deliveries: readonly Delivery[], run: Run): Promise<readonly Delivery[]> {
  const changes = deliveries.map(({ change }) => change);
  const storedOf = await readStored(changes, run);
  return deliveries.map((delivery) => {
    try {
      return move(delivery, storedOf(delivery.change), run);
    } catch (error) {
      // A bug in one change must not lose the outcomes of the others.
      return move(delivery, { kind: 'unforeseen', error }, run);
    }
  });
}

async function pause(sent: readonly Delivery[], run: Run): Promise<void> {
  const lost = sent.flatMap(({ state, repeats }) =>
    state.kind === 'lost' ? [{ repeats, error: state.error }] : [],
  );
  const [first] = lost;
  if (!first || run.signal?.aborted) return;
  const asked = lost.map(({ error }) => error.retryAfterMs ?? 0);
  const bearable = asked.filter((milliseconds) => milliseconds <= retryPolicy.longestAsked);
  const rounds = 1 + Math.max(...lost.map(({ repeats }) => repeats));
  const wait = backOff(rounds, run.effects.random, Math.max(0, ...bearable));
  const all = lost.length === 1 ? 'the contract' : `${lost.length} contracts`;
  run.onRetry?.(`${first.error.message} Checking ${all} in ${(wait / 1000).toFixed(1)} s.`);
  // An interruption ends the wait; it is noticed before the next request.
  await run.effects.sleep(wait, run.signal).catch(() => undefined);
}
