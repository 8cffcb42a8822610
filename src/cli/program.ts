import { CommanderError } from 'commander';
import { findRoot } from '../config/root.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import { describeProgram, type RunCommand } from './manual.ts';
import { findSecretFlag } from './secret-flag.ts';
import {
  exitCode,
  type ExitCode,
  hideSecrets,
  reportBug,
  reportDiagnostics,
  type Terminal,
} from './terminal.ts';

/** Reads the command line and runs the command it names; a command loads only what it needs. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  hideSecrets(terminal);
  const secretFlag = findSecretFlag(args);
  if (secretFlag) return refuseCommandLine(secretFlag, args, terminal);
  let code: ExitCode = exitCode.done;
  let standing = terminal;
  const run: RunCommand =
    (load) =>
    async (...given) => {
      const command = await load();
      code = await command(standing, ...given);
    };
  const program = describeProgram(terminal, run, args[0]);
  program.hook('preAction', (_program, command) => {
    const isConfigured = command.options.some(({ long }) => long === '--config');
    if (!isConfigured) return;
    standing = { ...terminal, root: findRoot(terminal.folder, command.opts()['config']) };
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return explainFailure(error, standing);
    // Help and version end by an error too.
    if (error.exitCode === 0) return exitCode.done;
    if (error.code === 'commander.help') return exitCode.failed;
    const { describeMistake } = await import('./mistake.ts');
    return refuseCommandLine(describeMistake(error, program, args), args, terminal);
  }
}

async function refuseCommandLine(
  problem: Diagnostic,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { errorDocument } = await import('./usage-error.ts');
  reportDiagnostics([problem], terminal);
  terminal.write(errorDocument(args, problem), 'json');
  return exitCode.failed;
}

function explainFailure(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof SyncError) reportDiagnostics(toDiagnostics(error), terminal);
  else reportBug(error, terminal);
  return exitCode.failed;
}
