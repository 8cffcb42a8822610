import { ConfigError } from '../../core/diagnostic.ts';
import { composed, quote } from '../../core/text.ts';
import { whyGitFails } from './changes.ts';
import { askGit, askIn, findGitFolder, literalPath, runGit } from './run-git.ts';
import { defined } from '../../core/json.ts';
import { dirname } from 'node:path/posix';

export function findCommit(revision: string, folder: string): string | undefined {
  // After `--end-of-options` no revision is taken for an option.
  const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const commit = askIn(folder, named);
  return /^[0-9a-f]{40,64}$/u.test(commit) ? commit : undefined;
}

/** As of the last fetch; undefined where there is none. */
export function findDefaultBranch(folder: string): string | undefined {
  if (findCommit('HEAD', folder) === undefined) return undefined;
  const named = askIn(folder, ['rev-parse', '--abbrev-ref', 'refs/remotes/origin/HEAD']);
  return [named, 'origin/main', 'origin/master'].find(
    (branch) => branch !== '' && findCommit(`refs/remotes/${branch}`, folder) !== undefined,
  );
}

/** As of the last fetch. */
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
  const start = output.indexOf('\n') + 1;
  const answer = output.subarray(0, start).toString();
  const [, size] = /^[0-9a-f]+ blob (\d+)\n$/u.exec(answer) ?? [];
  if (size !== undefined) return output.subarray(start, start + Number(size));
  if (/^(?:dangling|loop|symlink) \d+\n$/u.test(answer))
    throw unreadableCommit(commit, `${name} is a link to no file of it`);
  return undefined;
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

export type Touch = {
  /** From the top of the repository. */
  readonly path: string;
  /** Its former name, where git detects a rename. */
  readonly from?: string;
  /** Blob ids before and after; absent where the file did not exist, or for a submodule. */
  readonly before?: string;
  readonly after?: string;
};

export type CommitHead = {
  readonly commit: string;
  readonly author: string;
  /** Commit time in epoch milliseconds. */
  readonly time: number;
};

export type LoggedCommit = CommitHead & {
  /** Whether it is the root commit, or the cut of a shallow clone. */
  readonly isFirst: boolean;
  readonly touches: readonly Touch[];
};

/** More would take git longer than some seconds. */
export const mostCommits = 20_000;

/** The commits behind HEAD, or those by which a branch reached a commit. */
export type History = { readonly branchAt?: string };

/**
 * The commits that changed these files and folders, named from the top of the repository, newest
 * first; none before the first commit. In the history of HEAD, a merge counts if it differs from
 * each of its parents; of a branch, for everything that it brought. Undefined where git fails.
 */
export async function readLog(names: readonly string[], top: string, history: History = {}) {
  const few = [...narrow(new Set(names))].map(literalPath);
  const { branchAt } = history;
  const walk = branchAt === undefined ? ['--full-history'] : ['--first-parent', branchAt];
  const bounds = [...walk, `--max-count=${mostCommits}`];
  const output = await askGit(['log', ...bounds, ...shown(history), '--', ...few], top);
  if (output) return parseLog(output);
  const status = ['status', '--porcelain=v2', '--branch', '--untracked-files=no'];
  return withoutCommit.test((await askGit(status, top))?.toString() ?? '') ? [] : undefined;
}

// Before the first commit of a branch git log fails; the name of a broken branch is unknown.
const withoutCommit = /^# branch\.oid \(initial\)\n# branch\.head (?!\(unknown\)\n)/u;

export async function readCommits(commits: readonly string[], top: string, history: History = {}) {
  if (commits.length === 0) return [];
  const walk = ['log', '--no-walk=unsorted', '--stdin'];
  const output = await askGit([...walk, ...shown(history)], top, `${commits.join('\n')}\n`);
  return output && parseLog(output);
}

// With more names git is slow: it compares every path of a tree with each of them.
const mostNames = 50;

function narrow(names: ReadonlySet<string>): ReadonlySet<string> {
  if (names.size <= mostNames) return names;
  return narrow(new Set([...names].map((name) => dirname(name).replace(/^\.$/u, ''))));
}

const mark = 'commit';

const shown = ({ branchAt }: History): string[] => [
  `--format=${mark}%x00%H%x00%an%x00%ct%x00%P`,
  '--encoding=UTF-8',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--no-abbrev',
  '--raw',
  branchAt === undefined ? '-c' : '--diff-merges=first-parent',
  '-M',
  '-z',
];

// Fields are separated by NULs, which no name can hold, and told apart by their order.
function parseLog(output: Buffer): readonly LoggedCommit[] {
  const words = output.toString().split('\0').values();
  const next = (): string => words.next().value ?? '';
  const commits: (LoggedCommit & { readonly touches: Touch[] })[] = [];
  for (const word of words) {
    if (word === mark) {
      const [commit, author, seconds, parents] = [next(), next(), next(), next()];
      const time = Number(seconds) * 1000;
      commits.push({ commit, author, time, isFirst: parents === '', touches: [] });
    }
    const [, colons = '', rest = ''] = /^\n?(:+)(.*)$/u.exec(word) ?? [];
    if (colons !== '') commits.at(-1)?.touches.push(parseTouch(rest, colons.length, next));
  }
  return commits;
}

// `<modes> <ids> <status>` of each parent and the commit; then the path, or two for a rename.
function parseTouch(text: string, parents: number, next: () => string): Touch {
  const fields = text.split(' ');
  const before = blobOf(fields[0], fields[parents + 1]);
  const after = blobOf(fields[parents], fields[2 * parents + 1]);
  const from = /^[RC]\d+$/u.test(fields.at(-1) ?? '') ? next() : undefined;
  return {
    path: composed(next()),
    ...(from !== undefined && { from: composed(from) }),
    ...defined({ before, after }),
  };
}

function blobOf(mode: string | undefined, id: string | undefined): string | undefined {
  return /^1[02]0/u.test(mode ?? '') ? id : undefined;
}
