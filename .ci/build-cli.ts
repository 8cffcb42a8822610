/** Bundles the command line and the library: `cli.js` and `index.js`, sharing chunks. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type RolldownPluginOption } from 'rolldown';
import { bundleOptions, licencesInto } from './bundle.ts';
import { chunks, lateChunks } from './chunks.ts';
import { compileEarly } from './compile-early.ts';
import { builtinsOnDemand, chunksOnDemand, packageOnDemand } from './on-demand.ts';
import { plainExports } from './plain-exports.ts';
import { withoutUnused } from './unused.ts';

/** `folder` is `dist` but in benchmarks. */
export async function buildCli(folder: string): Promise<void> {
  const licences = licencesInto(join(folder, 'cli.js.LEGAL.txt'));
  const names = await buildChunks(join(folder, 'chunks'), licences);
  await buildMain(folder);
  const library = `import library from './chunks/index.cjs';\nexport const { ${names.join(', ')} } = library;\n`;
  writeFileSync(join(folder, 'index.js'), library);
  await compileEarly(join(folder, 'cli.js'));
}

/** Node takes as long to find and open a file as to compile 50 kB. The first that a module is in has it. */
const groups = [...lateChunks, ...chunks].map((group, rank, { length }) => ({
  ...group,
  priority: length - rank,
}));

const code = { comments: false, minify: true } as const;

/**
 * All but the first file of the command line is CommonJS: of such modules V8 can keep what it has
 * made of them once they have run. What the library exports.
 */
async function buildChunks(
  folder: string,
  licences: RolldownPluginOption,
): Promise<readonly string[]> {
  const yaml = await packageOnDemand('yaml', { ...bundleOptions, plugins: [licences] });
  const { output } = await build({
    ...bundleOptions,
    preserveEntrySignatures: 'allow-extension',
    input: {
      start: 'src/cli/start.ts',
      index: 'src/index.ts',
      'files-worker': 'src/ahead/files-worker.ts',
      'pages-worker': 'src/ahead/pages-worker.ts',
    },
    plugins: [
      builtinsOnDemand(),
      withoutUnused(),
      yaml,
      chunksOnDemand(lateChunks),
      plainExports(),
      licences,
    ],
    output: {
      ...code,
      dir: folder,
      format: 'cjs',
      strict: true,
      exports: 'named',
      codeSplitting: { groups },
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash:6].cjs',
      assetFileNames: '[name]-[hash:6][extname]',
    },
  });
  const library = output.find((part) => part.type === 'chunk' && part.fileName === 'index.cjs');
  return library?.type === 'chunk' ? library.exports : [];
}

/** What runs first, on any Node: it says which one is needed. */
async function buildMain(folder: string): Promise<void> {
  await build({
    ...bundleOptions,
    input: { cli: 'src/cli/main.ts' },
    external: ['./start.ts'],
    output: { ...code, dir: folder, format: 'esm', codeSplitting: false },
  });
  chmodSync(join(folder, 'cli.js'), 0o755);
}
