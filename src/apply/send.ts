import { ApiError } from '../catalog/fault.ts';
import { inexactNumbers } from '../contract/conventions.ts';
import { contractLabel } from '../contract/identity.ts';
import type { LiveContract } from '../contract/contract.ts';
import { defined } from '../core/json.ts';
import type { Patch } from '../patch/evaluate.ts';
import { parsePointer } from '../patch/pointer.ts';
import { type Delivery, type Event, isWhole } from './delivery.ts';
import { isRepeatable, wholeFields } from './guard.ts';
import type { OutcomeError } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import type { Run } from './run.ts';
import { readAllFields } from './stored.ts';

/** `before`: the whole contract, if it was read right before. */
export async function sendPatch(
  delivery: Delivery,
  before: LiveContract | undefined,
  run: Run,
): Promise<Event> {
  const { product, signal } = run;
  const { change, guard, form, patch } = delivery;
  if (guard.length === 0) return { kind: 'stopped', why: reasons.unguardable };
  const ifMatch = tagFor(delivery, before, run);
  try {
    const operations = operationsOf(delivery, run);
    const [inexact] = inexactIn(operations);
    if (inexact) return { kind: 'unsent', why: inexact };
    const body = form === 'bare' ? operations : [...guard, ...operations];
    const repeats = operations !== patch || product.knowsTests || isRepeatable(patch);
    const options = { lastTry: signal, ifMatch, repeats, endsWithPause: form === 'bare' };
    return { kind: 'answered', answer: await run.writer.patch(change.id, body, options), before };
  } catch (error) {
    if (hasLeft(error)) return { kind: 'failed', error, isTagged: ifMatch !== undefined };
    return signal?.aborted
      ? { kind: 'stopped', why: reasons.notAttempted }
      : { kind: 'unsent', why: explain(error) };
  }
}

function operationsOf(delivery: Delivery, run: Run): Patch {
  const { patch, state } = delivery;
  if (!isWhole(delivery, run) || state.kind !== 'due' || !state.live) return patch;
  const fields = wholeFields(patch, state.live);
  return isRepeatable(patch) && inexactIn(fields).length > 0 ? patch : fields;
}

function hasLeft(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.isPaused || error.status !== undefined || error.outcome === 'unknown';
}

function inexactIn(patch: Patch): OutcomeError[] {
  return patch
    .flatMap((each) => ('value' in each ? inexactNumbers(each.value, parsePointer(each.path)) : []))
    .map(({ code, message, hint }) => ({ code, message, ...defined({ hint }) }));
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
export async function readBefore(delivery: Delivery, run: Run): Promise<LiveContract | undefined> {
  if (run.tags !== 'read' && sessionLeft(delivery, run) <= 0) return undefined;
  const stored = await readAllFields(delivery.change, run);
  return stored.kind === 'seen' ? stored.live : undefined;
}

// Milliseconds by which the clocks of the catalog and of this machine may differ.
const clockDifference = 30_000;

// Milliseconds for which an edit may still join the version that was planned against.
function sessionLeft({ change }: Delivery, { product: { session }, effects }: Run): number {
  const { liveVersion = '', liveUpdatedAt = 0, predictedVersions } = change;
  if (!session || !predictedVersions.includes(liveVersion)) return 0;
  return liveUpdatedAt + session.milliseconds + clockDifference - effects.now();
}

export async function waitForSession(delivery: Delivery, run: Run): Promise<void> {
  const { session, name } = run.product;
  const left = sessionLeft(delivery, run);
  if (left <= 0 || !session?.isWaitedFor(run.rules.sections[name])) return;
  // A patch with a tag gets a version of its own, also within the session.
  if (tagFor(delivery, undefined, run) !== undefined) return;
  const [caller, read] = await Promise.all([
    run.askCaller?.(),
    readAllFields(delivery.change, run),
  ]);
  const editor = read.kind === 'seen' ? read.live.document['updatedBy'] : undefined;
  if (caller !== undefined && typeof editor === 'string' && editor !== caller) return;
  const about = contractLabel(delivery.change);
  run.onRetry?.(`Waiting ${Math.ceil(left / 1000)} s for ${about} to get a version of its own.`);
  // An interruption ends the wait; the writer then sends nothing.
  await run.effects.sleep(left, run.signal).catch(() => undefined);
}
