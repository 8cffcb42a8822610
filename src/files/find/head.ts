/** Which commit the files are of, as git says. */

import { askGit, findGitFolder, pathsWithEnding } from './run-git.ts';

/** A commit, and whether files of the kind that is read differ from it. */
export type Checkout = { readonly commit: string; readonly isChanged: boolean };

/** Undefined outside of a git repository, before its first commit, and where there is no git. */
export async function readCheckout(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Checkout | undefined> {
  const place = findGitFolder(folder, environment);
  if (!place) return undefined;
  const status = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z'];
  const compared = ['--untracked-files=normal', '--ignore-submodules=all', '--no-renames'];
  const paths = ['.yaml', '.yml'].map((ending) => pathsWithEnding(place, ending));
  // Waited for: a plan names its commit in the largest repository too.
  const output = await askGit([...status, ...compared, '--', ...paths], place.top, '', 0);
  const lines = output?.toString().split('\0') ?? [];
  const [, commit] = /^# branch\.oid ([0-9a-f]{40,64})$/u.exec(lines[0] ?? '') ?? [];
  if (commit === undefined) return undefined;
  return { commit, isChanged: lines.some((line) => line !== '' && !line.startsWith('#')) };
}
