import type { Outcomes } from '../apply/outcome.ts';
import { IssuerError } from '../auth/issuer-error.ts';
import { ApiError } from '../catalog/fault.ts';
import { ConfigError, DiagnosticsError, type SyncError } from '../core/errors.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Validation } from '../files/files.ts';
import { isIncomplete, type Plan } from '../plan/plan.ts';
import { joinTotals, total } from '../report/model/problems.ts';
import type { Comparison } from '../review/compare.ts';
import type { ReviewRecords } from './records.ts';

/** What a command came to. */
export type StepResult = {
  /** Absent where the step is to be green. */
  readonly failure?: Failure;
} & (
  | { readonly kind: 'plan'; readonly plan: Plan; readonly comparison?: Comparison }
  | {
      readonly kind: 'apply';
      readonly plan: Plan;
      readonly outcomes: Outcomes;
      readonly comparison?: Comparison;
      /** What was reviewed in which pull request. */
      readonly records: ReviewRecords;
    }
  | {
      readonly kind: 'validation';
      readonly validation: Validation;
      /** Why no plan was made, where one was asked for. */
      readonly notice?: string;
    }
);

/** The output `failure-reason`: what a later step may want to tell apart. */
export type FailureReason =
  | 'plan-changed'
  | 'apply-failed'
  | 'invalid-contracts'
  | 'unsafe-plan'
  /** A file asks for what the plan does not bring about, such as a contract that is missing. */
  | 'incomplete-plan'
  | 'auth'
  | 'catalog'
  | 'github'
  | 'configuration'
  /** A bug of ours. */
  | 'internal'
  /** `fail-on` asked for it. */
  | 'changes'
  | 'warnings';

export type Failure = {
  readonly reason: FailureReason;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
};

/** Why a plan may not be applied. */
export function failureOfPlan({ planHash, diagnostics, summary }: Plan): Failure {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const unreviewed = errors.find(isOfReview);
  if (unreviewed) return { reason: 'plan-changed', message: unreviewed.message };
  if (planHash === undefined || errors.some(({ source }) => source !== undefined)) {
    return { reason: 'invalid-contracts', message: 'The contract files have errors.' };
  }
  const blocked = summary.blocked > 0 ? ` ${summary.blocked} blocked.` : '';
  return { reason: 'unsafe-plan', message: `The plan must not be applied.${blocked}` };
}

/** Why a plan fails all the same that may be applied; undefined where it brings every file about. */
export function failureOfIncomplete(plan: Plan): Failure | undefined {
  if (!isIncomplete(plan)) return undefined;
  const { missing, blocked } = plan.summary;
  const counts = [...total(missing, `${missing} missing`), ...total(blocked, `${blocked} blocked`)];
  return {
    reason: 'incomplete-plan',
    message: `The plan leaves contracts out: ${joinTotals(counts)}.`,
  };
}

const reviewCodes: ReadonlySet<string> = new Set([
  'plan-changed',
  'plan-not-reviewed',
  'plan-not-found',
]);

/** Whether a problem is that something was not reviewed. */
export function isOfReview({ code }: Pick<Diagnostic, 'code'>): boolean {
  return reviewCodes.has(code);
}

/** What stopped the run. */
export function failureOfError(error: SyncError): Failure {
  return { reason: reasonOf(error), message: error.message };
}

function reasonOf(error: SyncError): FailureReason {
  const { code } = error;
  if (code === 'github') return 'github';
  if (error instanceof IssuerError || authCodes.has(code)) return 'auth';
  if (error instanceof ApiError) return 'catalog';
  if (error instanceof ConfigError || code === 'invalid-config') return 'configuration';
  if (error instanceof DiagnosticsError) return 'invalid-contracts';
  return planCodes.has(code) ? 'plan-changed' : 'catalog';
}

/** No token could be had, or the catalog would not take it. */
const authCodes: ReadonlySet<string> = new Set([
  'no-token',
  'invalid-token',
  'token-expired',
  'no-issuer',
  'invalid-issuer',
  'no-client-id',
  'no-secret',
  'invalid-private-key',
  'method-unavailable',
  'unauthorized',
  'forbidden',
]);

/** A saved plan that is not the one which was saved, or not for this catalog. */
const planCodes: ReadonlySet<string> = new Set([
  'plan-edited',
  'plan-format',
  'not-a-plan',
  'other-command',
  'plan-errored',
  'other-catalog',
  'other-environment',
]);
