import type { Outcome, Outcomes } from '../plan/outcome.ts';

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
