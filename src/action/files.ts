/** The files by which a step talks to the runner. */

import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Runner } from './runner.ts';

/** Sets the outputs of the step: paths and counts; what is undefined is left out. */
export function writeOutputs(
  outputs: Readonly<Record<string, string | number | boolean | undefined>>,
  { environment }: Pick<Runner, 'environment'>,
): void {
  const file = environment['GITHUB_OUTPUT'];
  if (!file) return;
  // No value can hold a delimiter that is made after it.
  const delimiter = `contract-sync-${randomUUID()}`;
  const lines = Object.entries(outputs)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
  appendFileSync(file, lines.join(''));
}

/** Adds to the job's summary page. */
export function writeSummary(markdown: string, { environment }: Pick<Runner, 'environment'>): void {
  const file = environment['GITHUB_STEP_SUMMARY'];
  if (file) appendFileSync(file, `${markdown}\n`);
}
