import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Redactor } from '../auth/redact.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { JsonValue } from '../json.ts';
import { renderPlanJson } from '../render/plan-json.ts';
import { annotationsOf } from './annotations.ts';
import type { Failure } from './failure.ts';
import { outputsOf, setOutputs } from './outputs.ts';
import { renderResult, resultText, verdictOf } from './render.ts';
import { reportComment } from './report-comment.ts';
import type { StepResult } from './result.ts';
import { fromRoot, type Step } from './step.ts';

/** Past 1 MiB GitHub drops the whole summary; other steps of the job may add to it. */
const summaryBudget = 900_000;

/** Tells the result in every place where somebody may look for it. */
export async function report(step: Step, result: StepResult): Promise<void> {
  const { log, run, runner, inputs, redactor } = step;
  const shown = redactAll(result, redactor);
  log.group('contract-sync', resultText(shown));
  const annotations = annotationsOf(shown);
  for (const problem of annotations) log.annotate(atRoot(problem, step));
  const touched = await touchedFiles(step);
  const options = { ...placesOf(step), ...(touched && { touched }) };
  const summary = redactor.redact(
    renderResult(shown, {
      ...options,
      budget: summaryBudget,
      rest: 'The output `plan-file` names the whole plan.',
    }),
  );
  await runner.addSummary(summary);
  const summaryFile = join(run.temporary, 'contract-sync-summary.md');
  writeText(summaryFile, summary);
  const planFile = inputs.command === 'apply' ? undefined : writePlan(step, result);
  await reportComment(step, shown, { options, original: result });
  setOutputs({ ...outputsOf(result), 'summary-file': summaryFile, 'plan-file': planFile }, runner);
  log.text(`${verdictOf(result)}.`);
  reportFailure(step, result.failure, annotations);
}

function redactAll<T extends StepResult>(result: T, { redact }: Redactor): T {
  const clean: T = JSON.parse(JSON.stringify(result), (_, value: JsonValue) =>
    typeof value === 'string' ? redact(value) : value,
  );
  return clean;
}

function atRoot(diagnostic: Diagnostic, step: Step): Diagnostic {
  const { source } = diagnostic;
  if (!source) return diagnostic;
  return { ...diagnostic, source: { ...source, file: fromRoot(step, source.file) } };
}

function placesOf({ run, prefix }: Step): { readonly files: string } {
  const commit = run.pullRequest?.headSha ?? run.sha;
  const folder = prefix === '' ? '' : `/${prefix.split('/').map(encodeURIComponent).join('/')}`;
  return { files: `${run.serverUrl}/${run.repository}/blob/${commit}${folder}` };
}

/**
 * By them drift is told apart: without the list, and where the rules themselves are changed, all
 * changes stand together.
 */
async function touchedFiles(step: Step): Promise<ReadonlySet<string> | undefined> {
  const { github, run, prefix, log, inputs } = step;
  if (!github || !run.pullRequest) return undefined;
  try {
    const files = await github.changedFiles(run.pullRequest.number);
    const inside = prefix === '' ? '' : `${prefix}/`;
    const own = files.filter((file) => file.startsWith(inside));
    const touched = new Set(own.map((file) => file.slice(inside.length)));
    return touched.has(inputs.config ?? 'contract-sync.yaml') ? undefined : touched;
  } catch (error) {
    log.text(`The files that the pull request touches are not known: ${String(error)}`);
    return undefined;
  }
}

function writePlan(
  { inputs, run, folder, redactor }: Step,
  result: StepResult,
): string | undefined {
  if (result.kind !== 'plan') return undefined;
  const file =
    inputs.planFile === undefined
      ? join(run.temporary, 'contract-sync-plan.json')
      : resolve(folder, inputs.planFile);
  writeText(file, redactor.redact(renderPlanJson(result.plan, { all: false })));
  return file;
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Unless it has just been told as a problem. */
function reportFailure(
  { log }: Step,
  failure: Failure | undefined,
  told: readonly Diagnostic[],
): void {
  if (!failure || told.some(({ message }) => message === failure.message)) return;
  log.annotate({ code: failure.reason, severity: 'error', message: failure.message });
}
