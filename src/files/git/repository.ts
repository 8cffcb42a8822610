import { ConfigError } from '../../core/diagnostic.ts';
import { composed, prefixesOf, quote } from '../../core/text.ts';
import { askGit, askIn, findGitFolder, literalPath, pathsWithEnding, runGit } from './run-git.ts';
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';

export function findCommit(revision: string, folder: string): string | undefined {
  // After `--end-of-options` no revision is taken for an option.
  const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const commit = askIn(folder, named);
  return /^[0-9a-f]{40,64}$/u.test(commit) ? commit : undefined;
}

/** The remote's default branch at the last fetch; undefined without one. */
export function findDefaultBranch(folder: string): string | undefined {
  if (findCommit('HEAD', folder) === undefined) return undefined;
  const named = askIn(folder, ['rev-parse', '--abbrev-ref', 'refs/remotes/origin/HEAD']);
  return [named, 'origin/main', 'origin/master'].find(
    (branch) => branch !== '' && findCommit(`refs/remotes/${branch}`, folder) !== undefined,
  );
}

/** Commits of the remote branch, at the last fetch, that HEAD lacks. */
export function countBehind(branch: string, folder: string): number {
  const ref = `refs/remotes/${branch}`;
  // In a shallow clone without a shared commit, all commits would count.
  if (askIn(folder, ['merge-base', 'HEAD', ref]) === '') return 0;
  return Number(askIn(folder, ['rev-list', '--count', `HEAD..${ref}`]));
}

/** The merge base, or the revision itself where the history is too shallow for one. */
export function resolveBase(revision: string, folder: string): string {
  const commit = findCommit(revision, folder);
  if (commit === undefined) throw unknownBase(revision, folder);
  return askIn(folder, ['merge-base', commit, 'HEAD']) || commit;
}

function unknownBase(revision: string, folder: string): ConfigError {
  const complaint = `git can't find the base ${quote(revision)}`;
  if (!findGitFolder(folder)) {
    const hint = 'Run it in a clone, or leave out `base`.';
    const message = `${complaint}: this is no git repository.`;
    return new ConfigError('no-such-revision', message, { hint });
  }
  const reason = whyGitFails(folder);
  if (reason !== undefined) {
    const hint = 'Install git, or leave out `base`.';
    return new ConfigError('git-fails', `${complaint}: ${reason}`, { hint });
  }
  return new ConfigError('no-such-revision', `${complaint} here.`, {
    hint: 'Use a branch, tag or commit of this clone. In CI, fetch it too: with `fetch-depth: 2`, actions/checkout has HEAD^1, the base of a pull request.',
  });
}

type Listed = { readonly file: string; readonly id: string; readonly size: number };

export function readCommit(commit: string, folder: string, isWanted: (file: Listed) => boolean) {
  const place = findGitFolder(folder);
  if (!place) return [];
  const { top, prefix } = place;
  const listing = ['ls-tree', '-r', '-l', '-z', commit, literalPath(prefix)];
  const wanted = parseTree(askWhole(listing, commit, top), prefix).filter(isWanted);
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ id }) => id);
  const blobs = splitBatch(askWhole(['cat-file', '--batch'], commit, top, idLines(ids)), ids);
  return wanted.map(({ file, id }) => {
    const bytes = blobs.get(id);
    if (!bytes) throw unreadableCommit(commit, `there is no ${id}`);
    return { file, bytes };
  });
}

/** The bytes of a commit's file behind symbolic links, which `readCommit` leaves out. */
export function readLinked(commit: string, folder: string, name: string): Uint8Array | undefined {
  const place = findGitFolder(folder);
  // No file is outside of the repository; git's input ends at a line break.
  if (!place || /^\.\.(?:\/|$)|\n/u.test(name)) return undefined;
  const asked = ['cat-file', '--batch', '--follow-symlinks'];
  const output = askWhole(asked, commit, place.top, `${commit}:${place.prefix}${name}\n`);
  if (/^(?:dangling|loop|symlink) \d+\n/u.test(output.toString()))
    throw unreadableCommit(commit, `${name} is a link to no file of it`);
  return splitBatch(output, [name]).get(name);
}

