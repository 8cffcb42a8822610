import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { erroredPlan } from '../plan/seal.ts';
import { perform } from './perform.ts';
import { type Touched, touchedFiles } from './policy.ts';
import { report, setOutputs } from './report.ts';
import { lookBefore } from './report-comment.ts';
import { type FailureReason, reasonOf, type StepResult } from './result.ts';
import { createLog, type Runner } from './runner.ts';
import { openStep, type Step } from './step.ts';
import { inputWords } from './slots.ts';

/** READ FIRST. Inputs → a command → its result, in log, summary, comment and outputs. */
export async function runAction(runner: Runner): Promise<0 | 1> {
  // The runner masks line by line.
  const redactor = createRedactor((secret) => {
    for (const line of secret.split('\n')) if (line.trim() !== '') runner.mask(line);
  });
  try {
    runner.useProxy();
    const step = openStep(runner, redactor);
    const before = lookBefore(step);
    before.catch(() => undefined);
    const listing = touchedFiles(step);
    const result = inWordsOfInputs(await attempt(step, listing));
    const failure = await report(step, result, await listing, before);
    return failure ? 1 : 0;
  } catch (error) {
    giveUp(error, runner, redactor);
    return 1;
  }
}

function inWordsOfInputs(result: StepResult): StepResult {
  if (result.kind === 'validation') {
    const diagnostics = result.validation.diagnostics.map(inputWords.problem);
    return { ...result, validation: { ...result.validation, diagnostics } };
  }
  const plan = inputWords.plan(result.plan);
  return result.kind === 'plan'
    ? { ...result, plan }
    : { ...result, plan, outcomes: inputWords.outcomes(result.outcomes) };
}

async function attempt(step: Step, touched: Touched): Promise<StepResult> {
  try {
    return await perform(step, touched);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { catalogUrl = '', environment } = step.inputs;
    const subject = { catalogUrl, ...(environment !== undefined && { environment }) };
    const failure = { reason: reasonOf(error), message: error.message };
    return { kind: 'plan', plan: erroredPlan(subject, toDiagnostics(error)), failure };
  }
}

// For bad inputs and bugs, where there is no step to report them.
function giveUp(error: unknown, runner: Runner, redactor: Redactor): void {
  const reason: FailureReason = error instanceof SyncError ? 'configuration' : 'internal';
  // Node would print the stack unescaped, with workflow commands and secrets.
  const log = createLog(runner, redactor);
  if (reason === 'internal' && error instanceof Error) log.text(error.stack ?? '');
  const message = error instanceof Error ? error.message : String(error);
  const bug: Diagnostic = { code: 'internal', severity: 'error', message };
  const problems = error instanceof SyncError ? toDiagnostics(error) : [bug];
  for (const problem of problems) log.annotate(inputWords.problem(problem));
  setOutputs({ 'failure-reason': reason }, runner);
}
