import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { built } from '../support/built.ts';
import { start } from '../support/process.ts';
import type { CliRun, CliWorld } from '../support/run-cli.ts';

/** What a command line came to, and what its process took. */
export type MeasuredRun = CliRun & {
  /** Of work, however busy the machine is with others. */
  readonly seconds: number;
  readonly peakMegabytes: number;
};

/** Runs the command line as a process of its own, and ends it after so many seconds. */
export async function runMeasured(
  args: readonly string[],
  { folder, environment = {} }: CliWorld,
  mostSeconds = 50,
): Promise<MeasuredRun> {
  const main = await built('cli.js');
  const reporter = join(import.meta.dirname, '../bench/report-usage.js');
  const child = start(process.execPath, ['--import', reporter, main, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    timeout: mostSeconds * 1000,
  });
  child.stdin.end();
  const [stdout, stderr, usage, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    text(child.stdio[3] as Readable),
    once(child, 'close'),
  ]);
  // One that was killed tells nothing.
  const { cpuMs, peakMb } = JSON.parse(usage || '{}');
  return {
    code,
    stdout,
    stderr,
    seconds: (cpuMs ?? Infinity) / 1000,
    peakMegabytes: peakMb ?? Infinity,
  };
}
