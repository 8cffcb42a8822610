/** Sends what is to be sent, once; reads once what became of all of it; says what can be said. */

import pLimit from 'p-limit';
import { retryPolicy, waitAfter } from '../catalog/retry.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { deliver } from './deliver.ts';
import type { Delivery } from './delivery.ts';
import type { TestAnswer } from './guard-mode.ts';
import { notLanded, type Outcome } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import type { Run } from './run.ts';
import { type Decided, decide, settled, settleStored, type Settlement } from './settle.ts';
import { readStored } from './stored.ts';

/** A run, and who takes the outcome of each change. */
export type Playing = Run & { readonly report: (change: UpdatePlan, outcome: Outcome) => void };

/** Returns what is to be sent in another round: first what was sent already. */
export async function playRound(
  deliveries: readonly Delivery[],
  run: Playing,
): Promise<readonly Delivery[]> {
  const isGuarded = run.guardMode.current() === 'guarded';
  const { sent, held } = await (isGuarded ? sendAll : readAndSend)(deliveries, run);
  await pause(sent, run);
  const open = await settleAll(sent, run);
  run.stopRule.noteRead(open.length);
  return [...open, ...held];
}

type Stage = {
  /** Sent, and what became of it is not known yet. */
  readonly sent: readonly Delivery[];
  /** Not sent: first it must be known what became of others. */
  readonly held: readonly Delivery[];
};

async function sendAll(deliveries: readonly Delivery[], run: Playing): Promise<Stage> {
  const sent: Delivery[] = [];
  const held: Delivery[] = [];
  const mode = run.guardMode.current();
  await pLimit(run.concurrency).map(deliveries, async (delivery) => {
    const goesOn = run.stopRule.mayGoOn() && run.guardMode.current() === mode;
    if (!goesOn) return void held.push(delivery);
    const next = await deliver(delivery, run).catch(unforeseen(delivery));
    if (next.kind === 'settled') run.report(delivery.change, next.outcome);
    else sent.push(next.delivery);
  });
  return { sent, held };
}

/** So many contracts are read together before bare patches go to them: soon after, nothing moves. */
const readTogether = 50;

/** Without guards: only to contracts that a read of just now shows as they were planned against. */
async function readAndSend(deliveries: readonly Delivery[], run: Playing): Promise<Stage> {
  const sent: Delivery[] = [];
  const held: Delivery[] = [];
  for (let start = 0; start < deliveries.length; start += readTogether) {
    const together = deliveries.slice(start, start + readTogether);
    const isStopped = !run.stopRule.mayGoOn();
    const stage = isStopped
      ? { sent: [], held: together }
      : await sendAll(await settleAll(together, run), run);
    sent.push(...stage.sent);
    held.push(...stage.held);
  }
  return { sent, held };
}

/** A bug that one change brings to light must not take the outcomes of the others along. */
function unforeseen({ change }: Delivery): (error: unknown) => Decided {
  return (error) =>
    settled(notLanded(change, 'failed', reasons.unforeseen(explain(error).message)));
}

/** Gives the server the time that it asks for, and what is still under way the time to land. */
async function pause(sent: readonly Delivery[], run: Playing): Promise<void> {
  const lost = sent.flatMap(({ last, sendings }) =>
    last?.sent.kind === 'lost' && last.sent.error.outcome === 'unknown'
      ? [{ sendings, ...last.sent }]
      : [],
  );
  const [first] = lost;
  if (!first || run.signal?.aborted) return;
  const asked = lost.map(({ error }) => error.retryAfterMs ?? 0);
  const bearable = asked.filter((milliseconds) => milliseconds <= retryPolicy.longestAsked);
  const sendings = Math.max(...lost.map((each) => each.sendings));
  const wait = waitAfter(sendings, run.effects.random, Math.max(0, ...bearable)) ?? 0;
  const all = lost.length === 1 ? 'the contract' : `${lost.length} contracts`;
  const when = `in ${(wait / 1000).toFixed(1)} s`;
  run.onRetry?.(`${first.error.message} Checking ${all} ${when}.`);
  // An interruption ends the wait; it is noticed before the next request.
  await run.effects.sleep(wait, run.signal).catch(() => undefined);
}

/** Reads what the catalog stores and reports what can be said; returns the rest. */
async function settleAll(deliveries: readonly Delivery[], run: Playing): Promise<Delivery[]> {
  const changes = deliveries.map(({ change }) => change);
  const storedOf = await readStored(changes, run);
  const settlements = deliveries.map((delivery) => {
    try {
      return settleStored(delivery, storedOf(delivery.change), run);
    } catch (error) {
      return unforeseen(delivery)(error);
    }
  });
  const tests = await askAboutTests(settlements, run);
  return settlements.flatMap((settlement, index) => {
    const decided = settlement.kind === 'doubtful' ? decide(settlement, tests) : settlement;
    if (decided.kind === 'open') {
      if (decided.delivery.isTagRefused) run.tagMode.noteRefused();
      return [decided.delivery];
    }
    const change = changes[index];
    if (change) run.report(change, decided.outcome);
    return [];
  });
}

/** Whether the catalog takes tests, asked only where something hangs on it. */
async function askAboutTests(
  settlements: readonly Settlement[],
  { guardMode }: Playing,
): Promise<TestAnswer> {
  const doubtful = settlements.find((settlement) => settlement.kind === 'doubtful');
  return doubtful ? guardMode.takesTests(doubtful.delivery.change, doubtful.live) : 'unknown';
}
