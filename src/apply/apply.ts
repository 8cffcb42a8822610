/** A plan → one outcome per change: a failed change is an outcome, never an exception. */

import pLimit from 'p-limit';
import { retryPolicy } from '../catalog/send.ts';
import { SyncError } from '../core/errors.ts';
import { backOff } from '../http/retry.ts';
import { creations, updates } from '../plan/plan.ts';
import { createContracts } from './create.ts';
import { deliver, knowsHeeded } from './deliver.ts';
import { notLanded, type Outcomes, summarizeOutcomes } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import { type Apply, openRun, type Run } from './run.ts';
import {
  abandon,
  type Decided,
  type Delivery,
  failed,
  type Form,
  settled,
  settleStored,
  undelivered,
} from './settle.ts';
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
    await playRounds(run);
    await createContracts(creations(plan), run);
  } finally {
    run.close();
  }
  const inOrder = plan.contracts.flatMap((contract) => run.outcomes.get(contract) ?? []);
  return summarizeOutcomes(plan, inOrder);
}

async function playRounds(run: Run): Promise<void> {
  let open: readonly Delivery[] = updates(run.plan).map((change) =>
    undelivered(change, run.product, run.rules.arrays),
  );
  while (open.length > 0 && !run.stopRule.reason()) open = await playRound(open, run);
  const stop = run.stopRule.reason();
  for (const each of open) {
    const isUnsent = stop && each.mayHaveLanded === 'no';
    run.report(each.change, isUnsent ? abandon(each, stop) : failed(each));
  }
}

async function playRound(deliveries: readonly Delivery[], run: Run): Promise<readonly Delivery[]> {
  // Where a catalog refuses every guard, no guarded patch has landed, or will.
  const areRefused = run.lessons.guards() === 'refused';
  const known = deliveries.map((delivery): Delivery =>
    areRefused && delivery.last?.form !== 'bare'
      ? { ...delivery, mayHaveLanded: 'no', underWay: 'nothing' }
      : delivery,
  );
  const stuck = known.filter((delivery) => isStuck(delivery, run));
  const able = known.filter((delivery) => !stuck.includes(delivery));
  const bare = able.filter((delivery) => formOf(delivery, run) === 'bare');
  const guarded = able.filter((delivery) => !bare.includes(delivery));
  const isTrial = stuck.length > 0 && run.lessons.guards() === 'usable';
  const forTrial = [...guarded, ...stuck.filter(({ underWay }) => underWay === 'fields')];
  const tried = isTrial ? forTrial.slice(0, 1) : [];
  const rest = guarded.filter((delivery) => !tried.includes(delivery));
  const resting = stuck.filter((delivery) => !tried.includes(delivery));
  const stages = [
    await readAndSend(bare, 'bare', run),
    await readAndSend(tried, 'trial', run),
    isTrial ? { sent: [], held: rest } : await sendGuarded(rest, run),
  ];
  const sent = [...resting, ...stages.flatMap((stage) => stage.sent)];
  await pause(sent, run);
  // Changes that wait for the end of a trial stay open, whatever their last sending came to.
  const waiting = tried.length > 0 ? resting : [];
  const open = await settleAll(sent, run, (delivery) => waiting.includes(delivery));
  run.stopRule.noteRead(open.length);
  const held = stages.flatMap((stage) => stage.held);
  const unread = held.map((delivery): Delivery => {
    const { live: _, ...rest } = delivery;
    return rest;
  });
  return [...open, ...unread];
}

function formOf({ isDoubted }: Delivery, { lessons }: Run): 'guarded' | 'bare' {
  const isBare = lessons.guards() !== 'usable' || (isDoubted && lessons.areDoubted());
  return isBare ? 'bare' : 'guarded';
}

// An earlier sending may land after a new one, so the change waits until more is known of the
// catalog.
function isStuck(delivery: Delivery, run: Run): boolean {
  const { underWay } = delivery;
  if (underWay === 'nothing') return false;
  if (underWay === 'fields' && formOf(delivery, run) === 'bare') return false;
  return run.lessons.guards() === 'ignored' || !knowsHeeded(delivery, run);
}

type Stage = Readonly<Record<'sent' | 'held', readonly Delivery[]>>;

