import type { Outcomes } from '../apply/outcome.ts';
import { nameFrom } from '../config/root.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { redactTexts } from '../core/redact.ts';
import { type Plan, renamePlaces } from '../plan/plan.ts';
import { renderOutcomesJson } from '../report/json.ts';
import { renderComparisonText, renderOutcomesText } from '../report/text/outcomes.ts';
import { renderPlanText } from '../report/text/plan.ts';
import type { Comparison } from '../review/compare.ts';
import { reportDiagnostics, type Terminal } from './terminal.ts';

/** How much of a plan is printed, and in which form. */
type PrintFlags = {
  readonly format: string;
  readonly all: boolean;
  readonly quiet: boolean;
};

/** Any other format is that of another document beside it. */
type PlanView = Omit<PrintFlags, 'format'> & { readonly format: string };

/** The plan as text: the result in that format, a report beside any other and where it is no plan. */
export function showPlan(
  plan: Plan,
  flags: PlanView & { readonly next?: string },
  terminal: Terminal,
): void {
  const channel = flags.format !== 'text' || plan.planHash === undefined ? 'report' : 'write';
  const palette = terminal.palettes[channel];
  const seen = renamePlaces(plan, nameFrom(terminal.folder, terminal.root));
  const options = { palette, detail: detailOf(flags), more: '--all', now: Date.now() };
  const legend = terminal.onScreen[channel];
  const next = flags.next === undefined ? {} : { next: flags.next };
  terminal[channel](renderPlanText(seen, { ...options, legend, ...next }));
}

function detailOf({ all, quiet }: PlanView): 'all' | 'changes' | 'totals' {
  if (quiet) return 'totals';
  return all ? 'all' : 'changes';
}

/** In any other format the result is a document of its own: then as a report. */
export function showComparison(
  comparison: Comparison,
  { format }: { readonly format: string },
  terminal: Terminal,
): void {
  const channel = format === 'text' ? 'write' : 'report';
  terminal[channel](`\n${renderComparisonText(comparison, terminal.palettes[channel])}`);
}

type ShowFlags = Pick<PrintFlags, 'format'> & { readonly verbose: boolean };

/** What an apply came to; without a plan nothing was applied, and the diagnostics say why. */
export type ApplyResult = {
  readonly plan?: Plan;
  readonly outcomes: Outcomes;
  /** What is said in place of the diagnostics where the plan has been shown with its errors. */
  readonly verdict?: readonly Diagnostic[];
};

export async function showOutcomes(
  { outcomes: original, plan, verdict }: ApplyResult,
  flags: ShowFlags,
  terminal: Terminal,
): Promise<void> {
  const { redactor } = terminal;
  // Escaped, a secret would no longer look like itself.
  const outcomes = redactTexts(original, redactor);
  const told = verdict ?? outcomes.diagnostics;
  if (flags.format !== 'json' && told.length > 0) reportDiagnostics(told, terminal);
  switch (flags.format) {
    case 'json':
      return terminal.write(renderOutcomesJson(outcomes, flags), 'json');
    case 'markdown': {
      if (!plan) return;
      const { renderOutcomesMarkdown } = await import('../report/markdown/outcomes.ts');
      const shown = redactTexts(plan, redactor);
      return terminal.write(renderOutcomesMarkdown(shown, outcomes, { budget: Infinity }));
    }
    case 'html': {
      if (!plan) return;
      const { renderOutcomesHtml } = await import('../report/html/outcomes.ts');
      return terminal.write(renderOutcomesHtml(redactTexts(plan, redactor), outcomes, {}));
    }
    case 'text':
      if (outcomes.outcomes.length === 0) return;
      return terminal.write(
        `\n${renderOutcomesText(outcomes, { palette: terminal.palettes.write, verbose: flags.verbose })}`,
      );
  }
}
