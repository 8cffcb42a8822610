import type { SourcePosition } from '../core/diagnostic.ts';
import type { RuleId } from '../compatibility/rule.ts';
import { matchesName, type NamePattern } from '../contract/name-pattern.ts';
import type { Permission, Problem } from './problem.ts';

/** A change that a compatibility rule would block, and that somebody has agreed to. */
export type Exception = Permission & {
  readonly contract: NamePattern;
  readonly rule: RuleId;
  /** Whether its last day is over: told by the caller, as there is no clock here. */
  readonly expired: boolean;
  /** Where the configuration says so. */
  readonly source: SourcePosition;
};

/** The problems, errors that an exception covers being warnings that give the reason. */
export function allowExceptions(
  problems: readonly Problem[],
  names: readonly string[],
  exceptions: readonly Exception[],
): Problem[] {
  const near = exceptions.filter(({ contract }) => matchesName([contract], names));
  return problems.flatMap((problem) => {
    if (problem.severity !== 'error' || near.length === 0) return [problem];
    const covering = near.filter(({ rule }) => rule === problem.code);
    const valid = covering.find(({ expired }) => !expired);
    return valid ? [allow(problem, valid)] : [problem, ...covering.map(expired)];
  });
}

function allow(problem: Problem, { reason, until }: Exception): Problem {
  const term = until === undefined ? '' : ` until ${until}`;
  return {
    ...problem,
    severity: 'warning',
    hint: `Allowed${term}: ${reason}`,
    allowed: { reason, ...(until !== undefined && { until }) },
  };
}

function expired({ rule, reason, until, source }: Exception): Problem {
  return {
    code: 'exception-expired',
    severity: 'error',
    message: `The exception for ${rule} (${reason}) ended on ${until}.`,
    hint: 'Agree on a later day and set `until`, or take the change back.',
    source,
  };
}
