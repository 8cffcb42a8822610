import { execFileSync } from 'node:child_process';
import { ConfigError } from '../../core/errors.ts';

/**
 * The files below a folder, relative to it, that differ from where the work left the git revision:
 * committed since, edited, or new and not yet known to git.
 */
export function changedSince(revision: string, folder: string): ReadonlySet<string> {
  const place = { revision, folder };
  // First, since outside of a repository `git diff` is another command, with other options.
  const untracked = listFiles(place, ['ls-files', '--others', '--exclude-standard', '-z']);
  const edited = listFiles(place, [
    ...diffOptions,
    // After it nothing is taken for an option, whatever the revision starts with.
    '--end-of-options',
    revision,
    '--',
  ]);
  return new Set([...edited, ...untracked]);
}

const diffOptions = ['diff', '--name-only', '--relative', '--no-renames', '-z', '--merge-base'];

type Revision = { readonly revision: string; readonly folder: string };

function listFiles({ revision, folder }: Revision, args: readonly string[]): string[] {
  try {
    const output = execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });
    return output.split('\0').filter((file) => file !== '');
  } catch (error) {
    throw new ConfigError(
      'no-such-revision',
      `git cannot tell which files changed since ${JSON.stringify(revision)}: ${firstLine(error)}`,
      {
        hint: 'Name a branch, tag or commit that this clone has; in CI fetch the history too (actions/checkout with fetch-depth: 0).',
        cause: error,
      },
    );
  }
}

/** What git says, or what kept it from running. */
function firstLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const [line = ''] = (said.trim() === '' ? String(error) : said).trim().split('\n');
  return line;
}
