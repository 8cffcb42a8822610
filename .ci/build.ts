/**
 * Bundles the sources: `dist/cli.js` and `dist/index.js`, sharing chunks, with declarations, and
 * `dist/action.js` with its own parts in `dist/action/`, which are committed.
 */

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildAction } from './build-action.ts';
import { buildCli } from './build-cli.ts';
import { root } from './bundle.ts';
import { generateAll } from './generate.ts';

const dist = join(root, 'dist');

for (const output of [
  'cli.js',
  'cli.js.LEGAL.txt',
  'index.js',
  'files-worker.js',
  'pages-worker.js',
  'chunks',
  'types',
  'action',
]) {
  rmSync(join(dist, output), { recursive: true, force: true });
}

generateAll();
await buildCli(dist);
await buildAction(join(dist, 'action.js'));

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, '.ci', 'tsconfig.types.json')], {
  stdio: 'inherit',
});
