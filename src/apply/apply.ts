/** A plan → one outcome per change. Never throws half-way: a failed change is an outcome. */

import { productOf } from '../catalog/products/products.ts';
import { SyncError } from '../core/errors.ts';
import {
  type ContractPlan,
  creations,
  type CreatePlan,
  type UpdatePlan,
  updates,
} from '../plan/plan.ts';
import { createContracts } from './create.ts';
import { type Delivery, undelivered } from './delivery.ts';
import { type Outcome, type Outcomes, summarizeOutcomes } from './outcome.ts';
import { playRound, type Playing } from './round.ts';
import { type Apply, openRun } from './run.ts';
import { abandon, failed } from './settle.ts';

/**
 * Sends the plan's patches, each guarded against what moved since, and nothing else; then reads what
 * the catalog stores. What was not answered with yes and has not landed goes into another round.
 */
export async function apply(options: Apply): Promise<Outcomes> {
  const { plan } = options;
  if (plan.errored || plan.planHash === undefined) throw notApplicable();
  const run = openRun(options);
  const outcomes = new Map<ContractPlan, Outcome>();
  const report = (change: UpdatePlan | CreatePlan, outcome: Outcome): void => {
    outcomes.set(change, outcome);
    run.stopRule.note(outcome);
    run.onOutcome?.(outcome);
  };
  try {
    await playRounds({ ...run, report });
    await createContracts(creations(plan), run, report);
  } finally {
    run.close();
  }
  const inOrder = plan.contracts.map((contract) => outcomes.get(contract));
  return summarizeOutcomes(
    plan,
    inOrder.filter((outcome) => outcome !== undefined),
  );
}

async function playRounds(run: Playing): Promise<void> {
  let open: readonly Delivery[] = updates(run.plan).map((change) =>
    undelivered(change, productOf(run.dialect), run.rules.arrays),
  );
  while (open.length > 0) {
    const stop = run.stopRule.reason();
    if (!stop) {
      open = await playRound(open, run);
      continue;
    }
    for (const each of open) {
      const isUntouched = each.mayHaveLanded === 'no';
      run.report(each.change, isUntouched ? abandon(each, stop) : failed(each));
    }
    return;
  }
}

function notApplicable(): SyncError {
  return new SyncError('plan-errored', 'The plan has errors: nothing was applied.', {
    hint: 'Fix the errors and plan again.',
  });
}
