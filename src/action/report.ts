import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ConfigError, type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { redactTexts } from '../core/redact.ts';
import { isBelow, LinkError, placeOfNew, writeOutput } from '../disk.ts';
import { plannedChanges } from '../plan/plan.ts';
import type { Merge } from '../report/blocks.ts';
import type { HtmlOptions } from '../report/html.ts';
import { formatDocument, renderOutcomesJson, renderPlanJson } from '../report/json.ts';
import { tallyOf } from '../report/outcomes.ts';
import { problemsAtLines } from '../report/plan.ts';
import { sortByGravity } from '../report/problems.ts';
import { reportDrift } from './drift-issue.ts';
import { send } from './github.ts';
import type { Commented } from './records.ts';
import { closedNote, reportComment } from './report-comment.ts';
import {
  type AppliedResult,
  type Failure,
  isOfReview,
  type PageOptions,
  renderResult,
  renderResultPage,
  resultText,
  type StepResult,
  verdictOf,
} from './result.ts';
import type { Runner } from './runner.ts';
import { findReview } from './settle.ts';
import { fromRoot, type Step, targetName } from './step.ts';

// GitHub drops a summary past 1 MiB as a whole; other steps of the job may add to it.
const summaryBudget = 900_000;

export async function report(
  step: Step,
  result: StepResult,
  touched: ReadonlySet<string> | undefined,
  before: Promise<Commented | undefined>,
): Promise<Failure | undefined> {
  const { log, runner, redactor } = step;
  const shown = redactTexts(result, redactor);
  log.group('contract-sync', resultText(shown));
  const annotations = annotationsOf(shown);
  for (const problem of annotations) {
    const { source } = problem;
    const placed = source && { source: { ...source, file: fromRoot(step, source.file) } };
    log.annotate({ ...problem, ...placed });
  }
  const options = { files: filesPage(step), merge: mergeOf(step, result), touched };
  const rest = 'The output `plan-file` names the whole plan.';
  const markdown = renderResult(shown, { ...options, budget: summaryBudget, rest });
  const seen = await before.catch(() => undefined);
  const summary = redactor.redact(`${closedNote(step, seen)}${markdown}`);
  await runner.addSummary(summary);
  const html = renderResultPage(shown, { ...options, origin: originOf(step) });
  const written = {
    'summary-file': writeTemporary(step, 'summary.md', summary),
    'plan-file': writePlan(step, result),
    'html-file': html && writeTemporary(step, 'plan.html', redactor.redact(html)),
    ...(result.kind === 'apply' && writeAudit(step, result)),
  };
  const unrecorded = await reportComment(step, { shown, options, original: result, before });
  const unlisted = await reportDrift(step, result, shown);
  const failure = result.failure ?? unrecorded ?? unlisted;
  await reportCheckRun(step, shown, { ...options, failure });
  setOutputs({ ...outputsOf(result), 'failure-reason': failure?.reason ?? '', ...written }, runner);
  log.text(`${verdictOf(result)}.`);
  if (failure && !annotations.some(({ message }) => message === failure.message)) {
    const { reason: code, message, hint } = failure;
    log.annotate({ code, severity: 'error', message, ...(hint !== undefined && { hint }) });
  }
  return failure;
}

// Bytes: GitHub takes 65,535 characters.
const checkBudget = 65_000;

async function reportCheckRun(
  step: Step,
  shown: StepResult,
  { failure, ...options }: Omit<PageOptions, 'budget'> & Pick<StepResult, 'failure'>,
): Promise<void> {
  const { github, run, log, inputs, redactor } = step;
  if (!github || shown.kind !== 'plan' || (!run.pullRequest && !run.queued)) return;
  const { label = inputs.environment } = inputs;
  const rest = `All of it is in the [summary of the run](${run.page}).`;
  try {
    const permissions = 'permission `checks: write`';
    await send({ ...github, permissions }, 'POST', '/check-runs', {
      name: label === undefined ? 'contract-sync' : `contract-sync: ${label}`,
      head_sha: run.shownSha,
      status: 'completed',
      conclusion: failure ? 'failure' : 'success',
      details_url: run.page,
      output: {
        title: verdictOf(shown),
        summary: redactor.redact(renderResult(shown, { ...options, budget: checkBudget, rest })),
      },
    });
    log.text('Check run: created.');
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    log.text(`Check run: none. ${error.message} ${error.hint ?? ''}`.trimEnd());
  }
}

// A plan on a schedule is of no pull request.
function mergeOf(step: Step, { kind, failure }: StepResult): Merge | undefined {
  const { pullRequest, queued } = step.run;
  if (kind !== 'apply' && !pullRequest && !queued) return undefined;
  const hasFailed = failure !== undefined && failure.reason !== 'incomplete-plan';
  return { into: targetName(step), hasFailed };
}

function filesPage({ run, prefix }: Step): string {
  const folder = prefix === '' ? '' : `/${prefix.split('/').map(encodeURIComponent).join('/')}`;
  return `${run.repositoryPage}/blob/${run.shownSha}${folder}`;
}

