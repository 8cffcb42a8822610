import { outcomesVerdict, renderOutcomesMarkdown } from '../render/markdown/outcomes.ts';
import { renderPlanMarkdown, type PlanReportOptions } from '../render/markdown/plan.ts';
import { planVerdict } from '../render/markdown/title.ts';
import { renderValidationMarkdown, validationVerdict } from '../render/markdown/validation.ts';
import { renderOutcomesText } from '../render/outcomes-text.ts';
import { plain } from '../render/palette.ts';
import { renderPlanText } from '../render/plan-text.ts';
import { renderValidationText } from '../render/validation-text.ts';
import type { StepResult } from './result.ts';

/** The result as a page of Markdown. */
export function renderResult(result: StepResult, options: PlanReportOptions): string {
  switch (result.kind) {
    case 'plan':
      return renderPlanMarkdown(result.plan, withComparison(result, options));
    case 'apply':
      return renderOutcomesMarkdown(result.plan, result.outcomes, withComparison(result, options));
    case 'validation': {
      const { notice } = result;
      const alert = notice === undefined ? {} : { notice: `> [!NOTE]\n> ${notice}` };
      return renderValidationMarkdown(result.validation, { ...options, ...alert });
    }
  }
}

function withComparison(
  { comparison }: Extract<StepResult, { readonly kind: 'plan' | 'apply' }>,
  options: PlanReportOptions,
): PlanReportOptions {
  return comparison ? { ...options, comparison } : options;
}

/** The result as text for the log. */
export function resultText(result: StepResult): string {
  switch (result.kind) {
    case 'plan':
      return renderPlanText(result.plan, { palette: plain, detail: 'changes' });
    case 'apply': {
      const planText = renderPlanText(result.plan, { palette: plain, detail: 'changes' });
      if (result.outcomes.outcomes.length === 0) return planText;
      return `${planText}\n${renderOutcomesText(result.outcomes, { palette: plain, verbose: false })}`;
    }
    case 'validation':
      return renderValidationText(result.validation, plain, () => undefined);
  }
}

/** The result in a few words. */
export function verdictOf(result: StepResult): string {
  switch (result.kind) {
    case 'plan':
      return planVerdict(result.plan);
    case 'apply':
      return outcomesVerdict(result.outcomes);
    case 'validation':
      return validationVerdict(result.validation);
  }
}
