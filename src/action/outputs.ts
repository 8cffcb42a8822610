import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { isBelow, LinkError, placeOfNew, writeOutput } from '../disk.ts';
import { changeCount, type Plan } from '../plan/plan.ts';
import { renderPlanJson } from '../report/json.ts';
import type { Failure, StepResult } from './result.ts';
import type { Runner } from './runner.ts';
import type { Step } from './step.ts';

type Outputs = Readonly<Record<string, string | number | boolean | undefined>>;

/** The outputs of `action.yml`: counts and names, never a contract's text. */
export function outputsOf(result: StepResult): Outputs {
  if (result.kind === 'validation') return { 'has-changes': false };
  const { plan } = result;
  const { update, unchanged, missing, unmanaged, blocked, transitions, breaking } = plan.summary;
  const wanted = changeCount(plan);
  const counts = { updates: update, unchanged, missing, unmanaged, blocked, transitions, breaking };
  return {
    'has-changes': wanted > 0,
    'plan-hash': plan.planHash,
    ...counts,
    ...(result.kind === 'apply' && {
      applied: result.outcomes.summary.applied,
      'not-applied': wanted - result.outcomes.summary.applied - result.outcomes.summary.unchanged,
    }),
  };
}

/** Why the step is red; empty where it is green. */
export function failureOutput(failure: Failure | undefined): Outputs {
  return { 'failure-reason': failure?.reason ?? '' };
}

/** Sets the outputs of the step; what is undefined is left out. */
export function setOutputs(outputs: Outputs, { setOutput }: Pick<Runner, 'setOutput'>): void {
  for (const [name, value] of Object.entries(outputs)) {
    if (value !== undefined) setOutput(name, value);
  }
}

/** Writes the summary for a later step to pass on; where it stands. */
export function writeSummary(step: Step, markdown: string): string {
  const file = temporaryFile(step, 'summary.md');
  writeText(file, markdown, step);
  return file;
}

/** Writes the page for a later step to upload; where it stands. */
export function writePage(step: Step, html: string): string {
  const file = temporaryFile(step, 'plan.html');
  writeText(file, html, step);
  return file;
}

/** Writes the plan for a later step to pass on; where it stands. */
export function writePlan(step: Step, plan: Plan): string {
  const { inputs, folder, redactor } = step;
  const { planFile } = inputs;
  const file =
    planFile === undefined ? temporaryFile(step, 'plan.json') : resolve(folder, planFile);
  writeText(file, redactor.redact(renderPlanJson(plan, { all: false })), step);
  return file;
}

/** Each step has its own: what the outputs of an earlier one name must stay as it is. */
function temporaryFile({ run }: Step, name: string): string {
  return join(run.temporary, `contract-sync-${run.step}-${name}`);
}

function writeText(file: string, text: string, { folder }: Step): void {
  try {
    // No folder is made behind a link of the pull request either.
    if (isBelow(file, folder)) placeOfNew(relative(folder, file), folder);
    mkdirSync(dirname(file), { recursive: true });
    writeOutput(file, folder, text);
  } catch (error) {
    const why = error instanceof LinkError ? ': a symbolic link leads elsewhere' : '';
    throw new ConfigError('unwritable-file', `Can't write ${file}${why}.`, {
      hint: 'Set the input `plan-file` to a file in a writable folder.',
      cause: error,
    });
  }
}
