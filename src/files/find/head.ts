/** Which commit the files are of, as git says. */

import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { findRepository } from './repository.ts';

/** A commit, and whether files of the kind that is read differ from it. */
export type Checkout = { readonly commit: string; readonly isChanged: boolean };

/** Undefined outside of a git repository, before its first commit, and where there is no git. */
export async function readCheckout(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Checkout | undefined> {
  // Starting git takes as long as planning a dozen files.
  const isKnown = findRepository(realpathSync(folder)) ?? process.env['GIT_DIR'];
  if (isKnown === undefined) return undefined;
  const status = ['--no-optional-locks', 'status', '--porcelain=v2', '--branch', '-z'];
  const output = await git([...status, '--', '*.yaml', '*.yml'], folder, environment);
  const lines = output.split('\0').filter((line) => line !== '');
  const [, commit] = /^# branch\.oid ([0-9a-f]{40,64})$/mu.exec(lines.join('\n')) ?? [];
  if (commit === undefined) return undefined;
  return { commit, isChanged: lines.some((line) => !line.startsWith('#')) };
}

/** Empty where it fails. */
async function git(
  args: readonly string[],
  cwd: string,
  { GIT_CEILING_DIRECTORIES: ceiling }: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const env = {
    ...process.env,
    ...(ceiling !== undefined && { GIT_CEILING_DIRECTORIES: ceiling }),
  };
  return new Promise((resolve) => {
    execFile('git', args, { cwd, env, maxBuffer: 1 << 26 }, (error, stdout) =>
      resolve(error ? '' : stdout),
    );
  });
}