function parseTree(output: Buffer, prefix: string): Listed[] {
  return output
    .toString()
    .split('\0')
    .flatMap((line) => {
      // For a file that a partial clone lacks, git prints `BAD` in place of a size.
      const [, id, size, file] = /^100\d{3} blob ([0-9a-f]+) +(\w+)\t(.+)$/su.exec(line) ?? [];
      if (id === undefined || file === undefined) return [];
      return [{ file: file.slice(prefix.length), id, size: Number(size) || 0 }];
    });
}

// Throws where git fails, as files that it leaves out would count as absent.
function askWhole(args: readonly string[], commit: string, top: string, input?: string): Buffer {
  const { status, output, problem } = runGit(args, top, input);
  if (status !== 0) throw unreadableCommit(commit, problem);
  return output;
}

function unreadableCommit(commit: string, reason: string): ConfigError {
  return new ConfigError('git-fails', `git can't read the files of commit ${commit}: ${reason}`, {
    hint: 'In a partial clone, fetch them first: git fetch --refetch --no-filter. With actions/checkout, leave `filter` and `sparse-checkout` out.',
  });
}

/** Blobs that a partial clone lacks are left out. Undefined where git fails. */
export async function readBlobs(ids: readonly string[], top: string) {
  if (ids.length === 0) return new Map();
  const output = await askGit(['cat-file', '--batch'], top, idLines(ids));
  return output && splitBatch(output, ids);
}

function idLines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}

// `<id> blob <size>`, a line feed, that many bytes, a line feed; or `<id> missing`.
function splitBatch(output: Buffer, ids: readonly string[]) {
  const blobs = new Map<string, Uint8Array>();
  let start = 0;
  for (const id of ids) {
    const end = output.indexOf('\n', start);
    const [, size] = / blob (\d+)$/u.exec(output.subarray(start, end).toString()) ?? [];
    start = end + 1;
    if (size === undefined) continue;
    blobs.set(id, output.subarray(start, start + Number(size)));
    start += Number(size) + 1;
  }
  return blobs;
}

/**
 * The files below a folder, relative to it, that differ from the merge base with the revision:
 * committed since, edited, or untracked.
 */
export function changedSince(revision: string, folder: string): ReadonlySet<string> {
  const refuse: Refuse = (problem) =>
    new ConfigError(
      'no-such-revision',
      `git can't list the files that changed since ${JSON.stringify(revision)}: ${problem}`,
      {
        hint: 'Use a branch, tag or commit of this clone. In CI, fetch the history too (actions/checkout with fetch-depth: 0).',
      },
    );
  // After --end-of-options no revision is taken for an option.
  const edited = listEdited(['--merge-base', '--end-of-options', revision], folder, refuse);
  return new Set([...edited, ...list([...untracked, '--exclude-standard'], folder, refuse)]);
}

type Refuse = (problem: string) => ConfigError;

function listEdited(what: readonly string[], folder: string, refuse: Refuse): readonly string[] {
  const names = ['--name-only', '--no-renames', '-z', '--no-relative'];
  return list([...diff, ...names, ...what], folder, refuse);
}

