/**
 * Builds the Action from a copy of the sources in another folder and compares it byte for byte with
 * what stands in `dist/`: nothing of it may come from where it was built. Says how large it is.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './bundle.ts';

const copy = mkdtempSync(join(tmpdir(), 'contract-sync-elsewhere-'));
try {
  copySources();
  execFileSync(process.execPath, ['.ci/build.ts'], { cwd: copy, stdio: 'inherit' });
  const [here, elsewhere] = [readAction(root), readAction(copy)];
  const names = [...new Set([...here.keys(), ...elsewhere.keys()])];
  const differing = names.filter((name) => here.get(name) !== elsewhere.get(name));
  for (const name of differing)
    process.stderr.write(`${name} differs where it is built elsewhere.\n`);
  process.exitCode = differing.length > 0 ? 1 : 0;
  process.stdout.write(describeSize(here));
} finally {
  rmSync(copy, { recursive: true });
}

function copySources(): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Each file of the Action by its name, byte by byte. */
function readAction(folder: string): ReadonlyMap<string, string> {
  const dist = join(folder, 'dist');
  const names = ['action.js', 'action.js.LEGAL.txt'];
  const parts = readdirSync(join(dist, 'action')).map((name) => join('action', name));
  return new Map(
    [...names, ...parts].map((name) => [name, readFileSync(join(dist, name), 'latin1')]),
  );
}

function describeSize(files: ReadonlyMap<string, string>): string {
  const code = [...files].filter(([name]) => /\.c?js$/u.test(name)).map(([, text]) => text);
  const bytes = Buffer.from(code.join(''), 'latin1');
  return `The Action is ${kilobytes(bytes.length)} in ${code.length} files, ${kilobytes(gzipSync(bytes).length)} gzipped.\n`;
}

function kilobytes(size: number): string {
  return `${Math.round(size / 1000)} kB`;
}
