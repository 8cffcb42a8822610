import { Command, CommanderError, Option } from 'commander';
import { findRoot } from '../config/file.ts';
import { type Diagnostic, SyncError, toDiagnostics } from '../core/diagnostic.ts';
import { version } from '../version.ts';
import { defaults, type Flag, type Flags } from './flags.ts';
import { type Described, groups } from './manual.ts';
import {
  createTerminal,
  exitCode,
  type ExitCode,
  outliveOutput,
  reportBug,
  reportDiagnostics,
  secretsIn,
  type Terminal,
} from './terminal.ts';

export async function start(args: readonly string[]): Promise<ExitCode> {
  const terminal = await answeringWhenInterrupted(
    args,
    createTerminal({ colour: !args.includes('--no-color') }),
  );
  outliveOutput(terminal);
  // Node would print it unredacted.
  process.once('uncaughtException', (error) => {
    reportBug(error, terminal);
    process.exit(1);
  });
  return runProgram(args, terminal);
}

// A program that asked for JSON gets its document when Ctrl-C ends the run, too.
async function answeringWhenInterrupted(args: readonly string[], terminal: Terminal) {
  if (!args.join(' ').includes('json')) return terminal;
  const { errorDocument } = await import('./mistake.ts');
  const document = errorDocument(args, interrupted);
  const endWith: Terminal['endWith'] = (words) =>
    terminal.endWith(() => {
      words();
      terminal.write(document, 'json');
    });
  return { ...terminal, endWith };
}

const interrupted: Diagnostic = {
  code: 'interrupted',
  severity: 'error',
  message: 'The run was interrupted before it had a result.',
};

export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  for (const secret of secretsIn(terminal)) terminal.redactor.hide(secret);
  const secretFlag = findSecretFlag(args);
  if (secretFlag) return refuseCommandLine(secretFlag, args, terminal);
  if (terminal.folder === '') return refuseCommandLine(noFolder, args, terminal);
  let code: ExitCode = exitCode.done;
  let located = terminal;
  const perform: Perform = async (load, ...given) => {
    const command = await load();
    code = await command(located, ...given);
  };
  const program = describeProgram(terminal, perform, args[0]);
  program.hook('preAction', (_program, command) => {
    const isConfigured = command.options.some(({ long }) => long === '--config');
    if (!isConfigured) return;
    located = { ...terminal, root: findRoot(terminal.folder, command.opts()['config']) };
  });
  try {
    refuseUnknownTopic(args, program);
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      if (error instanceof SyncError) reportDiagnostics(toDiagnostics(error), located);
      else reportBug(error, located);
      return exitCode.failed;
    }
    // Help and version end by an error too.
    if (error.exitCode === 0) return exitCode.done;
    if (error.code === 'commander.help') return exitCode.failed;
    const { describeMistake } = await import('./mistake.ts');
    return refuseCommandLine(describeMistake(error, program), args, terminal);
  }
}

const noFolder: Diagnostic = {
  code: 'no-folder',
  severity: 'error',
  message: "The working directory doesn't exist any more, or can't be read.",
  hint: 'Go to a folder that exists (cd), and run the command again.',
};

async function refuseCommandLine(problem: Diagnostic, args: readonly string[], terminal: Terminal) {
  const { errorDocument } = await import('./mistake.ts');
  reportDiagnostics([problem], terminal);
  terminal.write(errorDocument(args, problem), 'json');
  return exitCode.failed;
}

function refuseUnknownTopic([first, topic = '']: readonly string[], { commands }: Command): void {
  const isKnown = commands.some((command) => command.name() === topic);
  if (first === 'help' && /^\w/u.test(topic) && !isKnown)
    throw new CommanderError(1, 'commander.unknownCommand', `unknown command '${topic}'`);
}

// A secret is looked for before a parser quotes it: the process list and the shell's history have
// it already. A flag that names a file with a secret is fine.
function findSecretFlag(args: readonly string[]): Diagnostic | undefined {
  // The sandbox takes a made-up token.
  if (args[0] === 'sandbox') return undefined;
  const end = args.indexOf('--');
  const name = args
    .slice(0, end === -1 ? args.length : end)
    .map((argument) => anyFlag.exec(argument)?.groups?.['name']?.toLowerCase() ?? '')
    .find((flag) => secretFlag.test(flag) && flag !== 'token-file');
  if (name === undefined) return undefined;
  return {
    code: 'secret-in-flag',
    severity: 'error',
    message: "A flag can't hold a secret: others can read it.",
    hint: 'Set CONTRACT_SYNC_TOKEN, CONTRACT_SYNC_CLIENT_SECRET or CONTRACT_SYNC_PRIVATE_KEY, or name a file that holds the token with --token-file. Replace a secret that is in use.',
  };
}

// `token` for `--token=…`, also with one dash, of any length, or none.
const anyFlag = /^(?:[-\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]+|(?=\w+=))(?<name>[^=:\s/]+)/u;
const secretFlag = /token|secret|password|bearer|jwt|key|credential|^auth/u;

type Perform = (
  load: Described['load'],
  flags: Flags,
  operands: readonly string[],
) => Promise<void>;

type Channels = {
  readonly write: (text: string) => void;
  readonly report: (text: string) => void;
};

// Describes the named command alone: all of them take longer than many a command runs.
export function describeProgram(
  { write, report }: Channels,
  perform: Perform,
  wanted?: string,
): Command {
  const program = new Command('contract-sync')
    .description(
      'Data contracts as code: YAML files in git → a reviewed plan → a metadata catalog.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureOutput({ writeOut: write, writeErr: report, outputError: () => undefined })
    .exitOverride();
  const names = Object.values(groups).flatMap(Object.keys);
  const one = names.find((name) => name === wanted);
  for (const [title, commands] of Object.entries(groups)) {
    program.commandsGroup(title);
    for (const [name, { says, operands = [], flags = [], load }] of Object.entries(commands)) {
      if (name !== (one ?? name)) continue;
      const command = program.command(name).description(says);
      for (const operand of operands) command.addArgument(operand);
      for (const flag of flags) command.addOption(toOption(flag));
      command.action(async () => {
        const given = { ...defaults, ...command.opts<Partial<Flags>>() };
        return perform(load, given, command.args);
      });
    }
  }
  return program.helpCommand('help [command]', 'print help for a command');
}

function toOption({ spelling, help, choices, isList, read, ...flag }: Flag): Option {
  const option = new Option(spelling, help);
  if (flag.initial !== undefined) option.default(flag.initial);
  if (flag.group !== undefined) option.helpGroup(flag.group);
  if (isList)
    option.argParser((text, earlier: readonly string[] | undefined) => [...(earlier ?? []), text]);
  if (choices) option.choices(choices);
  else if (read && option.required) option.argParser(read);
  return option;
}
