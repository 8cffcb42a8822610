import { DiagnosticsError, SyncError } from '../core/errors.ts';
import { rewordBy } from '../report/reword.ts';

/** Problems in the words of a program: options and configuration settings in place of flags. */
export const words = rewordBy({
  hints: {
    'no-catalog-url': 'Set the option `catalogUrl`.',
    'no-token': 'Set the option `token`.',
    'invalid-token': 'Check the option `token`.',
    unauthorized: 'It may have expired or belong to another catalog.',
    'no-issuer': 'Set `issuer` in the settings of the token source.',
    'no-client-id': 'Set `clientId` in the settings of the token source.',
    'no-secret': 'Set `clientSecret` or `privateKey` in the settings of the token source.',
    'unknown-environment': 'Define it under `environments`, or leave out the option `environment`.',
    'other-environment': 'Set the option `environment` to the one it was made for, or plan again.',
    'no-contracts': 'Check the options `files` and `folder`, and `contracts.include`.',
    'limit-exceeded': 'If you mean it, raise `limits` in the configuration.',
    'blame-left-out': 'The histories of the others tell more.',
    'misnamed-config': 'Rename it, or give its name as the option `config`.',
    'other-command': 'A rollback is made and applied by the command line, contract-sync rollback.',
    'not-a-plan': 'Make one with `renderPlanJson`.',
  },
  phrases: [
    [' or --create,', ','],
    ['the working directory', 'the option `folder`'],
  ],
  settings: {
    '--allow-http': '`allowHttp`',
    '--base': 'the option `base`',
    '--catalog-url': 'the option `catalogUrl`',
    '--concurrency': '`catalog.concurrency`',
    '--config': 'the option `config`',
    '--env': 'the option `environment`',
    '--exclude': '`selection.exclude`',
    '--max-failures': '`maxFailures`',
    '--only': '`selection.only`',
    '--page-size': '`catalog.pageSize`',
    '--timeout': '`catalog.timeoutSeconds`',
    '--timeout-throttled': '`catalog.timeoutThrottledSeconds`',
  },
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
  const { code, message, hint } = error;
  return Object.assign(
    error,
    words.problem({ code, message, hint }),
    error instanceof DiagnosticsError && { diagnostics: error.diagnostics.map(words.problem) },
  );
}
