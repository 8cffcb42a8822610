import type { Diagnostic } from '../core/diagnostic.ts';
import type { Plan } from '../plan/plan.ts';

/** Hints speak of flags, variables and files, where an Action has inputs and pull requests. */
export function inWordsOfInputs(plan: Plan): Plan {
  return { ...plan, diagnostics: plan.diagnostics.map(reword) };
}

function reword(diagnostic: Diagnostic): Diagnostic {
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
  'plan-changed':
    'Undo what was edited in the catalog, or have the plan reviewed as it is now, in a new pull request.',
  'limit-exceeded':
    'If that is meant, raise `limits` in the configuration in the same pull request, where it is reviewed too.',
  'no-contracts': 'Look at the inputs `paths` and `working-directory`, and at `contracts.include`.',
  'invalid-token': 'Look at the secret that the input `token` is given.',
};
