/** Bundles the command line and the library: `cli.js` and `index.js`, sharing chunks. */

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { bundleOptions, licencesInto } from './bundle.ts';
import { builtinsOnDemand, packageOnDemand } from './on-demand.ts';
import { withoutUnused } from './unused.ts';

/** `folder` is `dist` but in benchmarks. */
export async function buildCli(folder: string): Promise<void> {
  const licences = licencesInto(join(folder, 'cli.js.LEGAL.txt'));
  const yaml = await packageOnDemand('yaml', { ...bundleOptions, plugins: [licences] });
  await build({
    ...bundleOptions,
    input: {
      cli: 'src/cli/main.ts',
      index: 'src/index.ts',
      'files-worker': 'src/ahead/files-worker.ts',
      'pages-worker': 'src/ahead/pages-worker.ts',
    },
    plugins: [builtinsOnDemand(), withoutUnused(), yaml, licences],
    output: {
      dir: folder,
      format: 'esm',
      comments: false,
      minify: true,
      codeSplitting: { groups: chunks },
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      assetFileNames: 'chunks/[name]-[hash][extname]',
    },
  });
  chmodSync(join(folder, 'cli.js'), 0o755);
}

/**
 * What is loaded together stands together, with all that it imports: Node takes as long to find and
 * open a file as to compile 50 kB. The first group that a module is in has it; threads load those of
 * their own work alone.
 */
const chunks = [
  { name: 'core', test: /src\/core\/|builtin:/u },
  { name: 'start', test: /src\/cli\/start\.ts$/u },
  { name: 'heads', test: /src\/ahead\/heads\.ts$/u },
  { name: 'reading', test: /src\/ahead\/files\.ts$/u },
  { name: 'validate', test: /src\/cli\/validate\.ts$/u },
  { name: 'plan', test: /src\/cli\/plan\.ts$/u },
].map((group, rank, { length }) => ({ ...group, priority: length - rank }));
