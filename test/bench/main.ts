/**
 * `npm run bench`, or `npm run bench -- plan`: each benchmark prints Markdown. With `--write` its part
 * of the README beside this file is replaced by that, and by what machine it was.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const benchmarks: Readonly<
  Record<string, () => Promise<{ readonly run: () => void | Promise<void> }>>
> = {
  start: () => import('./start.ts'),
  plan: () => import('./plan.ts'),
  validate: () => import('./validate.ts'),
  apply: () => import('./apply.ts'),
  patch: () => import('./patch.ts'),
  pull: () => import('./pull.ts'),
  action: () => import('./action.ts'),
  history: () => import('./history.ts'),
  blame: () => import('./blame.ts'),
  throttle: () => import('./throttle.ts'),
  script: () => import('./script.ts'),
  'yaml-edits': () => import('./yaml-edits.ts'),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
for (const name of names) {
  const load = benchmarks[name];
  if (!load) {
    console.error(
      `There is no benchmark "${name}". There are: ${Object.keys(benchmarks).join(', ')}.`,
    );
    process.exitCode = 1;
  } else if (values.write) {
    await write(name);
  } else {
    const { run } = await load();
    await run();
  }
}

/** Runs it in a process of its own, for what it prints. */
async function write(name: string): Promise<void> {
  const before = describeMachine();
  const child = spawn(process.execPath, [import.meta.filename, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  console.log(printed);
  if (code !== 0) throw new Error(`The benchmark "${name}" ended with ${String(code)}.`);
  const readme = join(import.meta.dirname, 'README.md');
  const part = new RegExp(`(?<=<!-- ${name} -->\n).*?(?=<!-- end -->)`, 'su');
  const measured = `${before}\n\n${printed.trim()}\n\n`;
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replace(part, () => measured),
  );
}

function describeMachine(): string {
  const day = new Date().toISOString().slice(0, 10);
  const model = cpus()[0]?.model.trim() || 'unknown';
  const load = loadavg()[0]?.toFixed(1);
  return `${day}, Node ${process.version}, ${availableParallelism()} cores (${model}), load ${load} at the start:`;
}
