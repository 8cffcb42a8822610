import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder and those above it within its repository, or below a ceiling; all of them without one. */
export function foldersUpwards(
  folder: string,
  ceilings: ReadonlySet<string> = new Set(),
): string[] {
  const parent = dirname(folder);
  const isTop = parent === folder || ceilings.has(parent) || existsSync(join(folder, '.git'));
  return isTop ? [folder] : [folder, ...foldersUpwards(parent, ceilings)];
}

/** The root of the git repository that a folder is in, if it is in one. */
export function findRepository(folder: string, ceilings?: ReadonlySet<string>): string | undefined {
  const top = foldersUpwards(folder, ceilings).at(-1) ?? folder;
  return existsSync(join(top, '.git')) ? top : undefined;
}
