/**
 * Bundles the GitHub Action: a first file, which says at once what runs, and beside it the parts that
 * are loaded when they are needed. The same bytes from the same sources; licences beside them.
 */

import { basename, dirname, join } from 'node:path';
import { build } from 'rolldown';
import { bundleOptions, licencesInto, root } from './bundle.ts';

/** `file` is `dist/action.js` but in tests. */
export async function buildAction(file: string): Promise<void> {
  const licences = licencesInto(`${file}.LEGAL.txt`);
  await build({
    ...bundleOptions,
    input: 'src/action/main.ts',
    resolve: {
      ...bundleOptions.resolve,
      alias: { ...bundleOptions.resolve?.alias, undici: join(root, '.ci', 'no-undici.ts') },
    },
    // Names of files would make the bytes depend on where the packages are.
    experimental: { attachDebugInfo: 'none' },
    plugins: [licences],
    output: {
      dir: dirname(file),
      entryFileNames: basename(file),
      format: 'esm',
      // No hashes: a part keeps its name as long as it is there.
      chunkFileNames: 'action/[name].js',
      assetFileNames: 'action/[name][extname]',
      comments: false,
      minify: true,
    },
  });
}
