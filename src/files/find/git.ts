import { execFileSync } from 'node:child_process';
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { composed } from '../../contract/canonical-name.ts';
import { ConfigError } from '../../core/errors.ts';
import { findRepository } from './repository.ts';

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
    return gitFiles(folder, args);
  } catch (error) {
    throw new ConfigError(
      'no-such-revision',
      `git can't list the files that changed since ${JSON.stringify(revision)}: ${firstLine(error)}`,
      {
        hint: 'Use a branch, tag or commit of this clone. In CI, fetch the history too (actions/checkout with fetch-depth: 0).',
        cause: error,
      },
    );
  }
}

function gitFiles(folder: string, args: readonly string[]): string[] {
  const output = execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  });
  return output.split('\0').filter((file) => file !== '');
}

/**
 * Whether a file, named relative to the folder, is among those that changed: git knows it by its
 * real name alone, and knows a link on the way to it as a file.
 */
export function isAmongChanged(
  changed: ReadonlySet<string>,
  folder: string,
): (file: string) => boolean {
  // git may call a file by composed letters that macOS takes apart.
  const known = new Set([...changed].map(composed));
  return (file) => namesOnTheWay(file, folder).some((name) => known.has(composed(name)));
}

/** The file, the links on the way to it, and the file behind them. */
function namesOnTheWay(file: string, folder: string, mostLinks = 40): string[] {
  const segments = file.split('/');
  const names = segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
  const link = names.find((name) => isLink(resolve(folder, name)));
  if (link === undefined || mostLinks === 0) return [file];
  const target = resolve(folder, dirname(link), readlinkSync(resolve(folder, link)));
  const real = relative(folder, target).split(sep).join('/');
  const behind = file === link ? real : `${real}${file.slice(link.length)}`;
  return [file, link, ...namesOnTheWay(behind, folder, mostLinks - 1)];
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/**
 * Which of these files, named relative to the folder, have a state that no commit holds: edited, or
 * new. Undefined where the folder is no part of a git repository; it throws where git can't tell.
 */
export function uncommittedAmong(
  files: readonly string[],
  folder: string,
): ReadonlySet<string> | undefined {
  try {
    // First, since outside of a repository `git diff` is another command, with other options.
    const untracked = gitFiles(folder, ['ls-files', '--others', '--exclude-standard', '-z']);
    const names = ['--name-only', '--relative', '--no-renames', '-z'];
    const edited = gitFiles(folder, ['diff', ...names]);
    const staged = gitFiles(folder, ['diff', '--cached', ...names]);
    const isUncommitted = isAmongChanged(new Set([...untracked, ...edited, ...staged]), folder);
    return new Set(files.filter(isUncommitted));
  } catch (error) {
    if (findRepository(folder) === undefined) return undefined;
    throw new ConfigError(
      'git-fails',
      `git can't tell which files have uncommitted changes: ${firstLine(error)}`,
      { hint: 'Make `git status` work here, or use --force.', cause: error },
    );
  }
}

/** Why git says nothing of a folder that is in a repository: another user owns it, or there is no git. */
export function whyGitFails(folder: string): string | undefined {
  try {
    gitFiles(folder, ['rev-parse', '--git-dir']);
    return undefined;
  } catch (error) {
    return findRepository(folder) === undefined ? undefined : firstLine(error);
  }
}

/** What git says, or what kept it from running. */
function firstLine(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return 'there is no program "git" here';
  }
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const [line = ''] = (said.trim() === '' ? String(error) : said).trim().split('\n');
  return line;
}
