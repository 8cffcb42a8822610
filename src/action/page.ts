/** What people see of a result: log, annotations, summary, page, check; and the outputs. */

import { mkdirSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { allLanded, type Outcomes } from '../apply/outcome.ts';
import {
  ConfigError,
  type Diagnostic,
  renamePlace,
  SyncError,
  toDiagnostics,
} from '../core/diagnostic.ts';
import { defined } from '../core/json.ts';
import { isBelow, LinkError, placeOfNew, writeOutput } from '../disk.ts';
import { heldChanges, plannedChanges, updates } from '../plan/plan.ts';
import { note, plain, type Report, type Words } from '../report/blocks.ts';
import { type HtmlOptions, renderHtml } from '../report/html.ts';
import { formatDocument, renderOutcomesJson } from '../report/json.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { outcomesPage, outcomesVerdict, renderOutcomesText, tallyOf } from '../report/outcomes.ts';
import { planPage, type PlanView, renderPlanJson, renderPlanText } from '../report/plan.ts';
import { planVerdict, validationScreen, validationVerdict } from '../report/problems.ts';
import { renderText } from '../report/text.ts';
import { type Redactor, redactTexts } from '../core/redact.ts';
import { reportDrift } from './drift-issue.ts';
import { send } from './github-request.ts';
import { findReview } from './record/settle.ts';
import { reportComment } from './record/write.ts';
import {
  annotationsOf,
  type AppliedResult,
  type Failure,
  type FailureReason,
  keyOf,
  type RenderPage,
  type StepResult,
} from './result.ts';
import { createLog, type Runner, type Step, targetName } from './step.ts';

// GitHub drops a summary past 1 MiB as a whole; other steps of the job may add to it.
const summaryBudget = 900_000;

/** Ends with the step's failure, if there is any. */
export async function report(step: Step, result: StepResult): Promise<Failure | undefined> {
  const { log, runner, redactor } = step;
  const shown = redactTexts(result, redactor);
  log.group('contract-sync', resultText(shown, step));
  const annotations = annotationsOf(shown);
  for (const problem of annotations)
    log.annotate(renamePlace(problem, (file) => posix.join(step.prefix, file)));
  const { render, renderPage } = createPages(step, result, shown);
  const rest = 'The output `plan-file` names the whole plan.';
  const summary = render({ budget: summaryBudget, rest });
  await runner.addSummary(summary);
  const files = writeReports(step, result, summary, renderPage());
  const unrecorded = await reportComment(step, result, render);
  const unlisted = await reportDrift(step, result, render);
  const failure = result.failure ?? unrecorded ?? unlisted;
  await reportCheckRun(step, shown, failure, render);
  setOutputs({ ...outputsOf(result), 'failure-reason': failure?.reason ?? '', ...files }, runner);
  log.text(`${verdictOf(result)}.`);
  if (failure && !annotations.some(({ message }) => message === failure.message)) {
    const { reason: code, message, hint } = failure;
    log.annotate({ code, severity: 'error', message, ...defined({ hint }) });
  }
  return failure;
}

// `shown` is the result without secrets.
function createPages(step: Step, result: StepResult, shown: StepResult) {
  const { run, prefix, redactor } = step;
  const folder = prefix === '' ? '' : `/${prefix.split('/').map(encodeURIComponent).join('/')}`;
  const filesAt = (revision: string) => `${run.repositoryPage}/blob/${revision}${folder}`;
  const files = filesAt(run.shownSha);
  const { kind, failure } = result;
  // A plan on a schedule is of no pull request.
  const isOfPull = kind === 'apply' || run.pullRequest !== undefined || run.queued !== undefined;
  const isPartly = result.kind === 'apply' && !allLanded(result.outcomes);
  const hasFailed = isPartly || (failure !== undefined && failure.reason !== 'incomplete-plan');
  const merge = isOfPull ? { into: targetName(step), hasFailed } : undefined;
  const whole = `All of it is in the [summary of the run](${run.page}).`;
  const render: RenderPage = ({ budget, rest = whole, medium }) => {
    const isIssue = medium === 'issue';
    const handles = medium === 'comment' && shown.kind === 'plan' ? shown.handles : undefined;
    const report = reportOn(shown, { merge, isComment: medium !== undefined, handles });
    const options = { files: isIssue ? filesAt('HEAD') : files, budget, rest };
    return redactor.redact(renderMarkdown(isIssue ? { blocks: report.blocks } : report, options));
  };
  const renderPage = (): string | undefined => {
    if (shown.kind === 'validation') return undefined;
    const report = reportOn(shown, { merge, isWhole: true });
    return redactor.redact(renderHtml(report, { files, origin: originOf(step) }));
  };
  return { render, renderPage };
}

function originOf({ run }: Step): NonNullable<HtmlOptions['origin']> {
  const { pullRequest, runId, repository, repositoryPage: address, shownSha: commit } = run;
  const ofPull = pullRequest && {
    words: `${repository}#${pullRequest.number}`,
    address: `${address}/pull/${pullRequest.number}`,
  };
  return [
    ofPull ?? { words: repository, address },
    { words: `commit ${commit.slice(0, 7)}`, address: `${address}/commit/${commit}` },
    { words: `run ${runId}`, address: run.page },
  ];
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
  const { plan, comparison, wayOut, covered } = result;
  const whole = { ...view, comparison, wayOut, covered };
  if (result.kind === 'apply') return outcomesPage(plan, result.outcomes, whole);
  const { policy } = result;
  if (policy?.severity !== 'warning') return planPage(plan, whole);
  // Whose rules judge the plan comes before what they say of it.
  const { message, hint = '' } = policy;
  const words: Words = [{ text: message, as: 'sentence' }, ' ', { text: hint, as: 'hint' }];
  const above = note(words, 'warning');
  const diagnostics = plan.diagnostics.filter((problem) => problem.message !== message);
  const page = planPage({ ...plan, diagnostics }, whole);
  return { ...page, blocks: [above, ...page.blocks] };
}

function resultText(result: StepResult, { run }: Step): string {
  if (result.kind === 'validation')
    return renderText(validationScreen(result.validation), { palette: plain });
  // No `more`: the files of the outputs hold what the log leaves out.
  const isOpen = result.kind === 'plan' && (run.pullRequest ?? run.queued) !== undefined;
  const pull = result.kind === 'apply' ? 'merged' : isOpen ? 'open' : undefined;
  const options = { palette: plain, detail: 'changes', pull, covered: result.covered } as const;
  const texts = [renderPlanText(result.plan, options)];
  if (result.kind === 'apply' && result.outcomes.outcomes.length > 0)
    texts.push(renderOutcomesText(result.outcomes, { palette: plain }));
  if (result.wayOut) texts.push(renderText({ blocks: [result.wayOut] }, { palette: plain }));
  return texts.join('\n');
}

function verdictOf(result: StepResult): string {
  switch (result.kind) {
    case 'plan':
      return planVerdict(result.plan);
    case 'apply':
      return outcomesVerdict(result.outcomes);
    case 'validation':
      return validationVerdict(result.validation);
  }
}

// Bytes: GitHub takes 65,535 characters.
const checkBudget = 65_000;

async function reportCheckRun(
  { github, run, log, inputs }: Step,
  shown: StepResult,
  failure: Failure | undefined,
  render: RenderPage,
): Promise<void> {
  if (!github || shown.kind !== 'plan' || (!run.pullRequest && !run.queued)) return;
  const { label = inputs.environment } = inputs;
  try {
    const permissions = 'permission `checks: write`';
    await send({ ...github, permissions }, 'POST', '/check-runs', {
      name: label === undefined ? 'contract-sync' : `contract-sync: ${label}`,
      head_sha: run.shownSha,
      status: 'completed',
      conclusion: failure ? 'failure' : 'success',
      details_url: run.page,
      output: { title: verdictOf(shown), summary: render({ budget: checkBudget }) },
    });
    log.text('Check run: created.');
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    log.text(`Check run: none. ${error.message} ${error.hint ?? ''}`.trimEnd());
  }
}

/** For bad inputs and bugs, where there is no step to report them. */
export function giveUp(error: unknown, runner: Runner, redactor: Redactor): void {
  const reason: FailureReason = error instanceof SyncError ? 'configuration' : 'internal';
  // Node would print the stack unescaped, with workflow commands and secrets.
  const log = createLog(runner, redactor);
  if (reason === 'internal' && error instanceof Error) log.text(error.stack ?? '');
  const message = error instanceof Error ? error.message : String(error);
  const bug: Diagnostic = { code: 'internal-error', severity: 'error', message };
  const problems = error instanceof SyncError ? toDiagnostics(error) : [bug];
  for (const problem of problems) log.annotate(problem);
  setOutputs({ 'failure-reason': reason }, runner);
}

type Outputs = Readonly<Record<string, string | number | boolean | undefined>>;

// The outputs of `action.yml`: counts and names, never a contract's text.
function outputsOf(result: StepResult): Outputs {
  if (result.kind === 'validation') return { 'has-changes': false };
  const { plan } = result;
  const { update, unchanged, missing, unmanaged, blocked, transitions, breaking } = plan.summary;
  const { drift: drifted, notApplied: merged = 0 } = plan.summary;
  const wanted = plannedChanges(plan).length;
  const notApplied = result.kind === 'apply' ? wanted - tallyOf(result.outcomes).landed : merged;
  const counts = { updates: update, unchanged, missing, unmanaged, blocked, transitions, breaking };
  return {
    'has-changes': wanted > 0,
    'plan-hash': plan.planHash,
    ...counts,
    drifted,
    'not-applied': notApplied,
    ...(result.kind === 'apply' && {
      applied: result.outcomes.summary.applied,
      overlapped: result.outcomes.summary.overlapped,
    }),
  };
}

function setOutputs(outputs: Outputs, { setOutput }: Runner): void {
  for (const [name, value] of Object.entries(outputs))
    if (value !== undefined) setOutput(name, value);
}

/** The files that outputs name. */
function writeReports(
  step: Step,
  result: StepResult,
  summary: string,
  page: string | undefined,
): Outputs {
  const { inputs, folder, redactor } = step;
  const files = {
    'summary-file': writeTemporary(step, 'summary.md', summary),
    'html-file': page && writeTemporary(step, 'plan.html', page),
  };
  if (result.kind === 'apply') return { ...files, ...writeAudit(step, result) };
  if (result.kind !== 'plan' || inputs.command !== 'plan') return files;
  const text = redactor.redact(renderPlanJson(result.plan, { all: false }));
  const file =
    inputs.planFile === undefined
      ? writeTemporary(step, 'plan.json', text)
      : writeText(resolve(folder, inputs.planFile), text, folder);
  return { ...files, 'plan-file': file };
}

// By `schemas/outcomes.schema.json` and, to be signed, `schemas/receipt.schema.json`. Signatures are
// public where the repository is, and the catalog's values may not be.
function writeAudit(step: Step, { outcomes, records, plan }: AppliedResult): Outputs {
  const { catalogUrl, environment, commit = step.run.sha, planHash } = outcomes;
  const recordOf = findReview(records);
  const agreements = new Map(updates(plan).map((each) => [keyOf(each), each.agreement]));
  const changes = outcomes.outcomes.map((outcome) => {
    const { id, fullyQualifiedName, fingerprint, result, versionBefore, versionAfter } = outcome;
    const reviewed = result === 'not-reviewed' ? undefined : recordOf(outcome);
    const pullRequest = reviewed?.pull.number;
    const names = { id, fullyQualifiedName, fingerprint, pullRequest };
    const agreement = agreements.get(keyOf(outcome));
    return { result, ...names, versionBefore, versionAfter, agreement };
  });
  const subject = { formatVersion: '1.0', run: step.run.page, commit, catalogUrl, environment };
  const receipt = formatDocument({ ...subject, planHash, changes });
  const unsent = new Set(heldChanges(plan).map(keyOf));
  const landing = new Set(['applied', 'landed-in-part', 'overlapped', 'unverified', 'held']);
  const mayHaveLanded = outcomes.outcomes.some(
    (outcome) => landing.has(outcome.result) && !unsent.has(keyOf(outcome)),
  );
  const text = step.redactor.redact(receipt);
  return {
    'outcomes-file': writeOutcomes(step, outcomes),
    'receipt-file': mayHaveLanded ? writeTemporary(step, 'receipt.json', text) : undefined,
  };
}

export function writeOutcomes(step: Step, outcomes: Outcomes): string {
  const text = renderOutcomesJson(outcomes);
  return writeTemporary(step, 'outcomes.json', step.redactor.redact(text));
}

// A file for each step: paths in the outputs of earlier ones stay valid.
function writeTemporary({ run, folder }: Step, name: string, text: string): string {
  return writeText(join(run.temporary, `contract-sync-${run.step}-${name}`), text, folder);
}

function writeText(file: string, text: string, folder: string): string {
  try {
    // Creates no folder behind a symbolic link from the pull request.
    if (isBelow(file, folder)) placeOfNew(relative(folder, file), folder);
    mkdirSync(dirname(file), { recursive: true });
    writeOutput(file, folder, text);
    return file;
  } catch (error) {
    const why = error instanceof LinkError ? ': a symbolic link leads elsewhere' : '';
    throw new ConfigError('unwritable-file', `Can't write ${file}${why}.`, {
      hint: 'Set the input `plan-file` to a file in a writable folder.',
      cause: error,
    });
  }
}