async function sendGuarded(deliveries: readonly Delivery[], run: Run): Promise<Stage> {
  const first = await sendAll(deliveries.slice(0, -1), 'guarded', run);
  const isStopped = first.sent.some((delivery) => isStuck(delivery, run));
  const last = deliveries.slice(-1);
  const second = isStopped ? { sent: [], held: last } : await sendAll(last, 'guarded', run);
  return { sent: [...first.sent, ...second.sent], held: [...first.held, ...second.held] };
}

async function sendAll(deliveries: readonly Delivery[], form: Form, run: Run): Promise<Stage> {
  const sent: Delivery[] = [];
  const held: Delivery[] = [];
  let isEnded = false;
  await pLimit(run.concurrency).map(deliveries, async (delivery) => {
    const isFitting = form === 'bare' || run.lessons.guards() === 'usable';
    if (!isFitting || isEnded || !run.stopRule.mayGoOn()) return void held.push(delivery);
    const next = await deliver(delivery, form, run).catch(unforeseen(delivery));
    if (next.kind === 'settled') return run.report(delivery.change, next.outcome);
    const isPaused = next.delivery.last?.sent.kind === 'paused';
    (isPaused ? held : sent).push(next.delivery);
    isEnded ||= isPaused || (form === 'guarded' && isStuck(next.delivery, run));
  });
  return { sent, held };
}

// Contracts read together before bare patches go to them: few, so that the reads stay recent.
const readTogether = 50;

async function readAndSend(deliveries: readonly Delivery[], form: 'bare' | 'trial', run: Run) {
  const sent: Delivery[] = [];
  const held: Delivery[] = [];
  for (let start = 0; start < deliveries.length; start += readTogether) {
    const together = deliveries.slice(start, start + readTogether);
    const isRead = start === 0 && together.every(({ live }) => live !== undefined);
    const isStopped = !run.stopRule.mayGoOn();
    const ready = isStopped || isRead ? together : await settleAll(together, run, () => true);
    const stage = isStopped ? { sent: [], held: together } : await sendAll(ready, form, run);
    sent.push(...stage.sent);
    held.push(...stage.held);
  }
  return { sent, held };
}

// A bug in one change must not lose the outcomes of the others.
function unforeseen({ change }: Delivery): (error: unknown) => Decided {
  return (error) =>
    settled(notLanded(change, 'unverified', reasons.unforeseen(explain(error).message)));
}

async function pause(sent: readonly Delivery[], run: Run): Promise<void> {
  const lost = sent.flatMap(({ last, losses }) =>
    last?.sent.kind === 'lost' && last.sent.error.outcome === 'unknown'
      ? [{ losses, ...last.sent }]
      : [],
  );
  const [first] = lost;
  if (!first || run.signal?.aborted) return;
  const asked = lost.map(({ error }) => error.retryAfterMs ?? 0);
  const bearable = asked.filter((milliseconds) => milliseconds <= retryPolicy.longestAsked);
  const rounds = 1 + Math.max(...lost.map(({ losses }) => losses));
  const wait = backOff(rounds, run.effects.random, Math.max(0, ...bearable));
  const all = lost.length === 1 ? 'the contract' : `${lost.length} contracts`;
  run.onRetry?.(`${first.error.message} Checking ${all} in ${(wait / 1000).toFixed(1)} s.`);
  // An interruption ends the wait; it is noticed before the next request.
  await run.effects.sleep(wait, run.signal).catch(() => undefined);
}

async function settleAll(
  deliveries: readonly Delivery[],
  run: Run,
  isAhead: (delivery: Delivery) => boolean,
): Promise<Delivery[]> {
  const changes = deliveries.map(({ change }) => change);
  const storedOf = await readStored(changes, run);
  return deliveries.flatMap((delivery) => {
    const stored = storedOf(delivery.change);
    let decided: Decided;
    try {
      decided = settleStored(delivery, stored, { ...run, isAhead: isAhead(delivery) });
    } catch (error) {
      decided = unforeseen(delivery)(error);
    }
    if (decided.lesson) run.lessons.note(decided.lesson);
    if (decided.kind === 'open') return [decided.delivery];
    run.report(delivery.change, decided.outcome);
    return [];
  });
}
