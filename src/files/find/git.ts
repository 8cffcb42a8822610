import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { composed } from '../../contract/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { findGitFolder, literalPath, runGit } from './run-git.ts';

/**
 * The files below a folder, relative to it, that differ from where the work left the git revision:
 * committed since, edited, or new and not yet known to git.
 */
export function changedSince(revision: string, folder: string): ReadonlySet<string> {
  // After --end-of-options nothing is taken for an option, whatever the revision starts with.
  const since = ['--merge-base', '--end-of-options', revision];
  const answers = [listEdited(since, folder), list([...untracked, '--exclude-standard'], folder)];
  const [problem] = answers.flatMap((answer) => ('problem' in answer ? answer.problem : []));
  if (problem !== undefined) {
    throw new ConfigError(
      'no-such-revision',
      `git can't list the files that changed since ${JSON.stringify(revision)}: ${problem}`,
      {
        hint: 'Use a branch, tag or commit of this clone. In CI, fetch the history too (actions/checkout with fetch-depth: 0).',
      },
    );
  }
  return new Set(answers.flatMap((answer) => ('files' in answer ? answer.files : [])));
}

/** Files, named relative to the folder that was asked about; or why git lists none. */
type Listing = { readonly files: readonly string[] } | { readonly problem: string };

function listEdited(what: readonly string[], folder: string): Listing {
  const names = ['--name-only', '--no-renames', '-z', '--no-relative'];
  const plainly = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  return list(['diff', ...names, ...plainly, ...what], folder);
}

const untracked = ['ls-files', '--others', '-z'];

function list(args: readonly string[], folder: string): Listing {
  const place = findGitFolder(folder);
  if (!place) return { problem: 'not a git repository' };
  const { top, prefix } = place;
  const { status, output, problem } = runGit([...args, '--', literalPath(prefix)], top);
  if (status !== 0) return { problem };
  const files = output.toString().split('\0');
  return { files: files.filter((file) => file !== '').map((file) => file.slice(prefix.length)) };
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
  if (!findGitFolder(folder)) return undefined;
  const listings = [
    // No commit holds an ignored file either.
    list(untracked, folder),
    listEdited([], folder),
    listEdited(['--cached'], folder),
  ];
  const uncommitted = listings.flatMap((listing) => {
    if ('files' in listing) return listing.files;
    throw new ConfigError(
      'git-fails',
      `git can't tell which files have uncommitted changes: ${listing.problem}`,
      { hint: 'Make `git status` work here, or use --force.' },
    );
  });
  return new Set(files.filter(isAmongChanged(new Set(uncommitted), folder)));
}

/** Why git says nothing of a folder that is in a repository: another user owns it, or there is no git. */
export function whyGitFails(folder: string): string | undefined {
  const place = findGitFolder(folder);
  if (!place) return undefined;
  const { status, problem } = runGit(['rev-parse', '--git-dir'], place.top);
  return status === 0 ? undefined : problem;
}
