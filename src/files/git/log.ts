import { dirname } from 'node:path/posix';
import { composed } from '../../contract/names.ts';
import { askGit, literalPath } from './run-git.ts';

export type Touch = {
  /** From the top of the repository. */
  readonly path: string;
  /** Its name before, where git takes it for a file that was renamed. */
  readonly from?: string;
  /** The ids of its content before and after; absent where there was no such file, or a submodule. */
  readonly before?: string;
  readonly after?: string;
};

export type LoggedCommit = {
  readonly commit: string;
  readonly author: string;
  /** When it was committed, in epoch milliseconds. */
  readonly time: number;
  /** Whether it is the first of all, or all before it were cut off. */
  readonly isFirst: boolean;
  readonly touches: readonly Touch[];
};

/** So many at most are read: some seconds. */
export const mostCommits = 20_000;

/** Which commits count: all behind HEAD, or those by which a branch has come to a commit. */
export type History = { readonly branchAt?: string };

/**
 * The commits that changed anything in these files and folders, which are named from the top of the
 * repository, newest first. Of all commits, a merge counts where it made something that none of its
 * parents has; of a branch, as all that it brought there. Undefined where git can't say.
 */
export async function readLog(
  names: readonly string[],
  top: string,
  history: History = {},
): Promise<readonly LoggedCommit[] | undefined> {
  const few = [...narrow(new Set(names))].map(literalPath);
  const { branchAt } = history;
  const walk = branchAt === undefined ? ['--full-history'] : ['--first-parent', branchAt];
  const bounds = [...walk, `--max-count=${mostCommits}`];
  const output = await askGit(['log', ...bounds, ...shown(history), '--', ...few], top);
  return output && parseLog(output);
}

export async function readCommits(
  commits: readonly string[],
  top: string,
  history: History = {},
): Promise<readonly LoggedCommit[] | undefined> {
  if (commits.length === 0) return [];
  const input = `${commits.join('\n')}\n`;
  const walk = ['log', '--no-walk=unsorted', '--stdin'];
  const output = await askGit([...walk, ...shown(history)], top, input);
  return output && parseLog(output);
}

/** git holds every path of a tree against every name. */
const mostNames = 50;

function narrow(names: ReadonlySet<string>): ReadonlySet<string> {
  if (names.size <= mostNames) return names;
  return narrow(new Set([...names].map((name) => dirname(name).replace(/^\.$/u, ''))));
}

/** Stands in front of each commit, where `--raw` has a colon. */
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

/** Of the words between NULs, which alone no name can hold, it is their order that tells what each is. */
function parseLog(output: Buffer): readonly LoggedCommit[] {
  const words = output.toString().split('\0').values();
  const next = (): string => words.next().value ?? '';
  const commits: (LoggedCommit & { readonly touches: Touch[] })[] = [];
  for (const word of words) {
    if (word === mark) commits.push(parseCommit(next));
    const [, colons = '', rest = ''] = /^\n?(:+)(.*)$/u.exec(word) ?? [];
    if (colons !== '') commits.at(-1)?.touches.push(parseTouch(rest, colons.length, next));
  }
  return commits;
}

function parseCommit(next: () => string) {
  const [commit, author, seconds, parents] = [next(), next(), next(), next()];
  return { commit, author, time: Number(seconds) * 1000, isFirst: parents === '', touches: [] };
}

/** `<modes> <ids> <status>`, for each parent and the commit; then the path, or two where it was renamed. */
function parseTouch(text: string, parents: number, next: () => string): Touch {
  const fields = text.split(' ');
  const before = blobOf(fields[0], fields[parents + 1]);
  const after = blobOf(fields[parents], fields[2 * parents + 1]);
  const from = /^[RC]\d+$/u.test(fields.at(-1) ?? '') ? next() : undefined;
  return {
    path: composed(next()),
    ...(from !== undefined && { from: composed(from) }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

/** Of a file or a link: what a submodule has is the id of a commit. */
function blobOf(mode: string | undefined, id: string | undefined): string | undefined {
  return /^1[02]0/u.test(mode ?? '') ? id : undefined;
}
