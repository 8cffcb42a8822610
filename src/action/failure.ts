import { ApiError } from '../catalog/api-error.ts';
import { IssuerError } from '../auth/issuer-error.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { ConfigError, DiagnosticsError, type SyncError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';

/** The output `failure-reason`: what a later step may want to tell apart. */
export type FailureReason =
  | 'plan-changed'
  | 'apply-failed'
  | 'invalid-contracts'
  | 'unsafe-plan'
  | 'auth'
  | 'catalog'
  | 'github'
  | 'configuration'
  /** A bug of ours. */
  | 'internal'
  /** `fail-on` asked for it. */
  | 'changes'
  | 'warnings';

export type Failure = { readonly reason: FailureReason; readonly message: string };

/** Why a plan may not be applied. */
export function failureOfPlan({ planHash, diagnostics, summary }: Plan): Failure {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.some(({ code }) => code === 'plan-changed')) {
    return { reason: 'plan-changed', message: 'The plan is not the one that was reviewed.' };
  }
  if (planHash === undefined || errors.some(({ source }) => source !== undefined)) {
    return { reason: 'invalid-contracts', message: 'The contract files have errors.' };
  }
  const blocked = summary.blocked > 0 ? ` ${summary.blocked} blocked.` : '';
  return { reason: 'unsafe-plan', message: `The plan must not be applied.${blocked}` };
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
  'other-catalog',
]);

/** Hints speak of flags, variables and files, where an Action has inputs. */
export function inWordsOfInputs(diagnostic: Diagnostic): Diagnostic {
  const hint = hints[diagnostic.code];
  return hint === undefined ? diagnostic : { ...diagnostic, hint };
}

const hints: Readonly<Record<string, string>> = {
  'no-token':
    'Set the input `token`, or `auth-issuer` and `auth-client-id` with a secret or the permission `id-token: write`.',
  unauthorized:
    'The token may have expired, or belong to another catalog: renew what the input `token` or `auth-client-secret` holds.',
  'no-issuer': 'Set the input `auth-issuer`.',
  'no-client-id': 'Set the input `auth-client-id`.',
  'no-secret': 'Set the input `auth-client-secret` or `auth-private-key`.',
  'limit-exceeded':
    'If that is meant, raise `limits` in the configuration in the same pull request, where it is reviewed too.',
  'no-contracts': 'Look at the inputs `paths` and `working-directory`, and at `contracts.include`.',
  'invalid-token': 'Look at the secret that the input `token` is given.',
};
