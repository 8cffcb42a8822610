/** A plan → one outcome per change. Never throws half-way: a failed change is an outcome. */

import pLimit from 'p-limit';
import { systemEffects } from '../core/effects.ts';
import { SyncError } from '../core/errors.ts';
import { type UpdatePlan, updates } from '../plan/plan.ts';
import { applyChange } from './apply-change.ts';
import { createGuardMode } from './guard.ts';
import type { Apply } from './run.ts';
import { notLanded, type Outcome, type Outcomes, skipped, summarizeOutcomes } from './outcome.ts';
import { explain, reasons } from './reasons.ts';
import { createStopRule } from './stop-rule.ts';

/** Sends the plan's patches, each guarded against what moved since, and nothing else. */
export async function apply(options: Apply): Promise<Outcomes> {
  const { plan, concurrency, signal, maxFailures, onOutcome } = options;
  if (plan.errored || plan.planHash === undefined) throw notApplicable();
  const run = {
    ...options,
    effects: { ...systemEffects, ...options.effects },
    guardMode: createGuardMode(),
  };
  const stopRule = createStopRule({ signal, maxFailures });
  const limit = pLimit(concurrency);
  const outcomes = await limit.map(updates(plan), async (change) => {
    const reason = stopRule.reason();
    const outcome = reason
      ? skipped(change, reason)
      : await applyChange(change, run).catch(unforeseen(change));
    stopRule.note(outcome);
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
