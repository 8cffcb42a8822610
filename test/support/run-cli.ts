import { built } from './built.ts';
import { run, start } from './process.ts';

const main = await built('cli.js');

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
  return run(process.execPath, [main, ...args], placeIn(world));
}

export function startCli(args: readonly string[], world: CliWorld) {
  return start(process.execPath, [main, ...args], placeIn(world));
}

function placeIn({ folder, environment }: CliWorld) {
  const { PATH, GIT_CEILING_DIRECTORIES } = process.env;
  return { cwd: folder, env: { PATH, GIT_CEILING_DIRECTORIES, ...environment } };
}

/** What has a process of Node run this first. */
export function preloading(code: string) {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
