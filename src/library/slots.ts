import { DiagnosticsError, SyncError } from '../core/errors.ts';
import { rewordBy } from '../report/slots.ts';

/** Slots in the words of a program: its options, and the configuration's settings. */
export const words = rewordBy({
  base: 'the option `base`',
  blame: 'The histories of the others tell more.',
  'catalog-url': 'Set the option `catalogUrl`.',
  'check-token': 'Check the option `token`.',
  'client-id': 'Set `clientId` in the settings of the token source.',
  concurrency: '`catalog.concurrency`',
  config: 'the option `config`',
  'conflicts: overwrite': '`conflicts: overwrite`',
  create: '`create: true`',
  'drift: leave': '`drift: leave`',
  'drift: overwrite': '`drift: overwrite`',
  env: 'the option `environment`',
  exclude: '`selection.exclude`',
  folder: 'the option `folder`',
  issuer: 'Set `issuer` in the settings of the token source.',
  'known-environments': 'Define it under `environments`, or leave out the option `environment`.',
  limits: 'If you mean it, raise `limits` in the configuration.',
  only: '`selection.only`',
  'or-allow-http': ', or `allowHttp` on a network that you trust',
  'or-create': '',
  'or-max-failures': ', or raise `maxFailures`',
  'other-command': 'A rollback is made and applied by the command line, contract-sync rollback.',
  'page-size': '`catalog.pageSize`',
  paths: 'Check the options `files` and `folder`, and `contracts.include`.',
  'rename-config': 'Rename it, or give its name as the option `config`.',
  'renew-token': 'It may have expired or belong to another catalog.',
  'same-environment': 'Set the option `environment` to the one it was made for, or plan again.',
  'save-plan': 'Make one with `renderPlanJson`.',
  secret: 'Set `clientSecret` or `privateKey` in the settings of the token source.',
  timeout: '`catalog.timeoutSeconds`',
  'timeout-throttled': '`catalog.timeoutThrottledSeconds`',
  token: 'Set the option `token`.',
});

export async function inOwnWords<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw reworded(error);
  }
}

export function reworded(error: unknown): unknown {
  if (!(error instanceof SyncError)) return error;
  const { hint } = words.problem(error);
  const diagnostics = error instanceof DiagnosticsError && error.diagnostics.map(words.problem);
  return Object.assign(error, { hint }, diagnostics && { diagnostics });
}
