import type { Plan } from '../plan/plan.ts';
import { renderPlanText } from '../report/text/plan.ts';
import type { Terminal } from './terminal.ts';

/** How much of a plan is printed, and in which form. */
export type PrintFlags = {
  readonly format: 'text' | 'json' | 'markdown';
  readonly all: boolean;
  readonly quiet: boolean;
};

/** The plan as text: the result in that format, a report beside any other and where it is no plan. */
export function showPlan(made: Plan, flags: PrintFlags, terminal: Terminal): void {
  const channel = flags.format !== 'text' || made.planHash === undefined ? 'report' : 'write';
  const palette = terminal.palettes[channel];
  terminal[channel](renderPlanText(made, { palette, detail: detailOf(flags) }));
}

function detailOf({ all, quiet }: PrintFlags): 'all' | 'changes' | 'totals' {
  if (quiet) return 'totals';
  return all ? 'all' : 'changes';
}
