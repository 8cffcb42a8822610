/** Other programs that tests start: none outlives its test, and none holds a stream of vitest. */

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Place = {
  readonly cwd?: string;
  /** All of it; without one the program has that of the tests. */
  readonly env?: NodeJS.ProcessEnv;
};

/** Starts a program; when the test ends, however it ends, it is killed with all that it started. */
export function start(
  program: string,
  args: readonly string[],
  options: Place & { readonly stdio?: 'pipe'[]; readonly timeout?: number } = {},
): ChildProcessWithoutNullStreams {
  // A detached process leads a group, to which its own children belong.
  const settings = { killSignal: 'SIGKILL', ...options, detached: true } as const;
  const child = spawn(program, args, settings);
  onTestFinished(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The whole group has ended.
    }
  });
  return child;
}

/** Runs a program to its end. */
export async function run(
  program: string,
  args: readonly string[],
  { input = '', ...place }: Place & { readonly input?: string } = {},
) {
  const child = start(program, args, place);
  // A program that ends without reading all of it closes the pipe.
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** What a program prints that has to succeed, and is too short to run beside anything else. */
export function outputOf(
  program: string,
  args: readonly string[],
  place: Place & { readonly input?: string } = {},
): string {
  const settings = { stdio: 'pipe', timeout: 50_000, killSignal: 'SIGKILL' } as const;
  return execFileSync(program, args, { ...place, ...settings, encoding: 'utf8' });
}
