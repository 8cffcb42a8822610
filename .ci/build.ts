/**
 * Bundles the sources: `dist/cli.js` and `dist/index.js`, sharing chunks, with declarations, and
 * `dist/action.js`, alone, which is committed.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { bundleOptions, root } from './bundle.ts';
import { buildAction } from './build-action.ts';

const dist = join(root, 'dist');

for (const output of ['cli.js', 'index.js', 'read-worker.js', 'chunks', 'types']) {
  rmSync(join(dist, output), { recursive: true, force: true });
}

await build({
  ...bundleOptions,
  input: {
    cli: 'src/cli/main.ts',
    index: 'src/index.ts',
    'read-worker': 'src/files/read-worker.ts',
  },
  output: {
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});
chmodSync(join(dist, 'cli.js'), 0o755);
await buildAction(join(dist, 'action.js'));

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, '.ci', 'tsconfig.types.json')], {
  stdio: 'inherit',
});
