/** Creates what the plan says is to be created: each request is sent once, and looked after. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/api-error.ts';
import { waitAfter } from '../catalog/retry.ts';
import type { LiveContract } from '../contract/contract.ts';
import { isDeleted } from '../contract/live.ts';
import type { CreatePlan } from '../plan/plan.ts';
import type { Outcome, OutcomeError, OutcomeResult } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import type { Run } from './run.ts';
import { fieldsOf, missingFrom } from './stored.ts';

/** What became of each creation. Never throws: a failed one is an outcome. */
export async function createContracts(
  plans: readonly CreatePlan[],
  run: Run,
  report: (plan: CreatePlan, outcome: Outcome) => void,
): Promise<void> {
  await pLimit(run.concurrency).map(plans, async (plan) => {
    const stop = run.stopRule.reason();
    report(plan, stop ? outcomeOf(plan, 'skipped', { error: stop }) : await createOne(plan, run));
  });
}

async function createOne(plan: CreatePlan, run: Run): Promise<Outcome> {
  try {
    return await sendAndLook(plan, run);
  } catch (error) {
    const { message } = explain(error);
    return outcomeOf(plan, 'failed', { error: reasons.unforeseen(message) });
  }
}

/** How the one sending ended; `exists`: it says that there is one already. */
type Sent =
  | { readonly kind: 'answered' }
  /** An interruption found it waiting for its turn. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'lost' | 'exists'; readonly error: unknown }
  | { readonly kind: 'refused'; readonly error: unknown };

/** It may have come about. */
type Arrived = Exclude<Sent, { readonly kind: 'unsent' | 'refused' }>;

async function sendAndLook(plan: CreatePlan, run: Run): Promise<Outcome> {
  const sent = await sendOnce(plan, run);
  if (sent.kind === 'unsent') return outcomeOf(plan, 'skipped', { error: reasons.notAttempted });
  if (sent.kind === 'refused') return outcomeOf(plan, 'failed', { error: explain(sent.error) });
  if (sent.kind === 'lost') await waitToLand(run);
  try {
    return settle(plan, sent, await look(plan, run), run);
  } catch (error) {
    const why = run.lastRead.aborted ? reasons.interrupted.message : explain(error).message;
    return sent.kind === 'answered'
      ? outcomeOf(plan, 'unverified', { error: reasons.unverified(why) })
      : outcomeOf(plan, 'failed', { error: reasons.creationUnknown(why) });
  }
}

async function sendOnce({ body }: CreatePlan, { writer, signal }: Run): Promise<Sent> {
  try {
    await writer.create(body, signal);
    return { kind: 'answered' };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'refused', error };
    if (error.code === 'interrupted') return { kind: 'unsent' };
    if (error.outcome === 'unknown') return { kind: 'lost', error };
    const mayExist = error.status === 400 || error.status === 409;
    return { kind: mayExist ? 'exists' : 'refused', error };
  }
}

/** What is still under way gets the time to land. An interruption ends the wait. */
async function waitToLand({ effects, signal }: Run): Promise<void> {
  const wait = waitAfter(1, effects.random) ?? 0;
  await effects.sleep(wait, signal).catch(() => undefined);
}

/** The contract of that name, deleted or not, or else the one of its asset. */
async function look(
  plan: CreatePlan,
  { reader, lastRead }: Run,
): Promise<LiveContract | undefined> {
  const query = { fields: fieldsOf([plan]), signal: lastRead };
  const { fullyQualifiedName, entity } = plan;
  const namesake = await reader.fetchContract({ by: 'name', fullyQualifiedName }, query);
  if (namesake && !isDeleted(namesake)) return namesake;
  const { id, type } = entity;
  return (await reader.fetchContract({ by: 'asset', id, type }, query)) ?? namesake;
}

function settle(
  plan: CreatePlan,
  sent: Arrived,
  live: LiveContract | undefined,
  run: Run,
): Outcome {
  if (!live) return outcomeOf(plan, ...absent(sent));
  const isOther = live.fullyQualifiedName !== plan.fullyQualifiedName;
  if (isDeleted(live) || isOther) {
    const error = isOther
      ? reasons.taken(live.fullyQualifiedName ?? live.id)
      : reasons.deletedNamesake(live.id);
    return outcomeOf(plan, 'failed', { error });
  }
  const differences = missingFrom(live, plan, run);
  if (differences.length === 0) {
    const note = notes[sent.kind];
    const result = sent.kind === 'exists' ? 'unchanged' : 'applied';
    return outcomeOf(plan, result, { live, ...(note !== undefined && { note }) });
  }
  return sent.kind === 'answered'
    ? outcomeOf(plan, 'unverified', { live, differences, error: reasons.differs(differences) })
    : outcomeOf(plan, 'failed', { live, differences, error: reasons.exists(differences) });
}

const notes = {
  answered: undefined,
  lost: 'The answer was lost, but the catalog has the contract as planned.',
  exists: 'The contract already exists, as planned.',
} as const;

function absent(sent: Arrived): [OutcomeResult, Told] {
  switch (sent.kind) {
    case 'answered':
      return ['unverified', { error: reasons.unverified('the catalog has no such contract.') }];
    case 'lost':
      return ['failed', { error: reasons.mayStillLand(explain(sent.error)) }];
    case 'exists':
      return ['failed', { error: explain(sent.error) }];
  }
}

/** What is told of a creation beside its result. */
type Told = {
  readonly live?: LiveContract;
  readonly note?: string;
  readonly differences?: readonly string[];
  readonly error?: OutcomeError;
};

function outcomeOf(
  { fullyQualifiedName }: CreatePlan,
  result: OutcomeResult,
  { live, error = null, ...told }: Omit<Told, 'error'> & { readonly error?: OutcomeError | null },
): Outcome {
  return {
    result,
    ...(live && { id: live.id }),
    fullyQualifiedName,
    ...(live?.version !== undefined && { versionAfter: live.version }),
    ...told,
    error,
  };
}
