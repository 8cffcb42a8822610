/** What `doctor` finds, as plain JSON (`schemas/examination.schema.json`). */

/** What is looked at, in this order. */
export type Subject = 'catalog' | 'proxy' | 'token' | 'list' | 'clock' | 'page size' | 'dialect';

/** One thing that was looked at. */
export type Check = {
  readonly subject: Subject;
  /** `bad`: no run can succeed; what rests on it is not looked at. */
  readonly verdict: 'good' | 'warning' | 'bad';
  /** What was found. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
};

export type Examination = {
  readonly formatVersion: '1.0';
  /** Whether anything is bad. */
  readonly errored: boolean;
  readonly checks: readonly Check[];
};

export function makeExamination(checks: readonly Check[]): Examination {
  const errored = checks.some(({ verdict }) => verdict === 'bad');
  return { formatVersion: '1.0', errored, checks };
}
