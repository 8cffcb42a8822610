/**
 * Bundles the sources: `dist/cli.js` and `dist/index.js`, sharing chunks, with the declarations of
 * the library, and `dist/action.js` with its own parts in `dist/action/`, which are committed. With
 * the argument `action`, these alone.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildAction } from './build-action.ts';
import { buildCli } from './build-cli.ts';
import { buildTypes } from './build-types.ts';
import { root } from './bundle.ts';
import { generateAll } from './generate.ts';

const dist = join(root, 'dist');

for (const output of ['cli.js', 'cli.js.LEGAL.txt', 'index.js', 'index.d.ts', 'chunks', 'action']) {
  rmSync(join(dist, output), { recursive: true, force: true });
}

generateAll();
await buildAction(join(dist, 'action.js'));
if (process.argv[2] !== 'action') {
  await buildCli(dist);
  await buildTypes(dist);
}
