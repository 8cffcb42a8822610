/** Creates contracts, and looks for one before its request is sent again. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import { retryPolicy } from '../catalog/send.ts';
import { backOff } from '../http/retry.ts';
import { isDeleted, type LiveContract } from '../contract/contract.ts';
import { defined } from '../core/json.ts';
import type { CreatePlan } from '../plan/plan.ts';
import { sidesOf } from '../plan/change.ts';
import type { Outcome, OutcomeError, OutcomeResult } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import { type Run, stopReason } from './run.ts';
import { fieldsOf, missingFrom, noteOfStatus } from './stored.ts';

export async function createContracts(plans: readonly CreatePlan[], run: Run): Promise<void> {
  await pLimit(run.concurrency).map(plans, async (plan) => {
    const stop = stopReason(run);
    if (stop) return run.report(plan, outcomeOf(plan, 'skipped', { error: stop }));
    const outcome = await sendAndLook(plan, run).catch((error: unknown) =>
      outcomeOf(plan, 'failed', { error: reasons.unforeseen(explain(error).message) }),
    );
    run.report(plan, outcome);
  });
}

type Arrived =
  | { readonly kind: 'answered'; readonly live: LiveContract }
  | { readonly kind: 'held' | 'lost'; readonly error: ApiError }
  | { readonly kind: 'exists'; readonly error: OutcomeError };

type Sent =
  | Arrived
  | { readonly kind: 'unsent' }
  | { readonly kind: 'refused'; readonly error: OutcomeError };

async function sendAndLook(plan: CreatePlan, run: Run): Promise<Outcome> {
  let lost: Arrived | undefined;
  for (let sendings = 1; ; sendings += 1) {
    const sent = await sendOnce(plan, run);
    const arrived = arrivalOf(sent, lost);
    if (!arrived) {
      return sent.kind === 'refused'
        ? outcomeOf(plan, 'failed', { error: sent.error })
        : outcomeOf(plan, 'skipped', { error: reasons.notAttempted });
    }
    if (sent.kind === 'lost') {
      const wait = backOff(sendings, run.effects.random);
      await run.effects.sleep(wait, run.signal).catch(() => undefined);
    }
    const seen = await look(plan, run).catch((error: unknown) => {
      const why = run.lastRead.aborted ? reasons.interrupted : explain(error);
      const reason = arrived.kind === 'answered' ? reasons.unverified : reasons.creationUnknown;
      return outcomeOf(plan, 'unverified', { error: reason(why.message) });
    });
    if (seen && 'result' in seen) return seen;
    const mayHelp = sent.kind === 'lost' && sendings < retryPolicy.attempts;
    if (seen || !mayHelp || stopReason(run)) return settle(plan, arrived, seen, run);
    lost = sent;
  }
}

// A refusal says nothing of an earlier sending that was lost.
function arrivalOf(sent: Sent, lost: Arrived | undefined): Arrived | undefined {
  if (sent.kind === 'answered' || sent.kind === 'held' || sent.kind === 'lost') return sent;
  return lost ?? (sent.kind === 'exists' ? sent : undefined);
}

async function sendOnce({ document }: CreatePlan, { writer, signal, product }: Run): Promise<Sent> {
  try {
    return { kind: 'answered', live: await writer.create(document, signal) };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'refused', error: explain(error) };
    const { explanation } = product.meaning(error, []);
    if (explanation) return { kind: 'exists', error: explanation };
    if (error.status === 202) return { kind: 'held', error };
    if (error.outcome === 'unknown') return { kind: 'lost', error };
    if (error.attempts === 0 && signal?.aborted) return { kind: 'unsent' };
    const mayExist = error.status === 400 || error.status === 409;
    return { kind: mayExist ? 'exists' : 'refused', error: explain(error) };
  }
}

async function look(plan: CreatePlan, { reader, lastRead }: Run) {
  const query = { fields: fieldsOf([sidesOf(plan)]), signal: lastRead };
  const { fullyQualifiedName, entity } = plan;
  const namesake = await reader.fetchContract({ by: 'name', fullyQualifiedName }, query);
  if (namesake && !isDeleted(namesake)) return namesake;
  const { id, type } = entity;
  return (await reader.fetchContract({ by: 'asset', id, type }, query)) ?? namesake;
}

function settle(plan: CreatePlan, sent: Arrived, live: LiveContract | undefined, run: Run) {
  const { landed, apart, absent, ...expected } = results[sent.kind];
  if (!live) return outcomeOf(plan, absent, { error: absence(sent) });
  const { id, fullyQualifiedName = id } = live;
  if (fullyQualifiedName !== plan.fullyQualifiedName)
    return outcomeOf(plan, 'failed', { error: reasons.taken(fullyQualifiedName) });
  if (isDeleted(live)) return outcomeOf(plan, 'failed', { error: reasons.deletedNamesake(id) });
  const sides = sidesOf(plan);
  const differences = missingFrom(live, sides, run);
  const answered = sent.kind === 'answered' ? sent.live : undefined;
  const note = noteOfStatus(sides, answered, { live, differences }, run) ?? expected.note;
  if (differences.length === 0 || (answered && note !== undefined))
    return outcomeOf(plan, landed, { live, ...defined({ note }) });
  const error = (sent.kind === 'answered' ? reasons.differs : reasons.exists)(differences);
  return outcomeOf(plan, apart, { live, differences, error });
}

const results = {
  answered: { landed: 'applied', apart: 'unverified', absent: 'unverified', note: undefined },
  held: { landed: 'applied', apart: 'unverified', absent: 'held', note: undefined },
  lost: {
    landed: 'applied',
    apart: 'unverified',
    absent: 'unverified',
    note: 'The answer was lost, but the catalog has the contract as planned.',
  },
  exists: {
    landed: 'unchanged',
    apart: 'failed',
    absent: 'failed',
    note: 'The contract already exists, as planned.',
  },
} as const;

function absence(sent: Arrived): OutcomeError {
  if (sent.kind === 'answered') return reasons.unverified('the catalog has no such contract.');
  if (sent.kind === 'exists') return sent.error;
  const error = explain(sent.error);
  return sent.kind === 'lost' ? reasons.mayStillLand(error) : error;
}

function outcomeOf(
  { fullyQualifiedName }: CreatePlan,
  result: OutcomeResult,
  given: Partial<Pick<Outcome, 'note' | 'differences' | 'error'>> & { live?: LiveContract },
): Outcome {
  const { live, error = null, ...facts } = given;
  const seen = defined({ versionAfter: live?.version });
  return { result, ...defined({ id: live?.id }), fullyQualifiedName, ...seen, ...facts, error };
}
