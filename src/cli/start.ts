import { runProgram } from './program.ts';
import { createTerminal, type ExitCode, outliveOutput, reportBug } from './terminal.ts';

/** Runs a command line in this process, at its terminal: the exit code. */
export async function start(args: readonly string[]): Promise<ExitCode> {
  const terminal = createTerminal({ colour: !args.includes('--no-color') });
  outliveOutput(terminal);
  // Left to Node, it would pass no redactor.
  process.once('uncaughtException', (error) => {
    reportBug(error, terminal);
    process.exit(1);
  });
  return runProgram(args, terminal);
}
