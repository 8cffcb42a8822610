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
  /** Of the processor, for the process and for the system on its behalf. */
  readonly cpuMs: number;
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
    // All have a home. In this one not even root can keep anything.
    env: { PATH: process.env['PATH'], HOME: '/dev/null', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [stdout, told, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stdio[3] as Readable),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${stdout}`);
  const usage: Usage = JSON.parse(told);
  return { ...usage, stdout };
}

/** A program and what it is held against; both run in the same folder and environment. */
export type Contest = {
  readonly program: readonly string[];
  readonly against: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** What both took: medians, but the largest memory. */
export type Comparison = {
  readonly program: Usage;
  readonly against: Usage;
  /** How many times as much the program took, by the clock and of the processor. */
  readonly time: number;
  readonly cpu: number;
};

/** Both in turns, for other work slows both down alike: ratios are taken round by round. */
export async function compare(
  { program: first, against: second, folder, environment = {} }: Contest,
  rounds: number,
): Promise<Comparison> {
  const pairs: { readonly own: Usage; readonly other: Usage }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const other = await measure(second, environment, folder);
    pairs.push({ own: await measure(first, environment, folder), other });
  }
  return {
    program: summarize(pairs.map(({ own }) => own)),
    against: summarize(pairs.map(({ other }) => other)),
    time: median(pairs.map(({ own, other }) => own.milliseconds / other.milliseconds)),
    cpu: median(pairs.map(({ own, other }) => own.cpuMs / other.cpuMs)),
  };
}

function summarize(usages: readonly Usage[]): Usage {
  return {
    milliseconds: median(usages.map(({ milliseconds }) => milliseconds)),
    cpuMs: median(usages.map(({ cpuMs }) => cpuMs)),
    peakMb: Math.max(...usages.map(({ peakMb }) => peakMb)),
  };
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** The row of a table: what was done, what it took against the other, and what it may take. */
export function row(work: string, { program: own, ...ratios }: Comparison, limit: Limit): string {
  const cells = [
    work,
    seconds(own),
    seconds(ratios.against),
    `${ratios.time.toFixed(2)}${limit.time === undefined ? '' : ` (limit ${limit.time})`}`,
    ratios.cpu.toFixed(2),
    `${Math.round(own.peakMb)} MB${limit.peakMb === undefined ? '' : ` (limit ${limit.peakMb})`}`,
    `${Math.round(ratios.against.peakMb)} MB`,
  ];
  return `| ${cells.join(' | ')} |`;
}

type Limit = { readonly time?: number; readonly peakMb?: number };

export const tableHead = `| work | takes | the other | time against it | processor against it | memory | of the other |
|---|---|---|---|---|---|---|`;

function seconds({ milliseconds }: Usage): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

export function program(name: string): string {
  return join(import.meta.dirname, name);
}
