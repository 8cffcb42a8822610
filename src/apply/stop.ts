/** When a run stops, and when it reads what is stored before it sends more. Pure. */

import type { Outcome, OutcomeError } from './outcome.ts';

export type Course = {
  /** In a row, as `open`, unless the user limits them. */
  readonly failures: number;
  /** Sent since the last read, and not answered with success. */
  readonly open: number;
  /** How many changes turned out to be no failure: so many more may be open. */
  readonly trust: number;
  readonly stop?: OutcomeError | undefined;
};

export const start: Course = { failures: 0, open: 0, trust: 0 };

// After so many failures in a row the contracts are hardly at fault.
const longestRow = 10;

export function maySend({ failures, open, trust, stop }: Course, limit?: number): boolean {
  return !stop && failures + open < (limit ?? longestRow + trust);
}

export function after(
  course: Course,
  event: 'answered' | 'open' | 'read' | Outcome,
  limit?: number,
): Course {
  switch (event) {
    case 'read':
      return { ...course, open: 0 };
    case 'open':
      return { ...course, open: course.open + 1 };
    case 'answered':
      return limit === undefined ? { ...course, failures: 0, open: 0 } : course;
    default:
      return afterOutcome(course, event, limit);
  }
}

function afterOutcome(course: Course, { result, error }: Outcome, limit?: number): Course {
  const isInRow = limit === undefined;
  if (result === 'skipped') return course;
  if (result !== 'failed' && result !== 'unverified')
    return { ...course, trust: course.trust + 1, failures: isInRow ? 0 : course.failures };
  const isOwn = isInRow && error?.scope === 'contract';
  const failures = course.failures + (isOwn ? 0 : 1);
  return { ...course, failures, stop: course.stop ?? reasonToStop(failures, error, limit) };
}

function reasonToStop(failures: number, error: OutcomeError | null, limit?: number) {
  const isInRow = limit === undefined;
  if (isInRow && error?.scope === 'run') return stopped('because the catalog denies access');
  if (failures < (limit ?? longestRow)) return undefined;
  return stopped(`after ${failures} failures${isInRow ? ' in a row' : ''}`);
}

function stopped(why: string): OutcomeError {
  const message = `Not attempted: the run stopped ${why}.`;
  return { code: 'stopped-early', message, hint: 'Fix the cause and apply again.' };
}
