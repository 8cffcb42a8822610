import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder and those above it within its repository; all of them outside of one. */
export function foldersUpwards(folder: string): string[] {
  const parent = dirname(folder);
  const isTop = parent === folder || existsSync(join(folder, '.git'));
  return isTop ? [folder] : [folder, ...foldersUpwards(parent)];
}

/** The root of the git repository that a folder is in, if it is in one. */
export function findRepository(folder: string): string | undefined {
  const top = foldersUpwards(folder).at(-1) ?? folder;
  return existsSync(join(top, '.git')) ? top : undefined;
}
