/** How a step ends, why it fails, and what its log annotates. */

import { allLanded, type Outcomes } from '../apply/outcome.ts';
import { ApiError } from '../catalog/fault.ts';
import { contractLabel } from '../contract/identity.ts';
import {
  ConfigError,
  type Diagnostic,
  DiagnosticsError,
  hasErrors,
  RepositoryError,
  sortDiagnostics,
  type SyncError,
} from '../core/diagnostic.ts';
import { defined } from '../core/json.ts';
import { count } from '../core/text.ts';
import type { Validation } from '../files/files.ts';
import {
  contractProblems,
  heldChanges,
  isIncomplete,
  type Plan,
  plannedChanges,
} from '../plan/plan.ts';
import type { BlockOf } from '../report/blocks.ts';
import { failureOfCode } from '../report/json.ts';
import { outcomesVerdict } from '../report/outcomes.ts';
import { type PlanView, problemsAtLines } from '../report/plan.ts';
import { joinTotals, sortByGravity, total } from '../report/problems.ts';
import { heldFor, wayToLift, whyHeld } from '../review/agreement.ts';
import type { Comparison } from '../review/compare.ts';
import { EventError } from './event.ts';
import { GitHubError } from './github-request.ts';
import type { Inputs } from './inputs.ts';
import type { ContractNames } from './record/comment.ts';
import type { ReviewRecords } from './record/find.ts';

export type StepResult = PlanResult | AppliedResult | ValidationResult;

type Ended = { readonly failure?: Failure | undefined };

type Compared = Ended & {
  readonly plan: Plan;
  readonly comparison?: Comparison | undefined;
  /** The command that applies what was not reviewed; absent where all was. */
  readonly wayOut?: BlockOf<'command'> | undefined;
  readonly covered?: PlanView['covered'];
};

export type PlanResult = Compared & {
  readonly kind: 'plan';
  readonly handles?: PlanView['handles'];
  readonly policy?: Diagnostic | undefined;
};

export type AppliedResult = Compared & {
  readonly kind: 'apply';
  readonly outcomes: Outcomes;
  readonly records: ReviewRecords;
};

type ValidationResult = Ended & {
  readonly kind: 'validation';
  readonly validation: Validation;
  readonly notice?: string | undefined;
};

/** The output `failure-reason`. */
export type FailureReason =
  | 'plan-changed'
  | 'apply-failed'
  | 'invalid-contracts'
  | 'unsafe-plan'
  | 'incomplete-plan'
  | 'auth'
  | 'catalog'
  | 'github'
  | 'configuration'
  | 'internal'
  | 'changes'
  | 'warnings';

/** Renders a result as Markdown within so many bytes. */
export type RenderPage = (options: {
  readonly budget: number;
  /** Says where the whole report is. */
  readonly rest?: string;
  /** An issue has its own title and outlives the commit. */
  readonly medium?: 'comment' | 'issue';
}) => string;

export type Failure = {
  readonly reason: FailureReason;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Where the fault lies, if that is known: the author of a pull request can mend the repository. */
  readonly fault?: 'workflow' | 'repository' | undefined;
};

/** Whether it says that the plan isn't the reviewed one. */
export function isOfReview({ scope }: Diagnostic): boolean {
  return scope === 'plan';
}

export const invalidContracts: Failure = {
  reason: 'invalid-contracts',
  message: 'The contract files have errors.',
};

export function failureOfError(error: SyncError): Failure {
  const failure = { reason: reasonOf(error), message: error.message };
  if (error instanceof EventError) return { ...failure, fault: 'workflow' };
  return error instanceof RepositoryError ? { ...failure, fault: 'repository' } : failure;
}

export function reasonOf(error: SyncError): FailureReason {
  if (error instanceof GitHubError) return 'github';
  const kind = failureOfCode(error.code);
  if (kind === 'auth') return 'auth';
  if (error instanceof ApiError) return 'catalog';
  if (error instanceof ConfigError || kind === 'config') return 'configuration';
  if (error instanceof DiagnosticsError) return 'invalid-contracts';
  return kind === 'review' || kind === 'apply' ? 'plan-changed' : 'catalog';
}

export function failureToPlan(plan: Plan, failOn: Inputs['failOn']): Failure | undefined {
  if (plan.errored) return failureOfErrored(plan);
  if (isIncomplete(plan)) return failureOfIncomplete(plan);
  const { create = 0, update, drift, unknown = 0 } = plan.summary;
  const words = [
    ...total(create, `${create} to create`),
    ...total(update, `${update} to update`),
    ...total(drift, `${drift} edited in the catalog`),
    ...total(unknown, `${unknown} edited or not applied yet`),
  ];
  if (failOn === 'changes' && words.length > 0) {
    const message = `The catalog differs from the files: ${joinTotals(words)}.`;
    return { reason: 'changes', message };
  }
  if (failOn === 'warnings' && problemsOf(plan).some(({ severity }) => severity !== 'information'))
    return { reason: 'warnings', message: 'The plan has warnings, and `fail-on` is warnings.' };
  return undefined;
}

function failureOfErrored({ planHash, diagnostics, summary }: Plan): Failure {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const unreviewed = errors.find(isOfReview);
  if (unreviewed) return { reason: 'plan-changed', message: unreviewed.message };
  if (planHash === undefined || errors.some(({ source }) => source !== undefined))
    return invalidContracts;
  const blocked = summary.blocked > 0 ? ` ${summary.blocked} blocked.` : '';
  return { reason: 'unsafe-plan', message: `The plan must not be applied.${blocked}` };
}