function originOf({ run }: Step): NonNullable<HtmlOptions['origin']> {
  const { pullRequest, runId, repository, repositoryPage: address, shownSha: commit } = run;
  return [
    pullRequest
      ? {
          words: `${repository}#${pullRequest.number}`,
          address: `${address}/pull/${pullRequest.number}`,
        }
      : { words: repository, address },
    { words: `commit ${commit.slice(0, 7)}`, address: `${address}/commit/${commit}` },
    { words: `run ${runId}`, address: run.page },
  ];
}

// GitHub shows no more of a kind for one step.
const mostOfAKind = 10;

export function annotationsOf(result: StepResult): Diagnostic[] {
  const problems =
    result.kind === 'validation'
      ? sortByGravity(result.validation.diagnostics)
      : [
          ...(result.kind === 'apply' ? failedChanges(result) : []),
          ...problemsAtLines(result.plan, { isApplied: result.kind === 'apply' }),
        ];
  // GitHub shows annotations apart from the summary.
  const pointer = 'The summary has the command that applies the plan as it is now.';
  const shown = problems.map((problem) =>
    result.wayOut !== undefined && isOfReview(problem)
      ? { ...problem, hint: `${problem.hint ?? ''} ${pointer}`.trim() }
      : problem,
  );
  return [...Map.groupBy(shown, ({ severity }) => severity)].flatMap(([severity, all]) =>
    // The step's own failure takes one.
    all.slice(0, severity === 'error' && result.failure ? mostOfAKind - 1 : mostOfAKind),
  );
}

// What was not sent has problems of the plan.
function failedChanges({ plan, outcomes: { outcomes } }: AppliedResult): Diagnostic[] {
  const sources = new Map(
    plannedChanges(plan).flatMap((change) =>
      [change.fullyQualifiedName, 'id' in change ? change.id : undefined].map(
        (name) => [name, change.source] as const,
      ),
    ),
  );
  return outcomes.flatMap(({ result, error, id, fullyQualifiedName: name = id }) => {
    if (!error || !['failed', 'stale', 'unverified', 'overlapped', 'held'].includes(result))
      return [];
    const source = sources.get(id) ?? sources.get(name);
    const message = `${name}: ${error.message}`;
    return [{ ...error, message, severity: 'error', ...(source && { source }) }];
  });
}

type Outputs = Readonly<Record<string, string | number | boolean | undefined>>;

// The outputs of `action.yml`: counts and names, never a contract's text.
function outputsOf(result: StepResult): Outputs {
  if (result.kind === 'validation') return { 'has-changes': false };
  const { plan } = result;
  const { update, unchanged, missing, unmanaged, blocked, transitions, breaking } = plan.summary;
  const { drift: drifted, notApplied = 0 } = plan.summary;
  const wanted = plannedChanges(plan).length;
  const counts = { updates: update, unchanged, missing, unmanaged, blocked, transitions, breaking };
  return {
    'has-changes': wanted > 0,
    'plan-hash': plan.planHash,
    ...counts,
    drifted,
    'not-applied': notApplied,
    ...(result.kind === 'apply' && {
      applied: result.outcomes.summary.applied,
      'not-applied': wanted - tallyOf(result.outcomes).landed,
      overlapped: result.outcomes.summary.overlapped,
    }),
  };
}

export function setOutputs(outputs: Outputs, { setOutput }: Pick<Runner, 'setOutput'>): void {
  for (const [name, value] of Object.entries(outputs)) {
    if (value !== undefined) setOutput(name, value);
  }
}

function writePlan(step: Step, result: StepResult): string | undefined {
  const { inputs, folder, redactor } = step;
  const { planFile, command } = inputs;
  if (result.kind !== 'plan' || command !== 'plan') return undefined;
  const text = redactor.redact(renderPlanJson(result.plan, { all: false }));
  if (planFile === undefined) return writeTemporary(step, 'plan.json', text);
  return writeText(resolve(folder, planFile), text, folder);
}

const mayHaveLanded: ReadonlySet<string> = new Set(['applied', 'overlapped', 'unverified', 'held']);

// By `schemas/outcomes.schema.json` and, to be signed, `schemas/receipt.schema.json`. Signatures are
// public where the repository is, and the catalog's values may not be.
function writeAudit(step: Step, { outcomes, records }: AppliedResult): Outputs {
  const { catalogUrl, environment, commit = step.run.sha, planHash } = outcomes;
  const recordOf = findReview(records);
  const changes = outcomes.outcomes.map((outcome) => {
    const { id, fullyQualifiedName, fingerprint, result, versionBefore, versionAfter } = outcome;
    const reviewed = result === 'not-reviewed' ? undefined : recordOf(outcome);
    const pullRequest = reviewed?.pull.number;
    const names = { id, fullyQualifiedName, fingerprint, pullRequest };
    return { result, ...names, versionBefore, versionAfter };
  });
  const subject = { formatVersion: '1.0', run: step.run.page, commit, catalogUrl, environment };
  const receipt = formatDocument({ ...subject, planHash, changes });
  const hasLanded = changes.some(({ result }) => mayHaveLanded.has(result));
  const write = (name: string, text: string): string =>
    writeTemporary(step, name, step.redactor.redact(text));
  return {
    'outcomes-file': write('outcomes.json', renderOutcomesJson(outcomes, { verbose: false })),
    'receipt-file': hasLanded ? write('receipt.json', receipt) : undefined,
  };
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
