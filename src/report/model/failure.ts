import type { Outcomes } from '../../apply/outcome.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { contractProblems, type Plan } from '../../plan/plan.ts';
import { failures as failuresByCode } from '../../generated/failures.js';

const failures = ['config', 'files', 'auth', 'network', 'policy', 'review', 'apply'] as const;

/** What kind of failure it was, for scripts: no message has to be read for it. */
type Failure = (typeof failures)[number];

/** A member of a document, absent where nothing failed. */
type FailureMember = { readonly failure?: Failure };

/** The kind of the first error. */
export function failureOf(diagnostics: readonly Diagnostic[]): FailureMember {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (!error) return {};
  // A key that isn't known may stand in the configuration as well as in a contract.
  const isOfConfiguration = error.source?.format === 'configuration';
  return { failure: isOfConfiguration ? 'config' : failureOfCode(error.code) };
}

/** What concerns the whole plan comes before what concerns one contract. */
export function planFailure({ diagnostics, contracts }: Plan): FailureMember {
  return failureOf([...diagnostics, ...contracts.flatMap(contractProblems)]);
}

/** What was sent and failed comes before what was never sent: it may be the reason. */
export function outcomesFailure({ outcomes, diagnostics }: Outcomes): FailureMember {
  const bad = outcomes.filter(({ error }) => error !== null);
  const first = bad.find(({ result }) => result !== 'skipped') ?? bad[0];
  return first?.error ? { failure: failureOfCode(first.error.code) } : failureOf(diagnostics);
}

/** The codes that the table lacks are the compatibility rules, which are policy. */
export function failureOfCode(code: string): Failure {
  const kind = Object.hasOwn(failuresByCode, code) ? failuresByCode[code] : undefined;
  return failures.find((failure) => failure === kind) ?? 'policy';
}
