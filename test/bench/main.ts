/**
 * `npm run bench`, or `npm run bench -- plan`: each benchmark prints Markdown and, at its end, which
 * limits hold; exits with 1 where one doesn't. With `--write` its part of the README beside this file
 * is replaced by that, and by what machine it was.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { isMissed, type Limit, verdictOf } from './limit.ts';

type Benchmark = { readonly run: () => readonly Limit[] | Promise<readonly Limit[]> };

const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  start: () => import('./start.ts'),
  plan: () => import('./plan.ts'),
  validate: () => import('./validate.ts'),
  apply: () => import('./apply.ts'),
  patch: () => import('./patch.ts'),
  pull: () => import('./pull.ts'),
  action: () => import('./action.ts'),
  script: () => import('./script.ts'),
  'yaml-edits': () => import('./yaml-edits.ts'),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const [first = ''] = names;
if (names.length === 1 && !values.write) await run(first);
else for (const name of names) await runApart(name);

async function run(name: string): Promise<void> {
  const load = benchmarks[name];
  if (!load) {
    const known = Object.keys(benchmarks).join(', ');
    console.error(`There is no benchmark "${name}". There are: ${known}.`);
    process.exitCode = 1;
    return;
  }
  const limits = await (await load()).run();
  console.log(`\n${verdictOf(limits)}`);
  if (limits.some(isMissed)) process.exitCode = 1;
}

/** In a process of its own: Linux counts the memory of a parent as that of each child. */
async function runApart(name: string): Promise<void> {
  const before = describeMachine();
  const started = performance.now();
  const child = spawn(process.execPath, [import.meta.filename, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`## ${name} (${seconds} s)\n\n${printed}`);
  if (code !== 0) process.exitCode = 1;
  if (values.write && printed !== '') write(name, `${before}\n\n${printed.trim()}`);
}

function write(name: string, measured: string): void {
  const readme = join(import.meta.dirname, 'README.md');
  const part = new RegExp(`(?<=<!-- ${name} -->\n).*?(?=<!-- end -->)`, 'su');
  const page = readFileSync(readme, 'utf8');
  writeFileSync(
    readme,
    page.replace(part, () => `${measured}\n\n`),
  );
}

function describeMachine(): string {
  const day = new Date().toISOString().slice(0, 10);
  const model = cpus()[0]?.model.trim() || 'unknown';
  const load = loadavg()[0]?.toFixed(1);
  return `${day}, Node ${process.version}, ${availableParallelism()} cores (${model}), load ${load} at the start:`;
}
