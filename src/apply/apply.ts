/** A plan → one outcome per change: a failed change is an outcome, never an exception. */

import pLimit from 'p-limit';
import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import { ApiError } from '../catalog/fault.ts';
import { isSince, type Product } from '../catalog/products/product.ts';
import { retryPolicy } from '../catalog/send.ts';
import { type LiveContract, optionalFields } from '../contract/contract.ts';
import { type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { offlineEffects } from '../core/effects.ts';
import { defined } from '../core/json.ts';
import { backOff } from '../http/send.ts';
import {
  type ContractPlan,
  creations,
  type CreatePlan,
  type Plan,
  type UpdatePlan,
  updates,
} from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { create } from './create.ts';
import {
  advance,
  composeBody,
  type Catalog,
  type Delivery,
  type Event,
  isWhole,
  planned,
} from './delivery.ts';
import { explain, type OutcomeError, reasons } from './reasons.ts';
import { type Outcome, outcomeOf, type Outcomes, summarizeOutcomes } from './outcome.ts';
import { fieldsOf, type ReadingRun, readStored } from './stored.ts';

export type Apply = {
  readonly plan: Plan;
  readonly reader: CatalogReader;
  readonly writer: CatalogWriter;
  readonly rules: Rules;
  readonly product: Product;
  /** The server's release, if it is known. */
  readonly release?: string | undefined;
  readonly concurrency: number;
  /** By default 10 in a row, or denied access. */
  readonly maxFailures?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly beforeSend?: ((change: UpdatePlan | CreatePlan) => void) | undefined;
  readonly onOutcome?: (outcome: Outcome) => void;
  readonly onAnswer?: (change: UpdatePlan, answer: LiveContract) => void;
  readonly onRetry?: ((line: string) => void) | undefined;
  readonly effects?: Partial<ReadingRun['effects']>;
};

type Run = Apply &
  ReadingRun & {
    readonly outcomes: Map<ContractPlan, Outcome>;
    guards: Catalog['guards'];
    /** Whether a patch without its guard was taken. */
    hasGoneBare: boolean;
    /** For `If-Match`: as this program computes them, or as a read right before gives them. */
    tags: 'computed' | 'read' | 'none';
    course: Course;
    /** The product's note on its editing sessions, until an outcome carries it. */
    note: string | undefined;
  };

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
  const closing = new AbortController();
  const run = openRun(options, closing.signal);
  try {
    await deliverAll(run);
    await createAll(run);
  } finally {
    closing.abort();
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

function openRun(options: Apply, over: AbortSignal): Run {
  const { product, release, signal } = options;
  const effects = { ...offlineEffects, ...options.effects };
  const hasOtherTags = product.tags && isSince(release, product.tags.otherwiseSince);
  return {
    ...options,
    effects,
    lastRead: afterInterruption(signal, over, effects),
    outcomes: new Map(),
    guards: 'unknown',
    hasGoneBare: false,
    tags: hasOtherTags ? 'read' : product.tags ? 'computed' : 'none',
    course: { failures: 0, harmless: 0 },
    note: product.session?.note,
  };
}

// Milliseconds: GitHub's runner kills a process 7.5 seconds after it asks it to stop.
const lastReadTakes = 5000;

function afterInterruption(
  interruption: AbortSignal | undefined,
  over: AbortSignal,
  { sleep }: Run['effects'],
): AbortSignal {
  const ending = new AbortController();
  const endSoon = (): void => {
    sleep(lastReadTakes, over).then(
      () => ending.abort(),
      () => undefined,
    );
  };
  if (interruption?.aborted) endSoon();
  interruption?.addEventListener('abort', endSoon, { once: true, signal: over });
  return ending.signal;
}

async function deliverAll(run: Run): Promise<void> {
  let open: readonly Delivery[] = updates(run.plan).map((change) => planned(change, run));
  while (open.length > 0 && !stopReason(run)) open = await playRound(open, run);
  const why = stopReason(run);
  if (why) for (const delivery of open) move(delivery, { kind: 'stopped', why }, run);
}

async function createAll(run: Run): Promise<void> {
  await pLimit(run.concurrency).map(creations(run.plan), async (creation) => {
    const why = stopReason(run);
    if (!why) run.beforeSend?.(creation);
    record(creation, why ? outcomeOf(creation, 'skipped', why) : await create(creation, run), run);
  });
}

// Contracts that are read together before bare patches go to them: few, so that the read is recent.
const readTogether = 50;

async function playRound(open: readonly Delivery[], run: Run): Promise<readonly Delivery[]> {
  const unread = open.filter((delivery) => needsRead(delivery, run));
  const read = await readAll(unread.slice(0, readTogether), run);
  const ready = [...open.filter((delivery) => !needsRead(delivery, run)), ...read.filter(isDue)];
  // Sent in this round, and not answered with success: in a row, unless failures are limited.
  let unanswered = 0;
  const sent = await pLimit(run.concurrency).map(ready, async (delivery) => {
    const { failures, harmless } = run.course;
    // The more harmless changes there are, the fewer reads are needed.
    const most = run.maxFailures ?? longestRow + harmless;
    if (stopReason(run) || failures + unanswered >= most || needsRead(delivery, run))
      return withoutRead(delivery);
    const next = await send(delivery, run);
    if (next.state.kind !== 'answered') unanswered += Number(isUnderWay(next));
    else if (run.maxFailures === undefined) unanswered = 0;
    return next;
  });
  await pause(sent, run);
  const seen = await readAll(sent.filter(isUnderWay), run);
  const next = [...seen, ...sent, ...unread.slice(readTogether)].filter(isDue);
  return next.map((delivery, index) => (index < readTogether ? delivery : withoutRead(delivery)));
}

// Whole fields are computed on a read of just now.
function needsRead(delivery: Delivery, run: Run): boolean {
  const { state } = delivery;
  return isWhole(delivery, run) && state.kind === 'due' && !state.live;
}

function withoutRead(delivery: Delivery): Delivery {
  const { state } = delivery;
  return 'live' in state ? { ...delivery, state: { kind: 'due', error: state.error } } : delivery;
}

function isDue({ state }: Delivery): boolean {
  return state.kind === 'due';
}

function isUnderWay({ state }: Delivery): boolean {
  return state.kind !== 'due' && state.kind !== 'settled';
}

async function readAll(deliveries: readonly Delivery[], run: Run): Promise<readonly Delivery[]> {
  const changes = deliveries.map(({ change }) => change);
  const storedOf = await readStored(changes, fieldsOf(changes.map(({ target }) => target)), run);
  return deliveries.map((delivery) => move(delivery, storedOf(delivery.change), run));
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

async function send(due: Delivery, run: Run): Promise<Delivery> {
  const delivery = run.guards === 'refused' ? ({ ...due, form: 'bare' } as const) : due;
  const before = await readBefore(delivery, run);
  const ready = before ? move(delivery, { kind: 'seen', live: before }, run) : delivery;
  return isDue(ready) ? move(ready, await sendPatch(ready, before, run), run) : ready;
}

async function sendPatch(
  delivery: Delivery,
  before: LiveContract | undefined,
  run: Run,
): Promise<Event> {
  const { change, guard, form } = delivery;
  if (guard.length === 0) return { kind: 'stopped', why: reasons.unguardable };
  const ifMatch = tagFor(delivery, before, run);
  try {
    const { body, repeats, inexact } = composeBody(delivery, run);
    if (inexact) return { kind: 'unsent', why: inexact };
    const options = { lastTry: run.signal, ifMatch, repeats, endsWithPause: form === 'bare' };
    run.beforeSend?.(change);
    return { kind: 'answered', answer: await run.writer.patch(change.id, body, options), before };
  } catch (error) {
    const hasLeft =
      error instanceof ApiError &&
      (error.isPaused || error.status !== undefined || error.outcome === 'unknown');
    if (hasLeft) return { kind: 'failed', error, isTagged: ifMatch !== undefined };
    return run.signal?.aborted
      ? { kind: 'stopped', why: reasons.notAttempted }
      : { kind: 'unsent', why: explain(error) };
  }
}

function tagFor(
  { change, form, patch }: Delivery,
  before: LiveContract | undefined,
  { product, tags }: Run,
): string | undefined {
  if (form === 'bare' || tags === 'none' || (tags === 'read' && !before)) return undefined;
  const { liveVersion: version, liveUpdatedAt: updatedAt } = change;
  return product.tags?.choose(patch, defined({ version, updatedAt }), before);
}

/**
 * The whole contract, where an edit since the plan may have kept its version and its time, or where
 * only an answer gives its tag. If it can't be read, the guard alone protects it.
 */
async function readBefore({ change }: Delivery, run: Run): Promise<LiveContract | undefined> {
  if (run.tags !== 'read' && sessionLeft(change, run) <= 0) return undefined;
  const stored = (await readStored([change], optionalFields, run))(change);
  return stored.kind === 'seen' ? stored.live : undefined;
}

// Milliseconds by which the clocks of the catalog and of this machine may differ.
const clockDifference = 30_000;

// Milliseconds for which an edit may still join the version that was planned against.
function sessionLeft(change: UpdatePlan, { product: { session }, effects }: Run): number {
  const { liveVersion = '', liveUpdatedAt = 0, predictedVersions } = change;
  if (!session || !predictedVersions.includes(liveVersion)) return 0;
  return liveUpdatedAt + session.milliseconds + clockDifference - effects.now();
}

function move(delivery: Delivery, event: Event, run: Run): Delivery {
  const next = advance(delivery, event, run);
  if (event.kind === 'answered') {
    run.hasGoneBare ||= next.form === 'bare';
    if (run.guards !== 'taken') run.guards = next.form === 'bare' ? 'refused' : 'taken';
    if (run.maxFailures === undefined) run.course = { ...run.course, failures: 0 };
    run.onAnswer?.(next.change, event.answer);
  }
  if (delivery.state.kind === 'tag-refused' && isDue(next))
    run.tags = run.tags === 'computed' ? 'read' : 'none';
  if (next.state.kind === 'settled')
    record(next.refused?.change ?? next.change, next.state.outcome, run);
  return next;
}

function record(change: UpdatePlan | CreatePlan, outcome: Outcome, run: Run): void {
  const { result, versionBefore, versionAfter } = outcome;
  const isMerged = result === 'applied' && Number(versionAfter) <= Number(versionBefore);
  const { note } = run;
  const noted = isMerged && note !== undefined ? { ...outcome, note } : outcome;
  // The first such outcome alone has the note.
  if (noted !== outcome) run.note = undefined;
  run.outcomes.set(change, noted);
  run.course = afterOutcome(run.course, noted, run.maxFailures);
  run.onOutcome?.(noted);
}

/** When a run stops, and when it reads what is stored before it sends more. */
type Course = {
  /** In a row, unless the user limits them. */
  readonly failures: number;
  /** Changes that turned out to be no failure. */
  readonly harmless: number;
  readonly stop?: OutcomeError | undefined;
};

// After so many failures in a row the contracts are hardly at fault.
const longestRow = 10;

function stopReason({ signal, course }: Run): OutcomeError | undefined {
  return signal?.aborted ? reasons.notAttempted : course.stop;
}

function afterOutcome(course: Course, { result, error }: Outcome, limit?: number): Course {
  const isInRow = limit === undefined;
  if (result === 'skipped') return course;
  if (!['failed', 'landed-in-part', 'unverified'].includes(result)) {
    const failures = isInRow ? 0 : course.failures;
    return { ...course, failures, harmless: course.harmless + 1 };
  }
  const failures = course.failures + (isInRow && error?.scope === 'contract' ? 0 : 1);
  let why: string | undefined;
  if (isInRow && error?.scope === 'run') why = 'because the catalog denies access';
  else if (failures >= (limit ?? longestRow))
    why = `after ${failures} failures${isInRow ? ' in a row' : ''}`;
  return {
    ...course,
    failures,
    stop: course.stop ?? (why === undefined ? why : reasons.stopped(why)),
  };
}
