#!/usr/bin/env node

import { version } from '../version.ts';
import type { start } from './program.ts';

const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `contract-sync needs Node ${oldestNode} or newer, and this is ${process.version}.
Install one (npm install --global node@${oldestNode}), or run npx --package node@${oldestNode} --package contract-sync contract-sync. In a clone, run npm --silent start -- instead of contract-sync.\n`,
  );
  process.exitCode = 1;
} else if (['--version', '-V'].includes(process.argv.slice(2).join(' '))) {
  // Scripts call this often: the command line need not be parsed for it.
  process.stdout.write(`${version}\n`);
} else {
  keepCompiledCode();
  // A clone runs the sources. An `import` would search the CommonJS module for its exports.
  const { createRequire } = process.getBuiltinModule('node:module');
  const program: { readonly start: typeof start } = import.meta.url.endsWith('.ts')
    ? await import('./program.ts')
    : createRequire(import.meta.url)('./chunks/start.cjs');
  // Pages of a list soon are garbage: a young generation that V8 lets grow no further saves a fifth
  // of the memory.
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
  process.exitCode = await program.start(process.argv.slice(2));
}

// In the user's folder, since the cache is run: others can write to the temporary one.
function keepCompiledCode(): void {
  const { XDG_CACHE_HOME } = process.env;
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const { homedir } = process.getBuiltinModule('node:os');
  try {
    const cache = XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : `${homedir()}/.cache`;
    enableCompileCache(`${cache}/contract-sync-code`);
  } catch {
    // Only speed depends on it.
  }
}
