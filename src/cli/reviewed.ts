import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, SyncError } from '../core/errors.ts';
import type { Plan } from '../plan/plan.ts';
import { openPlan } from '../plan/saved.ts';
import { renderComparisonText } from '../report/text/outcomes.ts';
import type { Review, Reviewed } from '../review/review.ts';
import type { PrintFlags } from './show.ts';
import type { Terminal } from './terminal.ts';

export type ReviewFlags = {
  readonly expectHash?: string;
  readonly expectPlan?: string;
};

/** What the flags say was reviewed, if they say so. */
export function readReviewed(
  { expectHash, expectPlan }: ReviewFlags,
  terminal: Terminal,
): Reviewed | undefined {
  if (expectHash !== undefined && !/^sha256:[0-9a-f]{64}$/u.test(expectHash)) {
    throw new ConfigError(
      'invalid-flag',
      `--expect-hash takes a plan hash, not ${JSON.stringify(expectHash)}.`,
      { hint: 'It looks like sha256:9f2c…, and stands at the end of every plan.' },
    );
  }
  if (expectPlan === undefined)
    return expectHash === undefined ? undefined : { planHash: expectHash };
  const plan = readPlanFile(expectPlan, terminal);
  const { planHash } = plan;
  if (planHash === undefined) throw unequal(expectPlan, 'it has none, as it could not be made');
  if (expectHash !== undefined && planHash !== expectHash) throw unequal(expectPlan, planHash);
  return { planHash, plan };
}

/** A plan that `--out` wrote. */
export function readPlanFile(file: string, { folder }: Terminal): Plan {
  return openPlan(readText(resolve(folder, file), file), file);
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError('unreadable-plan', `The plan file ${file} cannot be read.`, {
      hint: 'Check the path: `contract-sync plan --out FILE` writes one.',
      cause: error,
    });
  }
}

function unequal(file: string, found: string): SyncError {
  return new SyncError('plan-changed', `The plan in ${file} has not the expected hash: ${found}.`);
}

/** In any other format the result is a document of its own: then as a report. */
export function showReview(
  { comparison }: Review,
  { format }: PrintFlags,
  terminal: Terminal,
): void {
  if (!comparison) return;
  const channel = format === 'text' ? 'write' : 'report';
  terminal[channel](`\n${renderComparisonText(comparison, terminal.palettes[channel])}`);
}
