import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { erroredPlan } from '../plan/make.ts';
import { setOutputs } from './outputs.ts';
import { perform } from './perform.ts';
import { report } from './report.ts';
import { isUncommented } from './report-comment.ts';
import { failureOfError, type FailureReason, type StepResult } from './result.ts';
import { createLog, type Runner } from './runner.ts';
import { openStep, type Step, subjectOfStep } from './step.ts';
import { touchedFiles } from './touched.ts';
import { resultInWordsOfInputs, reword } from './words.ts';

/** READ FIRST. Inputs → a command → its result, in log, summary, comment and outputs. */
export async function runAction(runner: Runner): Promise<0 | 1> {
  const redactor = createRedactor((secret) => mask(secret, runner));
  try {
    runner.useProxy();
    const step = openStep(runner, redactor);
    // GitHub answers while the plan is made.
    const isNew = isUncommented(step);
    isNew.catch(() => undefined); // told where the comment is written
    const asked = touchedFiles(step);
    const [touched, result] = await Promise.all([asked, attempt(step, asked)]);
    const failure = await report(step, result, { touched, isNew });
    return failure ? 1 : 0;
  } catch (error) {
    giveUp(error, runner, redactor);
    return 1;
  }
}

/** The runner masks line by line. */
function mask(secret: string, runner: Runner): void {
  for (const line of secret.split('\n')) {
    if (line.trim() !== '') runner.mask(line);
  }
}

/** There is no step that could report it: an input that cannot be used, or a bug of ours. */
function giveUp(error: unknown, runner: Runner, redactor: Redactor): void {
  const reason: FailureReason = error instanceof SyncError ? 'configuration' : 'internal';
  // Left to Node, the stack would go to the log as it is, commands and secrets included.
  const log = createLog(runner, redactor);
  if (reason === 'internal' && error instanceof Error) log.text(error.stack ?? '');
  const problems = error instanceof SyncError ? toDiagnostics(error) : [bugOf(error)];
  for (const problem of problems) log.annotate(reword(problem));
  setOutputs({ 'failure-reason': reason }, runner);
}

function bugOf(error: unknown): Diagnostic {
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', severity: 'error', message };
}

async function attempt(step: Step, touched: ReturnType<typeof touchedFiles>): Promise<StepResult> {
  try {
    return resultInWordsOfInputs(await perform(step, touched));
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const nothing = erroredPlan(subjectOfStep(step), toDiagnostics(error));
    const failure = failureOfError(error);
    return resultInWordsOfInputs({ kind: 'plan', plan: nothing, failure });
  }
}
