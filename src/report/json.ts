import type { Outcome, Outcomes } from '../apply/outcome.ts';
import type { ContractPlan, Plan } from '../plan/plan.ts';
import { sealPlan } from '../plan/saved.ts';

/** The plan as `schemas/plan.schema.json` describes it; ends with a line break. */
export function renderPlanJson(plan: Plan, { all }: { readonly all: boolean }): string {
  const contracts = all ? plan.contracts : plan.contracts.filter(needsEyes);
  return `${JSON.stringify(sealPlan({ ...plan, contracts }), null, 2)}\n`;
}

/** What matches and what is not this repository's is only counted. */
function needsEyes(contract: ContractPlan): boolean {
  switch (contract.action) {
    case 'update':
    case 'blocked':
    case 'missing':
      return true;
    case 'unchanged':
      return contract.problems.length > 0;
    case 'unmanaged':
      return contract.inScope ?? false;
  }
}

/** The outcomes as `schemas/outcomes.schema.json` describes them; ends with a line break. */
export function renderOutcomesJson(
  outcomes: Outcomes,
  { verbose }: { readonly verbose: boolean },
): string {
  const told = verbose ? outcomes : { ...outcomes, outcomes: outcomes.outcomes.map(brief) };
  return `${JSON.stringify(told, null, 2)}\n`;
}

/** The catalog's account of a change repeats whole sections of the contract. */
function brief(outcome: Outcome): Outcome {
  const { changeDescription: _, ...rest } = outcome;
  return rest;
}
