/**
 * Bundles the GitHub Action: a small first file, the parts that it loads on demand, and licences.
 * The same sources give the same bytes.
 */

import { basename, dirname, join } from 'node:path';
import { build } from 'rolldown';
import { bundleOptions, licencesInto, root } from './bundle.ts';

/** `file` is `dist/action.js` outside of tests. */
export async function buildAction(file: string): Promise<void> {
  const licences = licencesInto(`${file}.LEGAL.txt`);
  await build({
    ...bundleOptions,
    input: 'src/action/main.ts',
    resolve: {
      ...bundleOptions.resolve,
      alias: { ...bundleOptions.resolve?.alias, undici: join(root, '.ci', 'no-undici.ts') },
    },
    // File names would make the bytes depend on the location of packages.
    experimental: { attachDebugInfo: 'none' },
    plugins: [licences],
    output: {
      dir: dirname(file),
      entryFileNames: basename(file),
      format: 'esm',
      // No hashes, so that parts keep their names.
      chunkFileNames: 'action/[name].js',
      assetFileNames: 'action/[name][extname]',
      comments: false,
      minify: true,
    },
  });
}