const diff = ['diff', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

const untracked = ['ls-files', '--others', '-z'];

function list(args: readonly string[], folder: string, refuse: Refuse): readonly string[] {
  const place = findGitFolder(folder);
  if (!place) throw refuse('not a git repository');
  const { top, prefix } = place;
  const { status, output, problem } = runGit([...args, '--', literalPath(prefix)], top);
  if (status !== 0) throw refuse(problem);
  const files = output.toString().split('\0');
  return files.filter((file) => file !== '').map((file) => file.slice(prefix.length));
}

/**
 * The file is named relative to the folder. git lists a file by its real path only, and a link on
 * the way as a file of its own.
 */
export function isAmongChanged(changed: ReadonlySet<string>, folder: string) {
  // macOS decomposes letters that git keeps composed.
  const known = new Set([...changed].map(composed));
  return (file: string) => namesOnTheWay(file, folder).some((name) => known.has(composed(name)));
}

function namesOnTheWay(file: string, folder: string, mostLinks = 40): string[] {
  const link = prefixesOf(file).find((name) =>
    lstatSync(resolve(folder, name), { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  if (link === undefined || mostLinks === 0) return [file];
  const target = resolve(folder, dirname(link), readlinkSync(resolve(folder, link)));
  const real = relative(folder, target).split(sep).join('/');
  const behind = file === link ? real : `${real}${file.slice(link.length)}`;
  return [file, link, ...namesOnTheWay(behind, folder, mostLinks - 1)];
}

function noStatus(problem: string): ConfigError {
  const message = `git can't tell which files have uncommitted changes: ${problem}`;
  return new ConfigError('git-fails', message, { hint: 'Install git, or use --force.' });
}

/**
 * The edited or untracked ones of these files, named relative to the folder. Undefined outside of a
 * repository; throws where git fails.
 */
export function uncommittedAmong(files: readonly string[], folder: string) {
  if (!findGitFolder(folder)) return undefined;
  const uncommitted = [
    // Ignored files are in no commit either.
    ...list(untracked, folder, noStatus),
    ...listEdited([], folder, noStatus),
    ...listEdited(['--cached'], folder, noStatus),
  ];
  return new Set(files.filter(isAmongChanged(new Set(uncommitted), folder)));
}

export function whyGitFails(folder: string): string | undefined {
  const place = findGitFolder(folder);
  const answer = place && runGit(['rev-parse', '--git-dir'], place.top);
  return answer?.status === 0 ? undefined : answer?.problem;
}

/**
 * Whether the checked-out commit has another in its history; undefined outside of a clone, or in
 * one too shallow to tell.
 */
export function isInHistory(commit: string, folder: string): boolean | undefined {
  const place = findGitFolder(folder);
  if (!place) return undefined;
  const asked = ['merge-base', '--is-ancestor', '--end-of-options', commit, 'HEAD'];
  if (runGit(asked, place.top).status === 0) return true;
  return isKnownWhole(folder) ? false : undefined;
}

function isKnownWhole(folder: string): boolean {
  return askIn(folder, ['rev-parse', '--is-shallow-repository']) === 'false';
}

export function hasChangedSince(commit: string, file: string, folder: string): boolean {
  const place = findGitFolder(folder);
  if (!place) return false;
  const { top, prefix } = place;
  const asked = ['--quiet', '--end-of-options', commit, 'HEAD', '--'];
  return runGit([...diff, ...asked, literalPath(`${prefix}${file}`)], top).status === 1;
}

export type BranchCommit = {
  readonly id: string;
  readonly parents: readonly string[];
  readonly subject: string;
};

/** The commits of the current branch, the latest first; `isWhole`: back to its root. */
export function firstParents(most: number, folder: string) {
  const asked = ['log', '--first-parent', '-z', '--format=%H%n%P%n%s', `--max-count=${most}`];
  const records = askIn(folder, [...asked, 'HEAD']).split('\0');
  const commits = records.flatMap((record): BranchCommit[] => {
    const [id = '', parents = '', subject = ''] = record.split('\n');
    return id === '' ? [] : [{ id, parents: parents.split(' ').filter(Boolean), subject }];
  });
  // At the cut of a shallow clone git reports no parents either, but the clone is marked shallow.
  return { commits, isWhole: commits.length < most && isKnownWhole(folder) };
}

/** Undefined outside of a repository, before its first commit, and without git. */
export async function readCheckout(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const place = findGitFolder(folder, environment);
  if (!place) return undefined;
  const status = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z'];
  const compared = ['--untracked-files=normal', '--ignore-submodules=all', '--no-renames'];
  const paths = ['.yaml', '.yml'].map((ending) => pathsWithEnding(place, ending));
  // No time limit: a plan names its commit in the largest repository too.
  const output = await askGit([...status, ...compared, '--', ...paths], place.top, '', 0);
  const lines = output?.toString().split('\0') ?? [];
  const [, commit] = /^# branch\.oid ([0-9a-f]{40,64})$/u.exec(lines[0] ?? '') ?? [];
  if (commit === undefined) return undefined;
  return { commit, isChanged: lines.some((line) => line !== '' && !line.startsWith('#')) };
}
