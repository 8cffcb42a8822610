/** A plan → one outcome per change. Never throws half-way: a failed change is an outcome. */

import pLimit from 'p-limit';
import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import type { DialectSetting } from '../catalog/dialects/choose.ts';
import { type Effects, systemEffects } from '../core/effects.ts';
import { SyncError } from '../core/errors.ts';
import { type Plan, type UpdatePlan, updates } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { land } from './apply-change.ts';
import { createGuarding } from './guard.ts';
import { notLanded, type Outcome, type Outcomes, skipped, summarizeOutcomes } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import { createBrake } from './stop-rule.ts';

export type Apply = {
  readonly plan: Plan;
  /** For a second look where an answer is lost or not to be trusted. */
  readonly reader: CatalogReader;
  readonly writer: CatalogWriter;
  /** How contracts were compared when the plan was made. */
  readonly rules: Pick<Rules, 'equivalence' | 'arrays'>;
  readonly dialect: DialectSetting;
  /** How many changes may be under way at once. */
  readonly concurrency: number;
  /** Stop after this many failures; without it after 10 in a row, or when access is denied. */
  readonly maxFailures?: number;
  /** Once aborted, no patch is started and no look is taken; patches in flight end. */
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: Outcome) => void;
  /** Told while it happens that an answer was lost, and when the contract is looked at. */
  readonly onRetry?: (line: string) => void;
  readonly effects?: Partial<Pick<Effects, 'sleep' | 'random'>>;
};

/** Sends the plan's patches, each guarded against what moved since, and nothing else. */
export async function apply(options: Apply): Promise<Outcomes> {
  const { plan, concurrency, signal, maxFailures, onOutcome } = options;
  if (plan.errored || plan.planHash === undefined) throw notApplicable();
  const run = {
    ...options,
    effects: { ...systemEffects, ...options.effects },
    guarding: createGuarding(),
  };
  const brake = createBrake({ signal, maxFailures });
  const limit = pLimit(concurrency);
  const outcomes = await limit.map(updates(plan), async (change) => {
    const reason = brake.reason();
    const outcome = reason
      ? skipped(change, reason)
      : await land(change, run).catch(unforeseen(change));
    brake.note(outcome);
    onOutcome?.(outcome);
    return outcome;
  });
  return summarizeOutcomes(plan, outcomes);
}

/** A bug that one change brings to light must not take the outcomes of the others along. */
function unforeseen(change: UpdatePlan): (error: unknown) => Outcome {
  return (error) => notLanded(change, 'failed', reasons.unforeseen(explain(error).message));
}

function notApplicable(): SyncError {
  return new SyncError('plan-errored', 'The plan has errors, so nothing of it may be applied.', {
    hint: 'Mend what the plan reports and plan again.',
  });
}
