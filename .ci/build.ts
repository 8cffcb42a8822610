/**
 * Bundles the sources: `dist/cli.js` and `dist/index.js`, sharing chunks, with declarations, and
 * `dist/action.js`, alone, which is committed.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { buildAction } from './build-action.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

for (const output of ['cli.js', 'index.js', 'chunks', 'types']) {
  rmSync(join(dist, output), { recursive: true, force: true });
}

await build({
  cwd: root,
  input: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
  platform: 'node',
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
