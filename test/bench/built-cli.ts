import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../.ci/bundle.ts';

export type BuiltCli = { readonly path: string; readonly remove: () => void };

/**
 * The command line as users have it, built afresh in a folder of its own. By another process: Linux
 * says of each child that it has taken as much memory as this one had when it started it.
 */
export function builtCli(): BuiltCli {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-built-'));
  // It tells Node the kind of the modules.
  symlinkSync(join(root, 'package.json'), join(folder, 'package.json'));
  const build = `const { buildCli } = await import('./.ci/build-cli.ts');
    await buildCli(${JSON.stringify(join(folder, 'dist'))});`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', build], { cwd: root });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { path: join(folder, 'dist', 'cli.js'), remove };
}
