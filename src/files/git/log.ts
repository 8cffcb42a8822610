import { defined } from '../../core/json.ts';
import { composed } from '../../core/text.ts';
import { dirname } from 'node:path/posix';
import { askGit, literalPath } from './run-git.ts';

export type Touch = {
  /** From the top of the repository. */
  readonly path: string;
  /** Its former name, where git detects a rename. */
  readonly from?: string;
  /** Blob ids before and after; absent where the file did not exist, or for a submodule. */
  readonly before?: string;
  readonly after?: string;
};

export type LoggedCommit = {
  readonly commit: string;
  readonly author: string;
  /** Commit time in epoch milliseconds. */
  readonly time: number;
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
