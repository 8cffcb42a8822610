/** Where the configuration is looked for: from a folder upwards, as git looks for a repository. */

import { existsSync, lstatSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { foldersUpwards } from '../files/git/run-git.ts';

export const defaultFile = 'contract-sync.yaml';
export const misspeltFile = 'contract-sync.yml';

/**
 * The nearest folder upwards with a configuration, but none beyond the repository; `folder` itself
 * where there is none or the configuration is named.
 */
export function findRoot(folder: string, named?: string): string {
  if (named !== undefined) return folder;
  const found = foldersUpwards(folder).find(hasConfiguration);
  if (found === undefined) return folder;
  if (found !== folder) refuseForeign(found, folder);
  return found;
}

export function findAbove(folder: string): string | undefined {
  return foldersUpwards(folder).slice(1).find(hasConfiguration);
}

// A misspelt one counts: ignored in silence, what it protects would be unprotected.
function hasConfiguration(folder: string): boolean {
  return [defaultFile, misspeltFile].some((name) => existsSync(join(folder, name)));
}

// Anybody may write to a folder above, such as /tmp, and a configuration says where tokens go.
function refuseForeign(root: string, folder: string): void {
  const name = existsSync(join(root, defaultFile)) ? defaultFile : misspeltFile;
  const file = join(root, name);
  const trusted = [process.getuid?.(), 0, statSync(folder).uid];
  if (trusted.includes(lstatSync(file).uid)) return;
  throw new ConfigError('foreign-config', `${file} belongs to another user, so it is not used.`, {
    hint: `If you trust it, name it with --config; if not, write a ${defaultFile} here.`,
  });
}

export function pathsFromRoot(
  paths: readonly string[],
  folder: string,
  root: string,
): readonly string[] {
  if (root === folder) return paths.map(withSlashes);
  // An empty text is an unset variable, not the folder.
  return paths.map((path) =>
    path === '' || isAbsolute(path)
      ? withSlashes(path)
      : withSlashes(relative(root, resolve(folder, path))) || '.',
  );
}

export function nameFrom(folder: string, root: string): (file: string) => string {
  if (root === folder) return (file) => file;
  return (file) => (isAbsolute(file) ? file : withSlashes(relative(folder, join(root, file))));
}

// Patterns have slashes; arguments on Windows mostly have backslashes.
function withSlashes(path: string): string {
  return path.split(sep).join('/');
}
