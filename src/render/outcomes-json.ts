import type { Outcomes } from '../plan/outcome.ts';

/** The outcomes as `schemas/outcomes.schema.json` describes them; ends with a line break. */
export function renderOutcomesJson(outcomes: Outcomes): string {
  return `${JSON.stringify(outcomes, null, 2)}\n`;
}