function failureOfIncomplete(plan: Plan): Failure {
  const { missing, blocked } = plan.summary;
  const held = heldChanges(plan);
  const [first] = held;
  if (first && missing + blocked === 0) {
    const names = heldFor(held);
    const message = names === undefined ? whyHeld(first) : `Held for ${names}.`;
    return { reason: 'incomplete-plan', message, hint: wayToLift(held, true) };
  }
  const counts = [
    ...total(missing, `${missing} missing`),
    ...total(blocked, `${blocked} blocked`),
    ...total(held.length, `${held.length} held`),
  ];
  const message = `The plan leaves contracts out: ${joinTotals(counts)}.`;
  return { reason: 'incomplete-plan', message };
}

function problemsOf({ diagnostics, contracts }: Plan): Diagnostic[] {
  return [...diagnostics, ...contracts.flatMap(contractProblems)];
}

export function failureToApply(plan: Plan, outcomes: Outcomes): Failure | undefined {
  const hint = problemsOf(plan).find(
    (each) => each.severity === 'error' && each.hint !== undefined,
  )?.hint;
  if (plan.errored) return { ...failureOfErrored(plan), hint };
  const unreviewed = plan.diagnostics.find(isOfReview);
  const held = new Set(heldChanges(plan).map(keyOf));
  const sent = outcomes.outcomes.filter((outcome) => !held.has(keyOf(outcome)));
  if (!allLanded({ ...outcomes, outcomes: sent })) return failureToLand(outcomes);
  if (unreviewed) return { reason: 'plan-changed', message: unreviewed.message };
  if (!isIncomplete(plan)) return undefined;
  const failure = failureOfIncomplete(plan);
  return { ...failure, hint: hint ?? failure.hint };
}

function failureToLand(outcomes: Outcomes): Failure {
  const { summary } = outcomes;
  const { length } = outcomes.outcomes;
  const refused = summary['not-reviewed'] + summary['not-found'];
  const good = summary.applied + summary.unchanged + summary.left;
  const what =
    good + summary.overlapped === length ? 'An edit may be lost' : 'Not every change landed';
  const all = count(length - summary.left, 'change', 'changes');
  const failed = outcomes.outcomes.find(({ result }) => result === 'failed');
  const message = failed
    ? `${summary.failed} of ${all} failed: ${contractLabel(failed)}: ${failed.error?.message}`
    : `${what}: ${outcomesVerdict(outcomes)}.`;
  if (refused > 0 && refused + good === length) return { reason: 'plan-changed', message };
  return { reason: 'apply-failed', message, hint: nextStep(outcomes) };
}

function nextStep({ summary, outcomes }: Outcomes): string | undefined {
  const again = 'run the job again: it sends what has not landed.';
  if (summary.failed > 0) return `Fix what it says, then ${again}`;
  return summary.stale + summary.unverified + summary.skipped > 0
    ? `Look at the contract, then ${again}`
    : outcomes.flatMap(({ error }) => error?.hint ?? [])[0];
}

export function withProblems(plan: Plan, problems: readonly (Diagnostic | undefined)[]): Plan {
  const known = problems.filter((problem) => problem !== undefined);
  const diagnostics = sortDiagnostics([...plan.diagnostics, ...known]);
  return { ...plan, diagnostics, errored: plan.errored || hasErrors(known) };
}

export function keyOf({ id, fullyQualifiedName }: ContractNames): string | undefined {
  return id ?? fullyQualifiedName;
}

// GitHub shows no more of a kind for one step.
const mostOfAKind = 10;

export function annotationsOf(result: StepResult): Diagnostic[] {
  const problems =
    result.kind === 'validation'
      ? sortByGravity(result.validation.diagnostics)
      : [
          ...(result.kind === 'apply' ? failedChanges(result) : []),
          ...problemsAtLines(result.plan, { isApplied: result.kind === 'apply' }),
        ];
  const hasCommand = result.kind !== 'validation' && result.wayOut !== undefined;
  // GitHub shows annotations apart from the summary.
  const pointer = 'The summary has the command that applies the plan as it is now.';
  const shown = problems.map((problem) =>
    hasCommand && isOfReview(problem)
      ? { ...problem, hint: `${problem.hint ?? ''} ${pointer}`.trim() }
      : problem,
  );
  return [...Map.groupBy(shown, ({ severity }) => severity)].flatMap(([severity, all]) =>
    // The step's own failure takes one.
    all.slice(0, severity === 'error' && result.failure ? mostOfAKind - 1 : mostOfAKind),
  );
}

// Changes that were not sent have problems of the plan.
function failedChanges({ plan, outcomes: { outcomes } }: AppliedResult): Diagnostic[] {
  const sources = new Map(plannedChanges(plan).map((each) => [keyOf(each), each.source]));
  const failed = new Set(['failed', 'landed-in-part', 'stale', 'unverified', 'overlapped', 'held']);
  return outcomes.flatMap((outcome) => {
    const { result, error } = outcome;
    if (!error || !failed.has(result)) return [];
    // A creation is planned without the id that its outcome may have.
    const source = sources.get(keyOf(outcome)) ?? sources.get(outcome.fullyQualifiedName);
    const message = `${contractLabel(outcome)}: ${error.message}`;
    return [{ ...error, message, severity: 'error', ...defined({ source }) }];
  });
}
