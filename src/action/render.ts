import { outcomesVerdict } from '../report/model/outcomes.ts';
import { planVerdict } from '../report/model/plan.ts';
import { describeValidation } from '../report/model/problems.ts';
import { renderOutcomesHtml } from '../report/html/outcomes.ts';
import { type HtmlOptions, renderPlanHtml } from '../report/html/plan.ts';
import { renderOutcomesMarkdown } from '../report/markdown/outcomes.ts';
import { type PlanReportOptions, renderPlanMarkdown } from '../report/markdown/plan.ts';
import { renderValidationMarkdown } from '../report/markdown/report.ts';
import { renderOutcomesText } from '../report/text/outcomes.ts';
import { plain } from '../report/text/palette.ts';
import { renderPlanText } from '../report/text/plan.ts';
import { renderValidationText } from '../report/text/problems.ts';
import type { StepResult } from './result.ts';

/** The result as a page of Markdown. */
export function renderResult(result: StepResult, options: PlanReportOptions): string {
  switch (result.kind) {
    case 'plan':
      return renderPlanMarkdown(result.plan, { ...options, comparison: result.comparison });
    case 'apply': {
      const { plan, outcomes, comparison } = result;
      return renderOutcomesMarkdown(plan, outcomes, { ...options, comparison });
    }
    case 'validation':
      return renderValidationMarkdown(result.validation, { ...options, notice: result.notice });
  }
}

/** The result as a page of HTML; without a plan there is none. */
export function renderResultPage(result: StepResult, options: HtmlOptions): string | undefined {
  switch (result.kind) {
    case 'plan':
      return renderPlanHtml(result.plan, { ...options, comparison: result.comparison });
    case 'apply': {
      const { plan, outcomes, comparison } = result;
      return renderOutcomesHtml(plan, outcomes, { ...options, comparison });
    }
    case 'validation':
      return undefined;
  }
}

/** The result as text for the log. */
export function resultText(result: StepResult): string {
  if (result.kind === 'validation') {
    return renderValidationText(result.validation, plain, { lineOf: () => undefined });
  }
  // Without a word of how to see more: what the log leaves out is in the files of the outputs.
  const planText = renderPlanText(result.plan, { palette: plain, detail: 'changes' });
  if (result.kind === 'plan' || result.outcomes.outcomes.length === 0) return planText;
  return `${planText}\n${renderOutcomesText(result.outcomes, { palette: plain, verbose: false })}`;
}

/** The result in a few words. */
export function verdictOf(result: StepResult): string {
  switch (result.kind) {
    case 'plan':
      return planVerdict(result.plan);
    case 'apply':
      return outcomesVerdict(result.outcomes);
    case 'validation':
      return describeValidation(result.validation).verdict;
  }
}
