/** The repository that a folder is in, and what its files are called there. */

import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { composed } from '../../contract/canonical-name.ts';
import { askGit } from './ask-git.ts';

export type Clone = {
  /** The folder that it begins with. */
  readonly top: string;
  /** Whether the clone was made with its last commits alone. */
  readonly isShallow: boolean;
  /** The name that git has for a file or folder, whatever links lead to it: empty for the top, undefined outside. */
  readonly nameOf: (path: string) => string | undefined;
};

/** Undefined where the folder is in none, or there is no git. */
export async function findClone(folder: string): Promise<Clone | undefined> {
  const answer = await askGit(['rev-parse', '--is-shallow-repository', '--show-toplevel'], folder);
  const [shallow = '', top = ''] = answer?.toString().split('\n') ?? [];
  if (top === '') return undefined;
  const root = realPath(top);
  return {
    top,
    isShallow: shallow === 'true',
    nameOf: (path) => {
      const name = relative(root, realPath(resolve(folder, path)));
      return /^\.\.(?:$|[/\\])/u.test(name) ? undefined : composed(name.split(sep).join('/'));
    },
  };
}

/** What is not there has no other. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
