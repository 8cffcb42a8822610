import type { Command, CommanderError } from 'commander';
import { summarizeOutcomes } from '../apply/outcome.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { didYouMean } from '../core/text.ts';
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
  const options = command.options.map(({ long }) => long ?? '');
  const commands = command.commands.map((each) => each.name());
  const hint = (word !== undefined && didYouMean(word, [...options, ...commands])) || manual;
  return { code: 'invalid-command-line', severity: 'error', message: sentence, hint };
}

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
