import type { Outcomes } from '../apply/outcome.ts';
import { ApiError } from '../catalog/fault.ts';
import {
  ConfigError,
  type Diagnostic,
  DiagnosticsError,
  type SyncError,
} from '../core/diagnostic.ts';
import type { Validation } from '../files/files.ts';
import { isIncomplete, type Plan } from '../plan/plan.ts';
import { type BlockOf, note, plain, type Report } from '../report/blocks.ts';
import { type HtmlOptions, renderHtml } from '../report/html.ts';
import { type MarkdownOptions, renderMarkdown } from '../report/markdown.ts';
import { outcomesPage, outcomesVerdict, renderOutcomesText } from '../report/outcomes.ts';
import { planPage, type PlanView, renderPlanText } from '../report/plan.ts';
import {
  joinTotals,
  planVerdict,
  total,
  validationScreen,
  validationVerdict,
} from '../report/problems.ts';
import { renderText } from '../report/text.ts';
import { failureOfCode } from '../report/json.ts';
import type { Comparison } from '../review/compare.ts';
import { GitHubError } from './github-request.ts';
import type { ReviewRecords } from './records.ts';

export type StepResult = PlanResult | AppliedResult | ValidationResult;

type Ended = {
  /** What applies what was not reviewed; absent where all was. */
  readonly wayOut?: BlockOf<'command'> | undefined;
  readonly failure?: Failure | undefined;
};

export type PlanResult = Ended & {
  readonly kind: 'plan';
  readonly plan: Plan;
  readonly comparison?: Comparison | undefined;
  readonly handles?: PlanView['handles'];
  readonly policy?: Diagnostic | undefined;
};

export type AppliedResult = Ended & {
  readonly kind: 'apply';
  readonly plan: Plan;
  readonly outcomes: Outcomes;
  readonly comparison?: Comparison | undefined;
  readonly records: ReviewRecords;
};

type ValidationResult = Ended & {
  readonly kind: 'validation';
  readonly validation: Validation;
  readonly notice?: string | undefined;
};

/** The output `failure-reason`. */
export type FailureReason =
  | 'plan-changed'
  | 'apply-failed'
  | 'invalid-contracts'
  | 'unsafe-plan'
  | 'incomplete-plan'
  | 'auth'
  | 'catalog'
  | 'github'
  | 'configuration'
  | 'internal'
  | 'changes'
  | 'warnings';

export type Failure = {
  readonly reason: FailureReason;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Where the fault lies, if that is known: the author of a pull request can mend the repository. */
  readonly fault?: 'workflow' | 'repository' | undefined;
};

export function failureOfPlan({ planHash, diagnostics, summary }: Plan): Failure {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const unreviewed = errors.find(isOfReview);
  if (unreviewed) return { reason: 'plan-changed', message: unreviewed.message };
  if (planHash === undefined || errors.some(({ source }) => source !== undefined))
    return { reason: 'invalid-contracts', message: 'The contract files have errors.' };
  const blocked = summary.blocked > 0 ? ` ${summary.blocked} blocked.` : '';
  return { reason: 'unsafe-plan', message: `The plan must not be applied.${blocked}` };
}

export function failureOfIncomplete(plan: Plan): Failure | undefined {
  if (!isIncomplete(plan)) return undefined;
  const { missing, blocked } = plan.summary;
  const counts = [...total(missing, `${missing} missing`), ...total(blocked, `${blocked} blocked`)];
  return {
    reason: 'incomplete-plan',
    message: `The plan leaves contracts out: ${joinTotals(counts)}.`,
  };
}

export function isOfReview({ scope }: Pick<Diagnostic, 'scope'>): boolean {
  return scope === 'plan';
}

export function reasonOf(error: SyncError): FailureReason {
  if (error instanceof GitHubError) return 'github';
  const kind = failureOfCode(error.code);
  if (kind === 'auth') return 'auth';
  if (error instanceof ApiError) return 'catalog';
  if (error instanceof ConfigError || kind === 'config') return 'configuration';
  if (error instanceof DiagnosticsError) return 'invalid-contracts';
  return kind === 'review' || kind === 'apply' ? 'plan-changed' : 'catalog';
}

export type PageOptions = MarkdownOptions &
  Pick<PlanView, 'touched' | 'isComment' | 'merge' | 'handles'>;

export function renderResult(result: StepResult, options: PageOptions): string {
  return renderMarkdown(reportOn(result, options), options);
}

export function renderResultPage(
  result: StepResult,
  options: HtmlOptions & Pick<PlanView, 'touched' | 'merge'>,
): string | undefined {
  if (result.kind === 'validation') return undefined;
  return renderHtml(reportOn(result, { ...options, isWhole: true }), options);
}

function reportOn(result: StepResult, view: PlanView): Report {
  if (result.kind === 'validation') {
    const { validation, notice } = result;
    const { diagnostics: problems, errored } = validation;
    const above = notice === undefined ? [] : [note(notice, 'warning')];
    return {
      title: { words: validationVerdict(validation), gravity: errored ? 'error' : 'good' },
      blocks: [...above, { kind: 'problems', problems }],
    };
  }
  const { plan, comparison, wayOut } = result;
  const whole = { ...view, comparison, wayOut };
  if (result.kind === 'apply') return outcomesPage(plan, result.outcomes, whole);
  const { policy } = result;
  if (policy?.severity !== 'warning') return planPage(plan, whole);
  // Whose rules judge the plan comes before what they say of it.
  const { message, hint = '' } = policy;
  const above = note(
    [{ text: message, as: 'sentence' }, ' ', { text: hint, as: 'hint' }],
    'warning',
  );
  const diagnostics = plan.diagnostics.filter((problem) => problem.message !== message);
  const page = planPage({ ...plan, diagnostics }, whole);
  return { ...page, blocks: [above, ...page.blocks] };
}

export function resultText(result: StepResult): string {
  if (result.kind === 'validation')
    return renderText(validationScreen(result.validation), { palette: plain });
  // No `more`: the files of the outputs hold what the log leaves out.
  const planText = renderPlanText(result.plan, { palette: plain, detail: 'changes' });
  const { wayOut } = result;
  const outcomes =
    result.kind === 'plan' || result.outcomes.outcomes.length === 0
      ? []
      : [renderOutcomesText(result.outcomes, { palette: plain, verbose: false })];
  const ways = wayOut ? [renderText({ blocks: [wayOut] }, { palette: plain })] : [];
  return [planText, ...outcomes, ...ways].join('\n');
}

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
