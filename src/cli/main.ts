#!/usr/bin/env node

import { version } from '../version.ts';
import { compiledFile } from './compiled.ts';
import { createModules, type Modules } from './modules.ts';
import type { start } from './start.ts';

const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `contract-sync needs Node ${oldestNode} or newer, and this is ${process.version}.
Install one (npm install --global node@${oldestNode}), or run npx --package node@${oldestNode} --package contract-sync contract-sync. In a clone, run npm start -- instead of contract-sync.\n`,
  );
  process.exitCode = 1;
} else if (['--version', '-V'].includes(process.argv.slice(2).join(' '))) {
  // Scripts ask for nothing else, and often: no command line has to be understood for it.
  process.stdout.write(`${version}\n`);
} else {
  const args = process.argv.slice(2);
  const modules = createModules(compiledFile(process.env, args[0] ?? ''));
  const program = await loadProgram(modules);
  process.exitCode = await program.start(args);
  endProcess(modules);
}

type Program = { readonly start: typeof start };

/** A clone is run by Node as it is; a build has all but this file as CommonJS. */
async function loadProgram({ load }: Modules): Promise<Program> {
  if (import.meta.url.endsWith('.ts')) return import('./start.ts');
  return load(`${import.meta.dirname}/chunks/start.cjs`);
}

/**
 * As soon as all is written, and what went wrong with that is known. To take down first what the process
 * holds takes 3 ms.
 */
function endProcess({ keep }: Modules): void {
  const { stdout, stderr } = process;
  stdout.write('', () =>
    stderr.write('', () =>
      setImmediate(() => {
        // A command that failed has called little of what it is made of.
        if (process.exitCode !== 1) keep();
        process.exit();
      }),
    ),
  );
}
