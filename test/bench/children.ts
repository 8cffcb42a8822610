import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export type PageServer = { readonly url: string; readonly close: () => void };

/** Serves so many contracts from a process of its own, each answer so many milliseconds late. */
export async function servePages(contracts: number, latencyMs = 0): Promise<PageServer> {
  const server = fork(program('page-server.ts'), [String(contracts), String(latencyMs)]);
  const [url] = (await once(server, 'message')) as [string];
  return { url, close: () => void server.kill() };
}

export type Usage = {
  /** From the start of the process to its end. */
  readonly milliseconds: number;
  readonly peakMb: number;
};

/** Runs a program to its end, and tells what the process took. */
export async function measure(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<Usage & { readonly stdout: string }> {
  const child = spawn(process.execPath, ['--import', program('report-usage.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [stdout, told, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stdio[3] as Readable),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${stdout}`);
  const { milliseconds, peakMb }: Usage = JSON.parse(told);
  return { milliseconds, peakMb, stdout };
}

export function program(name: string): string {
  return join(import.meta.dirname, name);
}
