import type { Diagnostic } from '../core/diagnostic.ts';
import { redactTexts } from '../core/redact.ts';
import type { HtmlOptions } from '../report/html/plan.ts';
import type { PlanReportOptions } from '../report/markdown/plan.ts';
import { problemsAtLines } from '../report/model/plan.ts';
import { firstOfEachSeverity, sortByGravity } from '../report/model/problems.ts';
import { reportDrift } from './drift-issue.ts';
import {
  failureOutput,
  outputsOf,
  setOutputs,
  writePage,
  writePlan,
  writeSummary,
} from './outputs.ts';
import { renderResult, renderResultPage, resultText, verdictOf } from './render.ts';
import { reportComment } from './report-comment.ts';
import type { Failure, StepResult } from './result.ts';
import { fromRoot, repositoryPage, runPage, type Step } from './step.ts';

/** What GitHub was asked while the plan was made. */
type Asked = {
  readonly touched: ReadonlySet<string> | undefined;
  readonly isNew: Promise<boolean>;
};

/** Tells the result in every place where somebody may look for it; why the step is red, if it is. */
export async function report(
  step: Step,
  result: StepResult,
  { touched, isNew }: Asked,
): Promise<Failure | undefined> {
  const { log, runner, inputs, redactor } = step;
  const shown = redactTexts(result, redactor);
  log.group('contract-sync', resultText(shown));
  const annotations = annotationsOf(shown);
  for (const problem of annotations) log.annotate(atRoot(problem, step));
  const options = { ...placesOf(step), ...(touched && { touched }) };
  const summaryFile = await reportSummary(step, shown, options);
  const planFile =
    result.kind === 'plan' && inputs.command === 'plan' ? writePlan(step, result.plan) : undefined;
  const page = renderResultPage(shown, { ...options, origin: originOf(step) });
  const htmlFile = page === undefined ? undefined : writePage(step, redactor.redact(page));
  const unrecorded = await reportComment(step, shown, { options, original: result, isNew });
  const untold = await reportDrift(step, result, shown);
  const failure = result.failure ?? unrecorded ?? untold;
  const paths = { 'summary-file': summaryFile, 'plan-file': planFile, 'html-file': htmlFile };
  setOutputs({ ...outputsOf(result), ...failureOutput(failure), ...paths }, runner);
  log.text(`${verdictOf(result)}.`);
  reportFailure(step, failure, annotations);
  return failure;
}

/** Past 1 MiB GitHub drops the whole summary; other steps of the job may add to it. */
const summaryBudget = 900_000;

/** Tells the result on the page of the run, and in a file for later steps: its path. */
async function reportSummary(
  step: Step,
  shown: StepResult,
  options: Omit<PlanReportOptions, 'budget'>,
): Promise<string> {
  const rest = 'The output `plan-file` names the whole plan.';
  const page = renderResult(shown, { ...options, budget: summaryBudget, rest });
  const summary = step.redactor.redact(page);
  await step.runner.addSummary(summary);
  return writeSummary(step, summary);
}

function atRoot(diagnostic: Diagnostic, step: Step): Diagnostic {
  const { source } = diagnostic;
  if (!source) return diagnostic;
  return { ...diagnostic, source: { ...source, file: fromRoot(step, source.file) } };
}

/** What the page says it is about. */
function originOf({ run }: Step): NonNullable<HtmlOptions['origin']> {
  const { pullRequest, sha, runId } = run;
  const repository = repositoryPage({ run });
  const commit = pullRequest?.headSha ?? sha;
  const pull = pullRequest && {
    words: `${run.repository}#${pullRequest.number}`,
    address: `${repository}/pull/${pullRequest.number}`,
  };
  return [
    pull ?? { words: run.repository, address: repository },
    { words: `commit ${commit.slice(0, 7)}`, address: `${repository}/commit/${commit}` },
    { words: `run ${runId}`, address: runPage({ run }) },
  ];
}

function placesOf({ run, prefix }: Step): { readonly files: string } {
  const commit = run.pullRequest?.headSha ?? run.sha;
  const folder = prefix === '' ? '' : `/${prefix.split('/').map(encodeURIComponent).join('/')}`;
  return { files: `${repositoryPage({ run })}/blob/${commit}${folder}` };
}

/** Unless it has just been told as a problem. */
function reportFailure(
  { log }: Step,
  failure: Failure | undefined,
  told: readonly Diagnostic[],
): void {
  if (!failure || told.some(({ message }) => message === failure.message)) return;
  const { reason, message, hint } = failure;
  log.annotate({ code: reason, severity: 'error', message, ...(hint !== undefined && { hint }) });
}

/** GitHub shows no more of a kind for one step. */
const mostOfAKind = 10;

/** The problems that are shown at their lines, the worst first, as many as GitHub shows. */
export function annotationsOf(result: StepResult): Diagnostic[] {
  // The step's own failure takes one.
  const errors = result.failure ? mostOfAKind - 1 : mostOfAKind;
  const room = { error: errors, warning: mostOfAKind, information: mostOfAKind };
  return firstOfEachSeverity(problemsOf(result), room);
}

function problemsOf(result: StepResult): readonly Diagnostic[] {
  switch (result.kind) {
    case 'plan':
      return problemsAtLines(result.plan);
    case 'apply':
      return problemsAtLines(result.plan, { isApplied: true });
    case 'validation':
      return sortByGravity(result.validation.diagnostics);
  }
}
