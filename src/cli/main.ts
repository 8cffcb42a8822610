#!/usr/bin/env node

import { keepCompiled } from './compiled.ts';

const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `contract-sync needs Node ${oldestNode} or newer, and this is ${process.version}.
Install one (npm install --global node@${oldestNode}), or run npx --package node@${oldestNode} --package contract-sync contract-sync. In a clone, run npm start -- instead of contract-sync.\n`,
  );
  process.exitCode = 1;
} else if (['--version', '-V'].includes(process.argv.slice(2).join(' '))) {
  // Scripts ask for nothing else, and often: no command line has to be understood for it.
  const { version } = await import('../version.ts');
  process.stdout.write(`${version}\n`);
} else {
  keepCompiled(process.env);
  const { start } = await import('./start.ts');
  process.exitCode = await start(process.argv.slice(2));
  endProcess();
}

/**
 * As soon as all is written, and what went wrong with that is known. To take down first what the process
 * holds takes 3 ms.
 */
function endProcess(): void {
  const { stdout, stderr } = process;
  stdout.write('', () => stderr.write('', () => setImmediate(() => process.exit())));
}
