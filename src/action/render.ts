import { outcomesVerdict, renderOutcomesMarkdown } from '../report/markdown/outcomes.ts';
import {
  type PlanReportOptions,
  planVerdict,
  renderPlanMarkdown,
} from '../report/markdown/plan.ts';
import { renderValidationMarkdown, validationVerdict } from '../report/markdown/problems.ts';
import { renderOutcomesText } from '../report/text/outcomes.ts';
import { plain } from '../report/text/palette.ts';
import { renderPlanText } from '../report/text/plan.ts';
import { renderValidationText } from '../report/text/problems.ts';
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
