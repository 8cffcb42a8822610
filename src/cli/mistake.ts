/** What is wrong with a command line, in our words, and what was probably meant. */

import type { Argument, Command, CommanderError } from 'commander';
import type { Diagnostic } from '../core/diagnostic.ts';
import { didYouMean, quote, suggest } from '../core/text.ts';
import { jobOfGone } from './gone.ts';
import { withoutFlagValue } from './secret-flag.ts';

type Complaint = Pick<Diagnostic, 'message' | 'hint'>;

/** A command line as it was typed, and the command that it names: the program where it names none. */
type CommandLine = { readonly args: readonly string[]; readonly command: Command };

/** What commander has found, which it tells as text alone. */
export function describeMistake(
  { code, message }: CommanderError,
  program: Command,
  args: readonly string[],
): Diagnostic {
  const name = args.find((word) => !word.startsWith('-'));
  const command = program.commands.find((each) => each.name() === name) ?? program;
  const [text = ''] = withoutFlagValue(message)
    .replace(/^error: /u, '')
    .split('\n');
  const complaint = complain(code, text, { args, command }) ?? { message: `${sentence(text)}.` };
  return {
    code: 'invalid-command-line',
    severity: 'error',
    ...complaint,
    hint: complaint.hint ?? manualOf(command),
  };
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
    case 'commander.invalidArgument':
      return invalidChoice(text, line);
    default:
      return undefined;
  }
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1).replace(/\.$/u, '')}`;
}

function manualOf(command: Command): string {
  return command.parent
    ? `\`contract-sync ${command.name()} --help\` lists what it takes.`
    : '`contract-sync --help` lists the commands.';
}

function unknownOption(flag: string, line: CommandLine): Complaint {
  const name = flag.replace(/^-+/u, '');
  const instead = jobOfGone(line.command.name(), flag);
  if (instead !== undefined) return { message: `${flag} is gone.`, hint: instead };
  const hint =
    name === 'dry-run'
      ? '`contract-sync plan` shows what apply would do, and changes nothing.'
      : suggestOption(name, line);
  return { message: `Unknown option ${quote(flag)}.`, ...(hint !== undefined && { hint }) };
}

/** `--format json` for `--json` and for `-o json`, else the option that is nearest. */
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

/** What the options of other programs are called here. */
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

/** What the commands of other programs are called here. */
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
  const instead = jobOfGone(name);
  if (instead !== undefined) return { message: `The command ${name} is gone.`, hint: instead };
  const names = program.commands.map((each) => each.name());
  const usual = otherCommands.get(name);
  const hint = usual === undefined ? didYouMean(name, names) : `Did you mean "${usual}"?`;
  return { message: `Unknown command ${quote(name)}.`, ...(hint !== undefined && { hint }) };
}

function excessArguments({ command }: CommandLine): Complaint {
  const most = command.registeredArguments.length;
  const surplus = command.args.slice(most);
  const message = `Unexpected argument ${surplus.map(quote).join(', ')}: ${takes(most, command)}.`;
  const chooses = command.options.some(({ long }) => long === '--only');
  const patterns = surplus.map((text) => `--only ${plainWord.test(text) ? text : quote(text)}`);
  return chooses
    ? { message, hint: `To choose contracts, write \`${patterns.join(' ')}\`.` }
    : { message };
}

/** Which no shell reads otherwise. */
const plainWord = /^[\w.\-/]+$/u;

function takes(most: number, command: Command): string {
  if (most === 0) return `${command.name()} takes none`;
  return `${command.name()} takes ${command.registeredArguments.map(nameOf).join(' and ')} alone`;
}

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

/** A word that is none of those that an option or an argument takes. */
function invalidChoice(text: string, { command }: CommandLine): Complaint | undefined {
  const { word = '', flags, name } = invalidWord.exec(text)?.groups ?? {};
  const option = command.options.find((each) => each.flags === flags);
  const argument = command.registeredArguments.find((each) => each.name() === name);
  const choices = option?.argChoices ?? argument?.argChoices;
  if (!choices) return undefined;
  const hint = didYouMean(word, choices);
  return {
    message: `${option?.long ?? `<${name}>`} takes ${oneOf(choices)}, not ${quote(word)}.`,
    ...(hint !== undefined && { hint }),
  };
}

const invalidWord =
  /^(?:option '(?<flags>.+?)' argument|command-argument value) '(?<word>.*)' is invalid(?: for argument '(?<name>[^']+)')?\./su;

function oneOf(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/u, ' or $1');
}
