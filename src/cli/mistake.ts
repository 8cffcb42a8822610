import type { Argument, Command, CommanderError } from 'commander';
import { summarizeOutcomes } from '../apply/outcome.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { didYouMean, quote, suggest } from '../core/text.ts';
import { failedChecks, makeExamination } from '../doctor/examine.ts';
import { makeValidation } from '../files/files.ts';
import { erroredPlan } from '../plan/seal.ts';
import { renderHistoryFailure } from '../report/history.ts';
import {
  renderExaminationJson,
  renderFailure,
  renderOutcomesJson,
  renderPlanJson,
  renderValidationJson,
} from '../report/json.ts';

type Complaint = { readonly message: string; readonly hint?: string | undefined };

type CommandLine = { readonly args: readonly string[]; readonly command: Command };

export function describeMistake(
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
  program: Command,
  args: readonly string[],
): Diagnostic {
  const name = args.find((word) => !word.startsWith('-'));
  const command = program.commands.find((each) => each.name() === name) ?? program;
  // An unknown flag may hold a secret by a misspelt name; commander quotes it.
  const [text = ''] = message
    .replace(/(unknown option '[^'=]*)=.*'/su, "$1'")
    .replace(/^error: /u, '')
    .split('\n');
  const sentence = `${text[0]?.toUpperCase() ?? ''}${text.slice(1).replace(/\.$/u, '')}.`;
  const complaint = complain(code, text, { args, command }) ?? { message: sentence };
  const manual = command.parent
    ? `\`contract-sync ${command.name()} --help\` lists what it takes.`
    : '`contract-sync --help` lists the commands.';
  const hint = complaint.hint ?? manual;
  return { code: 'invalid-command-line', severity: 'error', ...complaint, hint };
}

function complain(code: string, text: string, line: CommandLine): Complaint | undefined {
  const { command } = line;
  const [, quoted = ''] = /'([^']*)'/u.exec(text) ?? [];
  switch (code) {
    case 'commander.unknownOption':
      return unknownOption(quoted, line);
    case 'commander.unknownCommand':
      return unknownCommand(quoted, command);
    case 'commander.excessArguments':
      return excessArguments(line);
    case 'commander.missingArgument':
      return missingArgument(quoted, command);
    case 'commander.optionMissingArgument':
      return { message: `${quoted.split(' ')[0]} needs a value: ${quoted}.` };
    case 'commander.repeatedOption':
      return { message: `${quoted.split(' ')[0]} is given twice, and takes one value.` };
    case 'commander.invalidArgument':
      return invalidChoice(text, line);
    default:
      return undefined;
  }
}

function unknownOption(flag: string, line: CommandLine): Complaint {
  const name = flag.replace(/^-+/u, '');
  const instead = gone.get(`${line.command.name()} ${flag}`);
  if (instead !== undefined) return { message: `${flag} is gone.`, hint: instead };
  const hint =
    name === 'dry-run'
      ? '`contract-sync plan` shows what apply would do, and changes nothing.'
      : `${line.command.name()} ${flag}` === 'pull --format'
        ? '`pull` has no --format: `contract-sync import --format` writes files for contracts that have none.'
        : suggestOption(name, line);
  return { message: `Unknown option ${quote(flag)}.`, hint };
}

function suggestOption(name: string, { args, command }: CommandLine): string | undefined {
  const { options } = command;
  const given = args[args.findIndex((word) => word.replace(/^-+/u, '') === name) + 1];
  for (const choice of [name, given]) {
    const option = options.find(({ argChoices }) => choice && argChoices?.includes(choice));
    if (option?.long) return `Did you mean ${option.long} ${choice}?`;
  }
  const names = options.flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const usual = otherOptions.get(name);
  const near = usual !== undefined && names.includes(usual) ? usual : suggest(name, names);
  return near === undefined ? undefined : `Did you mean --${near}?`;
}

const otherOptions: ReadonlyMap<string, string> = new Map([
  ['auto-approve', 'yes'],
  ['y', 'yes'],
  ['o', 'out'],
  ['output', 'out'],
  ['v', 'verbose'],
  ['q', 'quiet'],
  ['f', 'format'],
  ['c', 'config'],
]);

