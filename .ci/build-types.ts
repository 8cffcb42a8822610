/** Writes the declarations of the library as one file. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { root } from './bundle.ts';

export async function buildTypes(folder: string): Promise<void> {
  const declarations = mkdtempSync(join(tmpdir(), 'contract-sync-types-'));
  try {
    execFileSync(process.execPath, [tsc(), '-p', config, '--outDir', declarations], {
      stdio: 'inherit',
    });
    await build({
      cwd: root,
      input: { index: join(declarations, 'index.d.ts') },
      plugins: [dts({ dtsInput: true, generator: 'oxc', tsconfig: false })],
      output: { dir: folder, format: 'esm', entryFileNames: '[name].ts' },
    });
  } finally {
    rmSync(declarations, { recursive: true });
  }
  refuseHiddenTypes(readFileSync(join(folder, 'index.d.ts'), 'utf8'));
}

function refuseHiddenTypes(text: string): void {
  const [, exported = ''] = /^export \{(?<names>[^}]*)\};/mu.exec(text) ?? [];
  const names = new Set(exported.split(',').map((name) => name.trim().replace(/^type /u, '')));
  const hidden = [...text.matchAll(/^(?:declare )?(?:type|interface|class) (?<name>\w+)/gmu)]
    .map((match) => match[1] ?? '')
    .filter((name) => !names.has(name));
  if (hidden.length > 0) {
    throw new Error(
      `src/index.ts exports something of the type ${hidden.join(', ')}, not the type.`,
    );
  }
}

const config = join(root, '.ci', 'tsconfig.types.json');

function tsc(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
}
