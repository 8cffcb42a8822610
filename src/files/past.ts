/** What files declared at their past commits. */

import type { DesiredContract } from '../contract/contract.ts';
import type { FileSelection } from './find/find.ts';
import { type History, type LoggedCommit, mostCommits, readLog } from './git/log.ts';
import { type Clone, findClone, findGitFolder } from './git/run-git.ts';
import type { ReadOptions } from './files.ts';
import { type TracedTouch, traceFiles } from './lineage.ts';
import { type Archive, openArchive } from './archive.ts';

type PastFile = Pick<LoggedCommit, 'commit' | 'author' | 'time'> & {
  // Empty where the commit removed the file or left errors in it.
  readonly contracts: readonly DesiredContract[];
  readonly isDeleted: boolean;
};

export type PastGap = {
  readonly kind:
    | 'shallow-clone'
    | 'long-log'
    | 'no-repository'
    /** git fails, or takes too long. */
    | 'unreadable'
    | 'uncommitted';
  /** The commits are complete from this time, in epoch milliseconds. */
  readonly since?: number;
};

export type FilePast = {
  readonly commits: readonly PastFile[];
  readonly gap?: PastGap;
};

/** By the current file name. */
export type PastFiles = (file: string) => FilePast;

/**
 * All commits that changed the files, across renames. Runs git log once for the folders of
 * contracts, and again where contracts came from outside of them.
 */
export async function readPast(
  files: readonly string[],
  { root, include }: Pick<FileSelection, 'root' | 'include'>,
  rules: ReadOptions,
  history: History = {},
): Promise<PastFiles> {
  const repository = await findClone(root);
  if (!repository) {
    const kind = findGitFolder(root) === undefined ? 'no-repository' : 'unreadable';
    return () => ({ commits: [], gap: { kind } });
  }
  const { nameOf } = repository;
  const archive = openArchive(repository, rules, history);
  const scope = [...include.map(literalStart), ...files].flatMap((path) => nameOf(path) ?? []);
  const found = await findPast(
    files.flatMap((file) => nameOf(file) ?? []),
    scope,
    { repository, archive, history },
  );
  if (!found) return () => ({ commits: [], gap: { kind: 'unreadable' } });
  return (file) => {
    const name = nameOf(file);
    if (name === undefined) return { commits: [], gap: { kind: 'no-repository' } };
    const touches = found.traced.get(name) ?? [];
    const gap = gapOf(touches, found.commits, repository);
    return { commits: touches.map((each) => describe(each, archive)), ...(gap && { gap }) };
  };
}

function literalStart(glob: string): string {
  const start = glob.search(/[*?[{]/u);
  return start < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', start)));
}

type Sources = {
  readonly repository: Clone;
  readonly archive: Archive;
  readonly history: History;
};

type Found = {
  readonly traced: ReadonlyMap<string, readonly TracedTouch[]>;
  readonly commits: readonly LoggedCommit[];
};

async function findPast(
  names: readonly string[],
  scope: readonly string[],
  sources: Sources,
): Promise<Found | undefined> {
  const { repository, archive, history } = sources;
  const commits = await readLog(scope, repository.top, history);
  if (!commits) return undefined;
  const { traced, names: former } = await traceFiles(names, commits, archive);
  if (!archive.isWhole()) return undefined;
  const outside = former.filter((path) => !scope.some((name) => isWithin(path, name)));
  if (outside.length === 0) return { traced, commits };
  return findPast(names, [...scope, ...outside], sources);
}

function isWithin(path: string, name: string): boolean {
  return name === '' || path === name || path.startsWith(`${name}/`);
}

function describe({ commit, touch }: TracedTouch, { contracts }: Archive): PastFile {
  const { commit: id, author, time } = commit;
  return {
    commit: id,
    author,
    time,
    contracts: contracts(touch.after),
    isDeleted: touch.after === undefined,
  };
}

// In a shallow clone the first commits contain all older files, so their time is a bound.
function gapOf(
  touches: readonly TracedTouch[],
  commits: readonly LoggedCommit[],
  { isShallow }: Clone,
): PastGap | undefined {
  const last = commits.at(mostCommits - 1);
  if (last) return { kind: 'long-log', since: last.time };
  const oldest = touches.at(-1)?.commit.time;
  if (oldest === undefined) return { kind: 'uncommitted' };
  const starts = commits.filter(({ isFirst }) => isFirst).map(({ time }) => time);
  return isShallow ? { kind: 'shallow-clone', since: Math.max(oldest, ...starts) } : undefined;
}
