import { Command, CommanderError, Help, Option } from 'commander';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { version } from '../version.ts';
import type { ApplyFlags } from './apply.ts';
import type { DoctorFlags } from './doctor.ts';
import { exitCode, type ExitCode, type Finish } from './exit.ts';
import {
  describeAuthCommands,
  describeFileCommands,
  pathsHelp,
  withConnectionOptions,
  withSessionOptions,
} from './options.ts';
import type { PlanFlags } from './plan.ts';
import type { SandboxFlags } from './sandbox.ts';
import { hideSecrets, reportBug, reportDiagnostics, type Terminal } from './terminal.ts';

/** Reads the command line and runs the command it names; a command loads only what it needs. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  hideSecrets(terminal);
  let result: ExitCode = exitCode.done;
  const program = describeProgram(terminal, (code) => {
    result = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return result;
  } catch (error) {
    return explainFailure(error, args, terminal);
  }
}

function describeProgram(terminal: Terminal, finish: Finish): Command {
  const program = new Command('contract-sync')
    .description(
      'Data contracts as code: YAML files in git → a reviewed plan → a metadata catalog.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({ optionDescription: describeOption })
    .showSuggestionAfterError()
    // What it quotes of a command line may hold a token.
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.report })
    .exitOverride();
  describePlan(program, terminal, finish);
  describeApply(program, terminal, finish);
  describeFileCommands(program, terminal, finish);
  describeAuthCommands(program, terminal, finish);
  describeDoctor(program, terminal, finish);
  describeSandbox(program, terminal, finish);
  describeDemo(program, terminal, finish);
  return program;
}

/** That a switch is off until it is given goes without saying. */
function describeOption(option: Option): string {
  const { defaultValue, description } = option;
  return defaultValue === false ? description : new Help().optionDescription(option);
}

function describePlan(program: Command, terminal: Terminal, finish: Finish): void {
  const command = program
    .command('plan')
    .description('show what apply would do; sends nothing but GET requests')
    .argument('[paths...]', pathsHelp)
    .option('--out <file>', 'also write the plan as JSON to a file')
    .option('--detailed-exitcode', 'exit with 2 when the plan has changes', false);
  withSessionOptions(command).action(async (paths: string[], flags: PlanFlags) => {
    const { plan } = await import('./plan.ts');
    finish(await plan(paths, flags, terminal));
  });
}

function describeApply(program: Command, terminal: Terminal, finish: Finish): void {
  const command = program
    .command('apply')
    .description('show the plan, ask, and send its patches')
    .argument('[paths...]', pathsHelp)
    .option('--yes', 'do not ask', false)
    .option('--plan <file>', 'apply the plan that `plan --out` wrote, and nothing else')
    .option('--max-failures <number>', 'stop after so many (default: 10 in a row, or no access)')
    .option('--report <file>', 'also write the outcomes as JSON to a file');
  withSessionOptions(command).action(async (paths: string[], flags: ApplyFlags) => {
    const { apply } = await import('./apply.ts');
    finish(await apply(paths, flags, terminal));
  });
}

function describeDoctor(program: Command, terminal: Terminal, finish: Finish): void {
  const command = program
    .command('doctor')
    .description('tell what stands between this machine and a plan; sends nothing but GET requests')
    .addOption(
      new Option('--format <format>', 'how the result is written')
        .choices(['text', 'json'])
        .default('text'),
    );
  withConnectionOptions(command).action(async (flags: DoctorFlags) => {
    const { doctor } = await import('./doctor.ts');
    finish(await doctor(flags, terminal));
  });
}

function describeSandbox(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command('sandbox')
    .description('serve an embedded catalog on this machine, until Ctrl-C')
    .addOption(dialectOption())
    .option('--port <number>', 'the port to listen on; 0 takes any that is free', '8585')
    .option('--seed <file>', 'JSON file with the contracts to start with, unless --data holds some')
    .option('--data <file>', 'SQLite file to keep the contracts in (default: in memory)')
    .option(
      '--token <token>',
      'a further token to accept; a made-up one, the process list shows it',
    )
    .option('--token-file <file>', 'the same from a file, for a token that is a secret')
    .option('--issuer <url>', 'OpenID issuer whose JWTs are accepted too')
    .option('--audience <audience>', 'whom the tokens of the issuer must be for')
    .option('--latency <ms>', 'milliseconds to wait before each answer', '0')
    .action(async (flags: SandboxFlags) => {
      const { sandbox } = await import('./sandbox.ts');
      finish(await sandbox(flags, terminal));
    });
}

function describeDemo(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command('demo')
    .description('plan, apply and plan again, over the bundled example and an embedded catalog')
    .addOption(dialectOption())
    .action(async ({ dialect }: Pick<SandboxFlags, 'dialect'>) => {
      const { demo } = await import('./demo.ts');
      finish(await demo(dialect, terminal));
    });
}

function dialectOption(): Option {
  return new Option('--dialect <dialect>', 'which kind of catalog it behaves as')
    .choices(['documented', 'openmetadata'])
    .default('documented');
}

/** Help and version end by an error too; a mistake in the command line has been explained. */
async function explainFailure(
  error: unknown,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCode.done;
    const { usageErrorDocument } = await import('./usage-error.ts');
    terminal.write(usageErrorDocument(args, error));
    return exitCode.failed;
  }
  if (error instanceof SyncError) reportDiagnostics(toDiagnostics(error), terminal);
  else reportBug(error, terminal);
  return exitCode.failed;
}
