import type { CommanderError } from 'commander';
import type { Diagnostic } from '../core/diagnostic.ts';
import { erroredPlan } from '../plan/make.ts';
import { nothingApplied } from '../apply/outcome.ts';
import { renderOutcomesJson, renderPlanJson } from '../report/json.ts';

/**
 * What standard output carries when a command line that asks for JSON cannot be understood: a
 * program that reads it gets its document all the same.
 */
export function usageErrorDocument(args: readonly string[], error: CommanderError): string {
  if (!asksForJson(args)) return '';
  const [message = '', hint] = error.message.replace(/^error: /u, '').split('\n');
  const diagnostic: Diagnostic = {
    code: 'invalid-command-line',
    severity: 'error',
    message: `${message[0]?.toUpperCase()}${message.slice(1)}.`,
    ...(hint !== undefined && { hint: hint.replaceAll(/[()]/gu, '') }),
  };
  switch (args.find((argument) => !argument.startsWith('-'))) {
    case 'plan':
      return renderPlanJson(erroredPlan('', [diagnostic]), { all: false });
    case 'apply':
      return renderOutcomesJson(nothingApplied([diagnostic]), { verbose: false });
    default:
      return '';
  }
}

function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (argument, index) =>
      argument === '--format=json' || (argument === '--format' && args[index + 1] === 'json'),
  );
}
