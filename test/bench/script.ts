import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtCli } from './built-cli.ts';
import { servePages } from './children.ts';
import type { Limit } from './limit.ts';
import { makeContracts } from './live-contracts.ts';

const python = 'python3';
const script = join(import.meta.dirname, 'script.py');

/** How fast Python is varies by machine, so that the ratios have no limits. */
const cases = [
  { live: 60, files: 60, rounds: 11 },
  { live: 1000, files: 1000, rounds: 11 },
  { live: 10_000, files: 2000, rounds: 3 },
] as const;

/** Prints how long a plan takes beside a script that does its reading and diffing, in turns. */
export async function run(): Promise<readonly Limit[]> {
  if (spawnSync(python, ['-c', 'import requests, yaml, jsonpatch']).status !== 0) {
    console.log('Skipped: needs python3 with requests, PyYAML and jsonpatch.');
    return [];
  }
  const cli = builtCli();
  console.log('| work | plan: least, median | script: least, median | script ÷ plan (median) |');
  console.log('|---|---|---|---|');
  for (const { live, files, rounds } of cases) {
    const folder = makeContracts({ files, size: 'long', every: live / files });
    const server = await servePages(live);
    const env = { ...process.env, CONTRACT_SYNC_URL: server.url, CONTRACT_SYNC_TOKEN: 'token' };
    const time = (program: string, args: readonly string[]): number => {
      const start = performance.now();
      const { status } = spawnSync(program, args, { cwd: folder, env });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}.`);
      return performance.now() - start;
    };
    const plans: number[] = [];
    const scripts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      plans.push(time(process.execPath, [cli.path, 'plan', '--quiet']));
      scripts.push(time(python, [script, 'contracts']));
    }
    const ratio = (middle(scripts) / middle(plans)).toFixed(2);
    const cells = [plans, scripts].map(
      (times) => `${Math.round(Math.min(...times))} ms, ${Math.round(middle(times))} ms`,
    );
    console.log(`| ${files} over ${live} | ${cells.join(' | ')} | ${ratio} |`);
    server.close();
    rmSync(folder, { recursive: true });
  }
  cli.remove();
  return [];
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
