/** Bundles the command line and the library: `cli.js` and `index.js`, sharing chunks. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type RolldownPluginOption } from 'rolldown';
import { bundleOptions, licencesInto } from './bundle.ts';

const code = { comments: false, minify: true } as const;

/** `folder` is `dist` outside of tests and benchmarks. */
export async function buildCli(folder: string): Promise<void> {
  const licences = licencesInto(join(folder, 'cli.js.LEGAL.txt'));
  const names = await buildChunks(join(folder, 'chunks'), licences);
  await buildMain(folder);
  const library = `import library from './chunks/index.cjs';\nexport const { ${names.join(', ')} } = library;\n`;
  writeFileSync(join(folder, 'index.js'), library);
}

// CommonJS starts faster than ES modules of the same code. Returns the library's exports.
async function buildChunks(
  folder: string,
  licences: RolldownPluginOption,
): Promise<readonly string[]> {
  const { output } = await build({
    ...bundleOptions,
    preserveEntrySignatures: 'allow-extension',
    input: { start: 'src/cli/program.ts', index: 'src/index.ts' },
    plugins: [licences],
    output: {
      ...code,
      dir: folder,
      format: 'cjs',
      strict: true,
      exports: 'named',
      codeSplitting: { groups },
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash:6].cjs',
    },
  });
  const library = output.find((part) => part.type === 'chunk' && part.fileName === 'index.cjs');
  return library?.type === 'chunk' ? library.exports : [];
}

// Node takes as long to open a file as to compile 50 kB: what is loaded together is one file.
const groups = [
  {
    name: 'yaml',
    test: /\/node_modules\/yaml\/.*\/(?:compose|public-api|parse\/(?:parser|cst-))/,
    includeDependenciesRecursively: false,
  },
  { name: 'core', test: /\/src\/core\// },
  { name: 'start', test: /\/src\/cli\/program\.ts/ },
  { name: 'validate', test: /\/src\/cli\/validate\.ts/ },
  { name: 'plan', test: /\/src\/cli\/plan\.ts/ },
].map((group, rank, { length }) => ({ ...group, priority: length - rank }));

// Must start on any Node version, to say which one is needed.
async function buildMain(folder: string): Promise<void> {
  await build({
    ...bundleOptions,
    input: { cli: 'src/cli/main.ts' },
    external: ['./program.ts'],
    output: { ...code, dir: folder, format: 'esm', codeSplitting: false },
  });
  chmodSync(join(folder, 'cli.js'), 0o755);
}
