/** When a run stops, and when it reads what is stored before it sends more. Pure. */

import type { Outcome, OutcomeError } from './outcome.ts';

export type Course = {
  /** In a row, unless the user limits them. */
  readonly failures: number;
  /** Changes that turned out to be no failure. */
  readonly harmless: number;
  readonly stop?: OutcomeError | undefined;
};

export const atStart: Course = { failures: 0, harmless: 0 };

// After so many failures in a row the contracts are hardly at fault.
const longestRow = 10;

/** `open`: sent since the last read, and not answered with success. */
export function maySend(course: Course, open: number, limit: number | undefined): boolean {
  const { failures, harmless, stop } = course;
  // The more harmless changes there are, the fewer reads are needed.
  return !stop && failures + open < (limit ?? longestRow + harmless);
}

export function afterOutcome(
  course: Course,
  { result, error }: Outcome,
  limit: number | undefined,
): Course {
  const isInRow = limit === undefined;
  if (result === 'skipped') return course;
  if (result !== 'failed' && result !== 'unverified')
    return { ...afterSuccess(course, limit), harmless: course.harmless + 1 };
  const isOwn = isInRow && error?.scope === 'contract';
  const failures = course.failures + (isOwn ? 0 : 1);
  return { ...course, failures, stop: course.stop ?? reasonToStop(failures, error, limit) };
}

export function afterSuccess(course: Course, limit: number | undefined): Course {
  return limit === undefined ? { ...course, failures: 0 } : course;
}

function reasonToStop(failures: number, error: OutcomeError | null, limit: number | undefined) {
  const isInRow = limit === undefined;
  if (isInRow && error?.scope === 'run') return stopped('because the catalog denies access');
  if (failures < (limit ?? longestRow)) return undefined;
  return stopped(`after ${failures} failures${isInRow ? ' in a row' : ''}`);
}

function stopped(why: string): OutcomeError {
  const message = `Not attempted: the run stopped ${why}.`;
  return { code: 'stopped-early', message, hint: 'Fix the cause and apply again.' };
}
