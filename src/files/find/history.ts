/** What git knows of the commits behind the one that is checked out. */

import { findGitFolder, literalPath, runGit } from './run-git.ts';

/**
 * Whether the commit that is checked out has another one in its history; undefined where the folder
 * is in no clone, or in one that is too shallow to tell.
 */
export function isInHistory(commit: string, folder: string): boolean | undefined {
  const place = findGitFolder(folder);
  if (!place) return undefined;
  const asked = ['merge-base', '--is-ancestor', '--end-of-options', commit, 'HEAD'];
  if (runGit(asked, place.top).status === 0) return true;
  const { status, output } = runGit(['rev-parse', '--is-shallow-repository'], place.top);
  return status === 0 && output.toString().trim() === 'false' ? false : undefined;
}

/** Whether a file, named relative to the folder, is another one now than it was at a commit. */
export function hasChangedSince(commit: string, file: string, folder: string): boolean {
  const place = findGitFolder(folder);
  if (!place) return false;
  const { top, prefix } = place;
  const quietly = ['diff', '--quiet', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const path = literalPath(`${prefix}${file}`);
  return runGit([...quietly, '--end-of-options', commit, 'HEAD', '--', path], top).status === 1;
}
