import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createRedactor } from '../src/auth/redact.ts';
import { runProgram } from '../src/cli/program.ts';
import { plain } from '../src/render/palette.ts';

const main = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts');

export type CliRun = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type CliWorld = {
  readonly folder: string;
  /** All that the process's environment holds, PATH apart. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** Runs the command line as a process of its own, with nothing on standard input. */
export async function runCli(args: readonly string[], world: CliWorld): Promise<CliRun> {
  const child = startCli(args, world);
  child.stdin.end();
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    }),
  ]);
  return { code, stdout, stderr };
}

/** The same in this process: where the process is not what is tested, it costs a tenth. */
export async function runHere(args: readonly string[], world: CliWorld): Promise<CliRun> {
  const written: string[] = [];
  const reported: string[] = [];
  const code = await runProgram(args, {
    write: (text) => void written.push(text),
    report: (text) => void reported.push(text),
    live: false,
    ask: undefined,
    environment: world.environment ?? {},
    folder: world.folder,
    palettes: { write: plain, report: plain },
    interruption: () => new AbortController().signal,
    redactor: createRedactor(),
  });
  return { code, stdout: written.join(''), stderr: reported.join('') };
}

export function startCli(args: readonly string[], { folder, environment = {} }: CliWorld) {
  return spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: 'pipe',
  });
}
