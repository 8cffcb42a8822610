/** What git knows of the commits behind the one that is checked out. */

import { spawnSync } from 'node:child_process';

/**
 * Whether the commit that is checked out has another one in its history; undefined where the folder
 * is in no clone, or in one that is too shallow to tell.
 */
export function isInHistory(commit: string, folder: string): boolean | undefined {
  const { status } = git(['merge-base', '--is-ancestor', commit, 'HEAD'], folder);
  if (status === 0) return true;
  const { status: known, stdout } = git(['rev-parse', '--is-shallow-repository'], folder);
  return known === 0 && stdout.trim() === 'false' ? false : undefined;
}

/** Whether a file, named relative to the folder, is another one now than it was at a commit. */
export function hasChangedSince(commit: string, file: string, folder: string): boolean {
  const place = `./${file}`;
  return git(['diff', '--quiet', commit, 'HEAD', '--', place], folder).status === 1;
}

function git(args: readonly string[], folder: string) {
  return spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
}
