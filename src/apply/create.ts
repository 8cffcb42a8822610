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
    const outcome = await create(plan, run).catch((error: unknown) =>
      outcomeOf(plan, 'failed', { error: reasons.unforeseen(explain(error).message) }),
    );
    run.report(plan, outcome);
  });
}

type Sent =
  | { readonly kind: 'answered'; readonly live: LiveContract }
  | { readonly kind: 'held' | 'lost' | 'exists'; readonly error: OutcomeError };

async function create(plan: CreatePlan, run: Run): Promise<Outcome> {
  let lost: Sent | undefined;
  for (let sendings = 1; ; sendings += 1) {
    const sent = await sendOnce(plan, sendings, run);
    // A refusal says nothing of an earlier sending that was lost.
    const isRefused = 'result' in sent || sent.kind === 'exists';
    const arrived = (isRefused && lost) || sent;
    if ('result' in arrived) return arrived;
    const outcome = await look(plan, arrived, run);
    const isOver = isRefused || arrived.kind !== 'lost' || sendings >= retryPolicy.attempts;
    if (outcome || isOver || stopReason(run)) return outcome ?? absent(plan, arrived);
    lost = arrived;
  }
}

async function sendOnce(plan: CreatePlan, sendings: number, run: Run): Promise<Sent | Outcome> {
  const { writer, signal, effects, product } = run;
  try {
    return { kind: 'answered', live: await writer.create(plan.document, signal) };
  } catch (thrown) {
    const error = explain(thrown);
    if (!(thrown instanceof ApiError)) return outcomeOf(plan, 'failed', { error });
    const { explanation } = product.meaning(thrown, []);
    if (explanation) return { kind: 'exists', error: explanation };
    if (thrown.status === 202) return { kind: 'held', error };
    if (thrown.outcome === 'unknown') {
      await effects.sleep(backOff(sendings, effects.random), signal).catch(() => undefined);
      return { kind: 'lost', error };
    }
    if (thrown.attempts === 0 && signal?.aborted)
      return outcomeOf(plan, 'skipped', { error: reasons.notAttempted });
    const mayExist = thrown.status === 400 || thrown.status === 409;
    return mayExist ? { kind: 'exists', error } : outcomeOf(plan, 'failed', { error });
  }
}

/** The contract, or what stands in its place, or why nothing can be read. */
async function look(plan: CreatePlan, sent: Sent, run: Run) {
  try {
    const live = await find(plan, run);
    if (!live) return undefined;
    const { id, fullyQualifiedName = id } = live;
    if (fullyQualifiedName !== plan.fullyQualifiedName)
      return outcomeOf(plan, 'failed', { error: reasons.taken(fullyQualifiedName) });
    return isDeleted(live)
      ? outcomeOf(plan, 'failed', { error: reasons.deletedNamesake(id) })
      : settle(plan, sent, live, run);
  } catch (error) {
    const why = run.lastRead.aborted ? reasons.interrupted : explain(error);
    const reason = sent.kind === 'answered' ? reasons.unverified : reasons.creationUnknown;
    return outcomeOf(plan, 'unverified', { error: reason(why.message) });
  }
}

async function find(plan: CreatePlan, { reader, lastRead: signal }: Run) {
  const query = { fields: fieldsOf([sidesOf(plan)]), signal };
  const { fullyQualifiedName, entity } = plan;
  const namesake = await reader.fetchContract({ by: 'name', fullyQualifiedName }, query);
  if (namesake && !isDeleted(namesake)) return namesake;
  const { id, type } = entity;
  return (await reader.fetchContract({ by: 'asset', id, type }, query)) ?? namesake;
}

function settle(plan: CreatePlan, sent: Sent, live: LiveContract, run: Run): Outcome {
  const sides = sidesOf(plan);
  const differences = missingFrom(live, sides, run);
  const answer = sent.kind === 'answered' ? sent.live : undefined;
  const moved = noteOfStatus(sides, answer, { live, differences }, run);
  const isOurs = sent.kind !== 'exists';
  if (differences.length === 0 || moved !== undefined) {
    const note = moved ?? notes[sent.kind];
    return outcomeOf(plan, isOurs ? 'applied' : 'unchanged', { live, ...defined({ note }) });
  }
  const error = (answer ? reasons.differs : reasons.exists)(differences);
  return outcomeOf(plan, isOurs ? 'unverified' : 'failed', { live, differences, error });
}

const notes = {
  answered: undefined,
  held: undefined,
  lost: 'The answer was lost, but the catalog has the contract as planned.',
  exists: 'The contract already exists, as planned.',
} as const;

function absent(plan: CreatePlan, sent: Sent): Outcome {
  switch (sent.kind) {
    case 'answered':
      return outcomeOf(plan, 'unverified', { error: reasons.creationUnseen });
    case 'lost':
      return outcomeOf(plan, 'unverified', { error: reasons.mayStillBeCreated(sent.error) });
    case 'held':
      return outcomeOf(plan, 'held', { error: sent.error });
    case 'exists':
      return outcomeOf(plan, 'failed', { error: sent.error });
  }
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
