import process from 'node:process';
import { exitCode } from './exit.ts';
import { reportDiagnostics, type Terminal } from './terminal.ts';

/**
 * Lets a run outlive its output: between two patches it must not end because nobody reads on. A
 * reader that went (`| head`) has what it wanted; anything else fails the run when it is over.
 */
export function outliveOutput(terminal: Terminal): void {
  // Where nobody can be told of it, nothing is left to do.
  process.stderr.on('error', () => undefined);
  let told = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (told || error.code === 'EPIPE') return;
    told = true;
    reportDiagnostics([lostOutput(error)], terminal);
    process.once('exit', () => {
      process.exitCode = exitCode.failed;
    });
  });
}

function lostOutput({ message }: Error) {
  return {
    code: 'output-lost',
    severity: 'error',
    message: `Standard output cannot be written: ${message}.`,
    hint: 'What the command did is done: an apply that is run again sends nothing twice.',
  } as const;
}
