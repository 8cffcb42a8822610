/** A plan → one outcome per change: a failed change is an outcome, never an exception. */

import pLimit from 'p-limit';
import { retryPolicy } from '../catalog/send.ts';
import { type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { backOff } from '../http/retry.ts';
import { creations, updates } from '../plan/plan.ts';
import { createContracts } from './create.ts';
import { advance, type Delivery, type Event, isWhole, planned } from './delivery.ts';
import { type Outcomes, summarizeOutcomes } from './outcome.ts';
import { type Apply, openRun, type Run, stopReason } from './run.ts';
import { readBefore, sendPatch, waitForSession } from './send.ts';
import { afterSuccess, maySend } from './stop.ts';
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
  return summarizeOutcomes(plan, inOrder, run.hasGoneBare ? [guardsRefused] : []);
}

const guardsRefused: Diagnostic = {
  code: 'guards-refused',
  severity: 'warning',
  message:
    'The catalog refuses `test` operations, so patches were sent without guards, soon after a read. An edit between the read and the patch is lost.',
  hint: "Ask the operators of the catalog to accept RFC 6902's `test`.",
};

async function deliverAll(run: Run): Promise<void> {
  let open: readonly Delivery[] = updates(run.plan).map((change) => planned(change, run));
  while (open.length > 0 && !stopReason(run)) open = await playRound(open, run);
  const why = stopReason(run);
  if (why) for (const delivery of open) move(delivery, { kind: 'stopped', why }, run);
}

// Contracts that are read together before bare patches go to them: few, so that the read is recent.
const readTogether = 50;

async function playRound(open: readonly Delivery[], run: Run): Promise<readonly Delivery[]> {
  const needy = open.filter((delivery) => needsRead(delivery, run));
  const read = await readAll(needy.slice(0, readTogether), run);
  const ready = [...open.filter((delivery) => !needsRead(delivery, run)), ...read.filter(isDue)];
  const limit = run.maxFailures;
  // Sent in this round, and not answered with success: in a row, unless failures are limited.
  let unanswered = 0;
  const sent = await pLimit(run.concurrency).map(ready, async (delivery) => {
    const isHeld = stopReason(run) || !maySend(run.course, unanswered, limit);
    if (isHeld || needsRead(delivery, run)) return unread(delivery);
    const next = await send(delivery, run);
    if (next.state.kind !== 'answered') unanswered += Number(isUnderWay(next));
    else if (limit === undefined) unanswered = 0;
    return next;
  });
  await pause(sent, run);
  const seen = await readAll(sent.filter(isUnderWay), run);
  const next = [...seen, ...sent, ...needy.slice(readTogether)].filter(isDue);
  return next.map((delivery, index) => (index < readTogether ? delivery : unread(delivery)));
}

// Whole fields are computed on a read of just now.
function needsRead(delivery: Delivery, run: Run): boolean {
  const { state } = delivery;
  return isWhole(delivery, run) && state.kind === 'due' && !state.live;
}

function unread(delivery: Delivery): Delivery {
  const { state } = delivery;
  return 'live' in state ? { ...delivery, state: { kind: 'due', error: state.error } } : delivery;
}

function isDue({ state }: Delivery): boolean {
  return state.kind === 'due';
}

function isUnderWay({ state }: Delivery): boolean {
  return state.kind !== 'due' && state.kind !== 'settled';
}

async function send(due: Delivery, run: Run): Promise<Delivery> {
  const delivery = run.guards === 'refused' ? ({ ...due, form: 'bare' } as const) : due;
  await waitForSession(delivery, run);
  const before = await readBefore(delivery, run);
  const ready = before ? move(delivery, { kind: 'seen', live: before }, run) : delivery;
  if (!isDue(ready)) return ready;
  return move(ready, await sendPatch(ready, before, run), run);
}

async function readAll(deliveries: readonly Delivery[], run: Run): Promise<readonly Delivery[]> {
  const changes = deliveries.map(({ change }) => change);
  const storedOf = await readStored(changes, run);
  return deliveries.map((delivery) => move(delivery, storedOf(delivery.change), run));
}

function move(delivery: Delivery, event: Event, run: Run): Delivery {
  const next = advance(delivery, event, run);
  if (event.kind === 'answered') {
    run.hasGoneBare ||= next.form === 'bare';
    if (run.guards !== 'taken') run.guards = next.form === 'bare' ? 'refused' : 'taken';
    run.course = afterSuccess(run.course, run.maxFailures);
    run.onAnswer?.(next.change);
  }
  if (delivery.state.kind === 'tag-refused' && next.state.kind === 'due')
    run.tags = run.tags === 'computed' ? 'read' : 'none';
  if (next.state.kind === 'settled') run.report(next.change, next.state.outcome);
  return next;
}

async function pause(sent: readonly Delivery[], run: Run): Promise<void> {
  const lost = sent.flatMap(({ state, repeats }) =>
    state.kind === 'lost' ? [{ repeats, error: state.error }] : [],
  );
  const [first] = lost;
  if (!first || run.signal?.aborted) return;
  const asked = lost.map(({ error: { retryAfterMs = 0 } }) => retryAfterMs);
  const bearable = asked.filter((milliseconds) => milliseconds <= retryPolicy.longestAsked);
  const rounds = 1 + Math.max(...lost.map(({ repeats }) => repeats));
  const wait = backOff(rounds, run.effects.random, Math.max(0, ...bearable));
  const all = lost.length === 1 ? 'the contract' : `${lost.length} contracts`;
  run.onRetry?.(`${first.error.message} Checking ${all} in ${(wait / 1000).toFixed(1)} s.`);
  // An interruption ends the wait; it is noticed before the next request.
  await run.effects.sleep(wait, run.signal).catch(() => undefined);
}
