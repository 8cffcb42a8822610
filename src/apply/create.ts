/** Creates a contract, and looks for it before its request is sent again. */

import type { CatalogWriter } from '../catalog/catalog.ts';
import { ApiError } from '../catalog/fault.ts';
import { retryPolicy } from '../catalog/send.ts';
import { isDeleted, type LiveContract } from '../contract/contract.ts';
import { backOff } from '../http/send.ts';
import { sidesOf } from '../plan/seal.ts';
import type { CreatePlan } from '../plan/plan.ts';
import { explain, type OutcomeError, reasons } from './reasons.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { fieldsOf, missingFrom, noteOfStatus, type ReadingRun } from './stored.ts';

type Creating = ReadingRun & {
  readonly writer: CatalogWriter;
  readonly signal?: AbortSignal | undefined;
};

type Sent =
  | { readonly kind: 'answered'; readonly live: LiveContract }
  | { readonly kind: 'held' | 'lost' | 'exists'; readonly error: OutcomeError };

export async function create(plan: CreatePlan, run: Creating): Promise<Outcome> {
  try {
    let lost: Sent | undefined;
    for (let sendings = 1; ; sendings += 1) {
      const sent = await sendOnce(plan, sendings, run);
      // A refusal says nothing of an earlier sending that was lost.
      const isRefused = 'result' in sent || sent.kind === 'exists';
      const arrived = (isRefused && lost) || sent;
      if ('result' in arrived) return arrived;
      const outcome = await look(plan, arrived, run);
      const isOver = isRefused || arrived.kind !== 'lost' || sendings >= retryPolicy.attempts;
      if (outcome || isOver || run.signal?.aborted) return outcome ?? absent(plan, arrived);
      lost = arrived;
    }
  } catch (error) {
    return outcomeOf(plan, 'failed', reasons.unforeseen(explain(error).message));
  }
}

async function sendOnce(
  plan: CreatePlan,
  sendings: number,
  run: Creating,
): Promise<Sent | Outcome> {
  const { writer, signal, effects, product } = run;
  try {
    return { kind: 'answered', live: await writer.create(plan.document, signal) };
  } catch (thrown) {
    const error = explain(thrown);
    if (!(thrown instanceof ApiError)) return outcomeOf(plan, 'failed', error);
    const { explanation } = product.meaning(thrown, []);
    if (explanation) return { kind: 'exists', error: explanation };
    if (thrown.status === 202) return { kind: 'held', error };
    if (thrown.outcome === 'unknown') {
      await effects.sleep(backOff(sendings, effects.random), signal).catch(() => undefined);
      return { kind: 'lost', error };
    }
    if (thrown.attempts === 0 && signal?.aborted)
      return outcomeOf(plan, 'skipped', reasons.notAttempted);
    const mayExist = thrown.status === 400 || thrown.status === 409;
    return mayExist ? { kind: 'exists', error } : outcomeOf(plan, 'failed', error);
  }
}

/** The contract, or what stands in its place, or why nothing can be read. */
async function look(plan: CreatePlan, sent: Sent, run: Creating): Promise<Outcome | undefined> {
  try {
    const live = await find(plan, run);
    if (!live) return undefined;
    const { id, fullyQualifiedName = id } = live;
    if (fullyQualifiedName !== plan.fullyQualifiedName)
      return outcomeOf(plan, 'failed', reasons.taken(fullyQualifiedName));
    if (isDeleted(live)) return outcomeOf(plan, 'failed', reasons.deletedNamesake(id));
    return settle(plan, sent, live, run);
  } catch (error) {
    const why = run.lastRead.aborted ? reasons.interrupted : explain(error);
    const reason = sent.kind === 'answered' ? reasons.unverified : reasons.unknown;
    return outcomeOf(plan, 'unverified', reason(why.message));
  }
}

async function find(plan: CreatePlan, { reader, lastRead: signal }: Creating) {
  const query = { fields: fieldsOf([sidesOf(plan).target]), signal };
  const { fullyQualifiedName, entity } = plan;
  const namesake = await reader.fetchContract({ by: 'name', fullyQualifiedName }, query);
  if (namesake && !isDeleted(namesake)) return namesake;
  const { id, type } = entity;
  return (await reader.fetchContract({ by: 'asset', id, type }, query)) ?? namesake;
}

function settle(plan: CreatePlan, sent: Sent, live: LiveContract, run: Creating): Outcome {
  const { target } = sidesOf(plan);
  const differences = missingFrom(live, target, run);
  const answer = sent.kind === 'answered' ? sent.live : undefined;
  const moved = noteOfStatus(target, answer, { live, differences }, run);
  const isOurs = sent.kind !== 'exists';
  if (differences.length === 0 || moved !== undefined) {
    const note = moved ?? notes[sent.kind];
    return outcomeOf(plan, isOurs ? 'applied' : 'unchanged', null, { live, note });
  }
  const why = answer ? reasons.differs(differences) : reasons.exists(differences);
  return outcomeOf(plan, isOurs ? 'unverified' : 'failed', why, { live, differences });
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
      return outcomeOf(plan, 'unverified', reasons.creationUnseen);
    case 'lost':
      return outcomeOf(plan, 'unverified', reasons.mayStillLand(sent.error));
    case 'held':
      return outcomeOf(plan, 'held', sent.error);
    case 'exists':
      return outcomeOf(plan, 'failed', sent.error);
  }
}
