import { ApiError } from '../catalog/fault.ts';
import { contractLabel } from '../contract/identity.ts';
import { inexactNumbers } from '../contract/conventions.ts';
import { defined } from '../core/json.ts';
import type { Patch } from '../patch/operation.ts';
import { parsePointer } from '../patch/pointer.ts';
import { falseTest, guard, isOtherTag, isRepeatable, plannedState, wholeFields } from './guard.ts';
import { notLanded, type OutcomeError } from './outcome.ts';
import { reasons } from './reasons.ts';
import type { Run } from './run.ts';
import { readFully } from './stored.ts';
import {
  abandon,
  afterSending,
  type Decided,
  type Delivery,
  type Form,
  meaningOf,
  type Sent,
  settled,
  settleStored,
  settleUnread,
  unsendable,
} from './settle.ts';

export async function deliver(delivery: Delivery, form: Form, run: Run): Promise<Decided> {
  if (form !== 'guarded') return sendForm(delivery, form, run);
  await waitForSession(delivery, run);
  const read = await readBefore(delivery, run);
  return read.kind === 'open' ? sendForm(read.delivery, form, run) : read;
}

async function sendForm(delivery: Delivery, form: Form, run: Run): Promise<Decided> {
  const { change, dialect, valueTests } = delivery;
  const tests = guard(change, valueTests, dialect);
  if (!tests) return settled(notLanded(change, 'skipped', reasons.unguardable));
  const patch = patchToSend(delivery, form, tests);
  if ('code' in patch) return settled(unsendable(delivery, patch));
  let next = delivery;
  do {
    next = await send(next, form, patch, run);
  } while (isToBeAskedAgain(next, run));
  const kind = next.last?.sent.kind;
  if (kind === 'paused') return { kind: 'open', delivery: next };
  run.stopRule.noteSent(kind === 'answered');
  const isGivenUp = run.signal?.aborted && kind === 'unsent' && next.mayHaveLanded === 'no';
  const outcome = isGivenUp ? abandon(next, reasons.notAttempted) : settleUnread(next);
  return outcome ? settled(outcome) : { kind: 'open', delivery: next };
}

// The contract is read first where an edit since the plan may have kept its version and its time, or
// where only an answer gives its tag. If it can't be read, the guard alone protects it.
async function readBefore(delivery: Delivery, run: Run): Promise<Decided> {
  const { before: _, ...rest } = delivery;
  const isTagRead = delivery.dialect.tags && run.lessons.tags() === 'given';
  const isRead = isTagRead || sessionLeft(delivery, run) > 0;
  const stored = isRead ? await readFully(delivery.change, run) : undefined;
  if (stored?.kind !== 'seen') return { kind: 'open', delivery: rest };
  const decided = settleStored(rest, stored, { ...run, isAhead: true });
  if (decided.kind === 'settled') return decided;
  return { kind: 'open', delivery: { ...rest, before: stored.live } };
}

function patchToSend({ patch, live }: Delivery, form: Form, tests: Patch): Patch | OutcomeError {
  if (form === 'guarded') return [...tests, ...patch];
  const fields = live ? wholeFields(patch, live) : [];
  const [inexact] = fields.flatMap((each) =>
    'value' in each ? inexactNumbers(each.value, parsePointer(each.path)) : [],
  );
  if (!inexact || isRepeatable(patch)) {
    const repeatable = inexact ? patch : fields;
    return form === 'trial' ? [falseTest, ...repeatable] : repeatable;
  }
  const { code, message, hint } = inexact;
  return { code, message, ...defined({ hint }) };
}

async function send(delivery: Delivery, form: Form, patch: Patch, run: Run): Promise<Delivery> {
  const { change } = delivery;
  const { lessons, signal } = run;
  const ifMatch = form === 'guarded' ? tagOf(delivery, run) : undefined;
  const endsWithPause = form !== 'guarded';
  const repeats = endsWithPause || isRepeatable(delivery.patch) || knowsHeeded(delivery, run);
  const sent = await run.writer
    .patch(change.id, patch, { lastTry: signal, ifMatch, repeats, endsWithPause })
    .then((live): Sent => ({ kind: 'answered', live }))
    .catch((error: unknown) => failureOf(error, delivery));
  if (sent.kind === 'answered') {
    lessons.note(`${form}-accepted`);
    if (isOtherTag(sent.live, delivery.dialect)) lessons.note('tag-otherwise');
    run.onAnswer?.(change);
  }
  const next = afterSending(delivery, { form, sent, tag: ifMatch });
  if (form === 'trial' && meaningOf(next)?.isRefusedTest) lessons.note('false-test-refused');
  return next;
}

function tagOf(delivery: Delivery, { lessons }: Run): string | undefined {
  const { change, patch, dialect, before } = delivery;
  const use = lessons.tags();
  if (!dialect.tags || use === 'refused') return undefined;
  if (before && isOtherTag(before, dialect)) return before.tag;
  if (dialect.tags.isLossy(patch) || (use === 'given' && before?.tag === undefined))
    return undefined;
  return dialect.tags.compute(plannedState(change));
}

// Milliseconds by which the clocks of the catalog and of this machine may differ.
const clockDifference = 30_000;

// Milliseconds for which an edit may still join the version that was planned against.
function sessionLeft({ change, dialect: { session } }: Delivery, { effects }: Run): number {
  const { liveVersion = '', liveUpdatedAt = 0, predictedVersions } = change;
  if (!session || !predictedVersions.includes(liveVersion)) return 0;
  return liveUpdatedAt + session.milliseconds + clockDifference - effects.now();
}

async function waitForSession(delivery: Delivery, run: Run): Promise<void> {
  const { session, name } = delivery.dialect;
  const left = sessionLeft(delivery, run);
  if (left <= 0 || !session?.isWaitedFor(run.rules.sections[name])) return;
  // A patch with a tag gets a version of its own, also within the session.
  if (tagOf(delivery, run) !== undefined) return;
  const [caller, read] = await Promise.all([run.askCaller?.(), readFully(delivery.change, run)]);
  const editor = read.kind === 'seen' ? read.live.document['updatedBy'] : undefined;
  if (caller !== undefined && typeof editor === 'string' && editor !== caller) return;
  const about = contractLabel(delivery.change);
  run.onRetry?.(`Waiting ${Math.ceil(left / 1000)} s for ${about} to get a version of its own.`);
  // An interruption ends the wait; the writer then sends nothing.
  await run.effects.sleep(left, run.signal).catch(() => undefined);
}

function failureOf(error: unknown, { patch, dialect }: Delivery): Sent {
  if (!(error instanceof ApiError)) return { kind: 'unsent', error };
  if (error.isPaused) return { kind: 'paused', error };
  if (dialect.meaning(error, patch).isRefusal) return { kind: 'refused', error };
  const hasLeft = error.outcome === 'unknown' || error.status !== undefined;
  return { kind: hasLeft ? 'lost' : 'unsent', error };
}

/** Where the catalog heeds guards, a patch in flight can't land late. */
export function knowsHeeded({ dialect }: Delivery, { lessons }: Run): boolean {
  return dialect.knowsTests || lessons.areHeeded();
}

function isToBeAskedAgain(delivery: Delivery, run: Run): boolean {
  return (
    delivery.last?.form === 'trial' &&
    meaningOf(delivery)?.isRefusedTest === true &&
    !knowsHeeded(delivery, run) &&
    run.stopRule.reason() === undefined
  );
}
