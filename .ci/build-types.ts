/** Writes the declarations of the library as one file. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { root } from './bundle.ts';

/** `folder` is `dist`. What the library does not export is in the file as well, but not for import. */
export async function buildTypes(folder: string): Promise<void> {
  const declarations = mkdtempSync(join(tmpdir(), 'contract-sync-types-'));
  try {
    execFileSync(process.execPath, [tsc(), '-p', config, '--outDir', declarations], {
      stdio: 'inherit',
    });
    await build({
      cwd: root,
      input: { index: join(declarations, 'index.d.ts') },
      plugins: [dts({ dtsInput: true, tsconfig: false })],
      output: { dir: folder, format: 'esm', entryFileNames: '[name].ts' },
    });
  } finally {
    rmSync(declarations, { recursive: true });
  }
}

const config = join(root, '.ci', 'tsconfig.types.json');

function tsc(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
}
