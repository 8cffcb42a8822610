import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

const main = join(inject('bundles'), 'cli.js');

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

export function startCli(args: readonly string[], { folder, environment = {} }: CliWorld) {
  return spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      GIT_CEILING_DIRECTORIES: process.env['GIT_CEILING_DIRECTORIES'],
      ...environment,
    },
    stdio: 'pipe',
  });
}

/** What has a process of Node run this first. */
export function preloading(code: string) {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
