import { rewordBy } from '../report/slots.ts';

export const inputWords = rewordBy({
  base: 'the input `base`',
  blame: 'On your machine, `contract-sync plan --blame` asks for more.',
  'check-token': 'Check the secret in the input `token`.',
  'client-id': 'Set the input `auth-client-id`.',
  config: 'the input `config`',
  env: 'the input `environment`',
  'env-or-variable': 'the input `environment`',
  issuer: 'Set the input `auth-issuer`.',
  limits:
    'If you mean it, raise `limits` in the configuration, by a pull request that is merged first.',
  'or-allow-http': '',
  'or-max-failures': '',
  'other-url': 'Correct the one that is wrong: a plan and an apply go to the catalog of the input.',
  overwrites: 'Merging overwrites',
  paths: 'Check the inputs `paths` and `working-directory`, and `contracts.include`.',
  'plan-again': 'Run the job again: it makes a new plan.',
  'rename-config': 'Rename it, or give its name in the input `config`.',
  'renew-token':
    'It may have expired or belong to another catalog. Renew the secret in the input `token` or `auth-client-secret`.',
  'review-again': 'Open a new pull request, or use the command below.',
  'same-catalog': 'Set the input `catalog-url` to the catalog it was made for, or plan again.',
  'same-environment': 'Set the input `environment` to the one it was made for, or plan again.',
  'save-plan': 'Make one with a `plan` step, and pass its output `plan-file`.',
  secret: 'Set the input `auth-client-secret` or `auth-private-key`.',
  token:
    'Set the input `token`, or `auth-issuer` and `auth-client-id` with a secret or the permission `id-token: write`.',
});
