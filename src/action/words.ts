import { rewordBy, type Vocabulary } from '../report/reword.ts';
import type { StepResult } from './result.ts';

export function resultInWordsOfInputs(result: StepResult): StepResult {
  switch (result.kind) {
    case 'plan':
      return { ...result, plan: words.plan(result.plan) };
    case 'apply':
      return {
        ...result,
        plan: words.plan(result.plan),
        outcomes: words.outcomes(result.outcomes),
      };
    case 'validation': {
      const diagnostics = result.validation.diagnostics.map(words.problem);
      return { ...result, validation: { ...result.validation, diagnostics } };
    }
  }
}

// Leaves out what only flags offer.
const phrases: Vocabulary['phrases'] = [
  [' or --create,', ','],
  [', or --allow-http on a network that you trust', ''],
  [', or raise --max-failures', ''],
  ['--env and CONTRACT_SYNC_ENV', '--env'],
];

const settings: Readonly<Record<string, string>> = {
  '--catalog-url': 'the input `catalog-url`',
  '--env': 'the input `environment`',
  '--config': 'the input `config`',
  '--base': 'the input `base`',
  '--expect-hash': 'the input `expect-hash`',
  '--concurrency': '`catalog.concurrency`',
  '--page-size': '`catalog.pageSize`',
  '--timeout': '`catalog.timeoutSeconds`',
  '--timeout-throttled': '`catalog.timeoutThrottledSeconds`',
};

const hints: Readonly<Record<string, string>> = {
  'no-token':
    'Set the input `token`, or `auth-issuer` and `auth-client-id` with a secret or the permission `id-token: write`.',
  unauthorized:
    'It may have expired or belong to another catalog. Renew the secret in the input `token` or `auth-client-secret`.',
  'no-issuer': 'Set the input `auth-issuer`.',
  'no-client-id': 'Set the input `auth-client-id`.',
  'no-secret': 'Set the input `auth-client-secret` or `auth-private-key`.',
  'limit-exceeded':
    'If you mean it, raise `limits` in the configuration in the same pull request, so that it is reviewed too.',
  'catalog-url-overridden':
    'Correct the one that is wrong: a plan and an apply go to the catalog of the input.',
  'misnamed-config': 'Rename it, or give its name in the input `config`.',
  'other-environment': 'Set the input `environment` to the one it was made for, or plan again.',
  'blame-left-out': 'On your machine, `contract-sync plan --blame` asks for more.',
  'other-catalog': 'Set the input `catalog-url` to the catalog it was made for, or plan again.',
  'no-contracts': 'Check the inputs `paths` and `working-directory`, and `contracts.include`.',
  'not-a-plan': 'Make one with a `plan` step, and pass its output `plan-file`.',
  'invalid-token': 'Check the secret in the input `token`.',
};

const words = rewordBy({ hints, phrases, settings });

export const reword = words.problem;
