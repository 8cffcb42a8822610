import type { Command, CommanderError } from 'commander';
import { summarizeOutcomes } from '../apply/outcome.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { failedChecks, makeExamination } from '../doctor/examine.ts';
import { makeValidation } from '../files/files.ts';
import { erroredPlan } from '../plan/seal.ts';
import { renderHistoryFailure } from '../report/history.ts';
import * as json from '../report/json.ts';

/** In commander's words, with its suggestion. */
export function describeMistake({ message }: CommanderError, program: Command): Diagnostic {
  // An unknown flag may hold a secret by a misspelt name; commander quotes it.
  const [text = '', suggestion] = message
    .replace(/(unknown option '[^'=]*)=.*'/su, "$1'")
    .replace(/^error: /u, '')
    .split('\n');
  const sentence = `${text[0]?.toUpperCase()}${text.slice(1).replace(/\.$/u, '')}.`;
  const { args, commands } = program;
  const command = commands.find((each) => each.name() === args[0]) ?? program;
  const manual = `\`contract-sync ${command === program ? '' : `${command.name()} `}--help\` lists what there is.`;
  const meant = /^unknown (?:option|command) '([^']*)'/u.exec(text)?.[1] ?? '';
  const hint = aliasOf(meant, command) ?? suggestion?.slice(1, -1) ?? manual;
  return { code: 'invalid-command-line', severity: 'error', message: sentence, hint };
}

function aliasOf(word: string, { options }: Command): string | undefined {
  const meant = aliases.get(word);
  const isHere =
    !meant?.startsWith('-') || options.some(({ long }) => long === meant.split(' ')[0]);
  return meant !== undefined && isHere ? `Did you mean ${meant}?` : undefined;
}

/** What other tools call it. */
const aliases = new Map([
  ...['diff', 'preview', '--dry-run'].map((word) => [word, 'contract-sync plan'] as const),
  ...['sync', 'deploy', 'push'].map((word) => [word, 'contract-sync apply'] as const),
  ...['lint', 'check'].map((word) => [word, 'contract-sync validate'] as const),
  ...['--auto-approve', '-y'].map((word) => [word, '--yes'] as const),
  ['log', 'contract-sync history'],
  ['--json', '--format json'],
  ['-o', '--out'],
  ['-v', '--verbose'],
  ['-q', '--quiet'],
  ['-c', '--config'],
]);

/** A program that asked for JSON gets its document even if the command line can't be run. */
export function errorDocument(args: readonly string[], problem: Diagnostic): string {
  if (!/(?:^| )--format[= ]json(?: |$)/u.test(args.join(' '))) return '';
  switch (args.find((argument) => !argument.startsWith('-'))) {
    case 'plan':
      return json.renderPlanJson(erroredPlan({ catalogUrl: '' }, [problem]), { all: false });
    case 'apply':
    case 'rollback':
      return json.renderOutcomesJson(summarizeOutcomes({}, [], [problem]), { verbose: false });
    case 'validate':
      return json.renderValidationJson(makeValidation([problem], 0, 0));
    case 'history':
      return renderHistoryFailure([problem]);
    case 'downstream':
      return json.renderFailure([problem]);
    case 'doctor':
      return json.renderExaminationJson(makeExamination(failedChecks('catalog', [problem])));
    default:
      return '';
  }
}