const gone: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'apply --expect-plan':
      '`apply --plan FILE` does it now: it plans anew, and sends only what FILE shows.',
    'plan --expect-plan':
      '`plan --expect-hash` takes the hash in FILE; `apply --plan FILE` compares with FILE itself.',
    whoami: '`contract-sync doctor` says whose token a run uses, and why.',
    'pull --at':
      '`contract-sync rollback NAME --to VERSION` returns the contract; `pull` then updates its file.',
    'pull --credit': '`contract-sync history` says who edited a contract, and when.',
    'pull --new': '`contract-sync import` writes files for contracts that have none.',
    'pull --into': '`contract-sync import --into PATH` writes files for contracts that have none.',
    'rollback --whole':
      'A rollback returns the fields that a file can manage; set others in the catalog.',
    'sandbox --data': 'A sandbox keeps its contracts in memory.',
    'sandbox --issuer': 'Pass --token-file with a token of the issuer.',
    'sandbox --audience': 'Pass --token-file with a token of the issuer.',
    'sandbox --latency': 'A sandbox answers at once.',
  }),
);

const otherCommands: ReadonlyMap<string, string> = new Map([
  ['diff', 'plan'],
  ['preview', 'plan'],
  ['sync', 'apply'],
  ['deploy', 'apply'],
  ['push', 'apply'],
  ['lint', 'validate'],
  ['check', 'validate'],
  ['log', 'history'],
]);

function unknownCommand(name: string, program: Command): Complaint {
  const instead = gone.get(name);
  if (instead !== undefined) return { message: `The command ${name} is gone.`, hint: instead };
  const names = program.commands.map((each) => each.name());
  const usual = otherCommands.get(name);
  const hint = usual === undefined ? didYouMean(name, names) : `Did you mean "${usual}"?`;
  return { message: `Unknown command ${quote(name)}.`, hint };
}

function excessArguments({ command }: CommandLine): Complaint {
  const most = command.registeredArguments.length;
  const surplus = command.args.slice(most);
  const names = command.registeredArguments.map(nameOf).join(' and ');
  const taken = `${command.name()} takes ${most === 0 ? 'none' : `${names} alone`}`;
  const message = `Unexpected argument ${surplus.map(quote).join(', ')}: ${taken}.`;
  const chooses = command.options.some(({ long }) => long === '--only');
  const patterns = surplus.map((text) => `--only ${plainWord.test(text) ? text : quote(text)}`);
  const hint = `To choose contracts, write \`${patterns.join(' ')}\`.`;
  return { message, hint: chooses ? hint : undefined };
}

// Such a word means itself in every shell.
const plainWord = /^[\w.\-/]+$/u;

function nameOf(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function missingArgument(name: string, command: Command): Complaint {
  const argument = command.registeredArguments.find((each) => each.name() === name);
  const usage = command.registeredArguments.map(nameOf).join(' ');
  const choices = argument?.argChoices ? `: ${oneOf(argument.argChoices)}` : '';
  return {
    message: `Missing argument <${name}>: ${argument?.description ?? ''}.`,
    hint: `Write \`contract-sync ${command.name()} ${usage}\`${choices}.`,
  };
}

function invalidChoice(text: string, { command }: CommandLine): Complaint | undefined {
  const { word = '', flags, name } = invalidWord.exec(text)?.groups ?? {};
  const option = command.options.find((each) => each.flags === flags);
  const argument = command.registeredArguments.find((each) => each.name() === name);
  const choices = option?.argChoices ?? argument?.argChoices;
  if (!choices) return undefined;
  const subject = option?.long ?? `<${name}>`;
  const message = `${subject} takes ${oneOf(choices)}, not ${quote(word)}.`;
  return { message, hint: didYouMean(word, choices) };
}

const invalidWord =
  /^(?:option '(?<flags>.+?)' argument|command-argument value) '(?<word>.*)' is invalid(?: for argument '(?<name>[^']+)')?\./su;

function oneOf(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/u, ' or $1');
}

/** A program that asked for JSON gets its document even if the command line can't be run. */
export function errorDocument(args: readonly string[], problem: Diagnostic): string {
  const asksForJson = args.some(
    (argument, index) =>
      argument === '--format=json' || (argument === '--format' && args[index + 1] === 'json'),
  );
  if (!asksForJson) return '';
  switch (args.find((argument) => !argument.startsWith('-'))) {
    case 'plan':
      return renderPlanJson(erroredPlan({ catalogUrl: '' }, [problem]), { all: false });
    case 'apply':
    case 'rollback':
      return renderOutcomesJson(summarizeOutcomes({}, [], [problem]), { verbose: false });
    case 'validate':
      return renderValidationJson(makeValidation([problem], 0, 0));
    case 'history':
      return renderHistoryFailure([problem]);
    case 'downstream':
      return renderFailure([problem]);
    case 'doctor':
      return renderExaminationJson(makeExamination(failedChecks('catalog', [problem])));
    default:
      return '';
  }
}
