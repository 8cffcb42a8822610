/** A plan → one outcome per change. Never throws half-way: a failed change is an outcome. */

import pLimit from 'p-limit';
import type { CatalogWriter } from './catalog/catalog.ts';
import { SyncError } from './errors.ts';
import {
  summarizeOutcomes,
  type Outcome,
  type OutcomeError,
  type Outcomes,
} from './plan/outcome.ts';
import { updates, type Plan, type UpdatePlan } from './plan/plan.ts';

export type Apply = {
  readonly plan: Plan;
  readonly writer: CatalogWriter;
  /** How many patches may be in flight at once. */
  readonly concurrency: number;
  /** Once aborted, no new patch is sent; those in flight end. */
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: Outcome) => void;
};

/** Sends the plan's patches, and nothing else. */
export async function apply({
  plan,
  writer,
  concurrency,
  signal,
  onOutcome,
}: Apply): Promise<Outcomes> {
  if (plan.errored || plan.planHash === undefined) throw notApplicable();
  const limit = pLimit(concurrency);
  const outcomes = await limit.map(updates(plan), async (change) => {
    const outcome = signal?.aborted ? skipped(change) : await send(change, writer);
    onOutcome?.(outcome);
    return outcome;
  });
  return summarizeOutcomes(plan.planHash, outcomes);
}

async function send(change: UpdatePlan, writer: CatalogWriter): Promise<Outcome> {
  try {
    const { version } = await writer.patch(change.id, change.patch);
    return {
      result: 'applied',
      ...subject(change),
      ...(version !== undefined && { versionAfter: version }),
      error: null,
    };
  } catch (error) {
    return { result: 'failed', ...subject(change), error: explain(error) };
  }
}

function skipped(change: UpdatePlan): Outcome {
  return {
    result: 'skipped',
    ...subject(change),
    error: { code: 'interrupted', message: 'Not attempted: the run was interrupted.' },
  };
}

function subject({ id, fullyQualifiedName, liveVersion }: UpdatePlan) {
  return {
    id,
    ...(fullyQualifiedName !== undefined && { fullyQualifiedName }),
    ...(liveVersion !== undefined && { versionBefore: liveVersion }),
  };
}

function explain(error: unknown): OutcomeError {
  if (!(error instanceof SyncError)) return { code: 'internal-error', message: String(error) };
  const { code, message, hint } = error;
  return { code, message, ...(hint !== undefined && { hint }) };
}

function notApplicable(): SyncError {
  return new SyncError('plan-errored', 'The plan has errors, so nothing of it may be applied.', {
    hint: 'Mend what the plan reports and plan again.',
  });
}
