/** Bundles the command line and the library: `cli.js` and `index.js`, sharing chunks. */

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { bundleOptions, licencesInto } from './bundle.ts';

/** `folder` is `dist` but in benchmarks. */
export async function buildCli(folder: string): Promise<void> {
  await build({
    ...bundleOptions,
    input: {
      cli: 'src/cli/main.ts',
      index: 'src/index.ts',
      'files-worker': 'src/ahead/files-worker.ts',
      'pages-worker': 'src/ahead/pages-worker.ts',
    },
    plugins: [licencesInto(join(folder, 'cli.js.LEGAL.txt'))],
    output: {
      dir: folder,
      format: 'esm',
      minify: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
  });
  chmodSync(join(folder, 'cli.js'), 0o755);
}
