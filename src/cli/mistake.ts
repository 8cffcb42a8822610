import type { Command, CommanderError } from 'commander';
import { summarizeOutcomes } from '../apply/outcome.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { suggest } from '../core/text.ts';
import { failedChecks, makeExamination } from '../doctor/examine.ts';
import { makeValidation } from '../files/files.ts';
import { erroredPlan } from '../plan/seal.ts';
import { renderHistoryFailure } from '../report/history.ts';
import * as json from '../report/json.ts';
import { renderPlanJson } from '../report/plan.ts';

/** In commander's words. */
export function describeMistake({ message }: CommanderError, program: Command): Diagnostic {
  // An unknown flag may hold a secret by a misspelt name; commander quotes it.
  const plain = message.replace(/(unknown option '[^'=]*)=.*'/su, "$1'").replace(/^error: /u, '');
  const [text = ''] = plain.split('\n');
  const sentence = `${text[0]?.toUpperCase()}${text.slice(1).replace(/\.$/u, '')}.`;
  const command = program.commands.find((each) => each.name() === program.args[0]) ?? program;
  const topic = command === program ? '' : `${command.name()} `;
  const manual = `\`contract-sync ${topic}--help\` lists what there is.`;
  const [, word] = /^unknown (?:option|command) '([^']*)'/u.exec(text) ?? [];
  const near = word === undefined ? undefined : nearest(word, command);
  const hint = near === undefined ? manual : `Did you mean ${near}?`;
  return { code: 'invalid-command-line', severity: 'error', message: sentence, hint };
}

function nearest(word: string, { options, commands }: Command): string | undefined {
  const known = [...options.map(({ long }) => long ?? ''), ...commands.map((each) => each.name())];
  const isHere = (words: string) =>
    !words.startsWith('-') || known.includes(words.split(' ')[0] ?? '');
  const [usual] =
    Object.entries(aliases).find(
      ([words, others]) => others.split(' ').includes(word) && isHere(words),
    ) ?? [];
  return usual ?? suggest(word, known);
}

/** Our words, and what other tools call it. */
const aliases = {
  '--check': '--dry-run',
  'contract-sync plan': 'diff preview drift status show --dry-run',
  'contract-sync apply': 'sync deploy push up',
  'contract-sync validate': 'lint check fmt test',
  'contract-sync history': 'log blame',
  'contract-sync rollback': 'undo revert restore',
  'contract-sync pull': 'refresh fetch',
  '`unmanaged: deprecate` in the configuration':
    'destroy delete remove prune --prune -destroy --destroy',
  '--yes': '--auto-approve -auto-approve --doit --force -y',
  '--format json': '--json -json --output',
  '--out': '-o -out',
  '--only': '--target -target --filter',
  '--concurrency': '--parallelism -parallelism',
  '--config': '--config-file',
  '`blame` in the configuration': '--blame',
  '`catalog.timeoutSeconds` in the configuration': '--timeout',
  '`create: true` in the configuration': '--create',
};

/** A program that asked for JSON gets its document even if the command line can't be run. */
export function errorDocument(args: readonly string[], problem: Diagnostic): string {
  if (!/(?:^| )--format[= ]json(?: |$)/u.test(args.join(' '))) return '';
  switch (args.find((argument) => !argument.startsWith('-'))) {
    case 'plan':
      return renderPlanJson(erroredPlan({ catalogUrl: '' }, [problem]), { all: false });
    case 'apply':
    case 'rollback':
      return json.renderOutcomesJson(summarizeOutcomes({}, [], [problem]));
    case 'validate':
      return json.renderValidationJson(makeValidation([problem], 0, 0));
    case 'history':
      return renderHistoryFailure([problem]);
    case 'downstream':
      return json.renderFailure([problem]);
    case 'doctor':
      return json.renderExaminationJson(makeExamination(failedChecks('url', [problem])));
    default:
      return '';
  }
}
