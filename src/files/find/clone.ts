/** The repository that a folder is in, and what its files are called there. */

import { relative, resolve, sep } from 'node:path';
import { composed } from '../../contract/names.ts';
import { askGit, findGitFolder, realPath } from './run-git.ts';

export type Clone = {
  /** The folder that it begins with. */
  readonly top: string;
  /** Whether the clone was made with its last commits alone. */
  readonly isShallow: boolean;
  /** The name that git has for a file or folder, whatever links lead to it: empty for the top, undefined outside. */
  readonly nameOf: (path: string) => string | undefined;
};

/** Undefined where the folder is in none, or git can't read it. */
export async function findClone(folder: string): Promise<Clone | undefined> {
  const place = findGitFolder(folder);
  if (!place) return undefined;
  const { top } = place;
  const answer = await askGit(['rev-parse', '--is-shallow-repository'], top);
  if (!answer) return undefined;
  return {
    top,
    isShallow: answer.toString().trim() === 'true',
    nameOf: (path) => {
      const name = relative(top, realPath(resolve(folder, path)));
      return /^\.\.(?:$|[/\\])/u.test(name) ? undefined : composed(name.split(sep).join('/'));
    },
  };
}
