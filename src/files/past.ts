import { defined } from '../core/json.ts';
import { composed } from '../core/text.ts';
import { literalPath } from './git/run-git.ts';
import { nameIn, type Repository } from './git/repository.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { contractsIn, type ReadOptions } from './files.ts';
import { identityKeys, strongestKind } from '../contract/identity.ts';

export type PastGap = {
  readonly kind:
    | 'shallow-clone'
    | 'no-repository'
    /** git fails, or takes too long. */
    | 'unreadable'
    | 'uncommitted';
  /** The commits are complete from this time, in epoch milliseconds. */
  readonly since?: number;
};

export type FilePast = {
  readonly commits: readonly {
    readonly commit: string;
    readonly author: string;
    readonly time: number;
    // Empty where the commit removed the file or left errors in it.
    readonly contracts: readonly DesiredContract[];
    readonly isDeleted: boolean;
  }[];
  readonly gap?: PastGap;
};

/** By the current file name. */
export type PastFiles = (file: string) => FilePast;

/**
 * All commits that changed the files, across renames: those behind HEAD, or those by which a branch
 * reached a commit. Runs git log once for the folders of contracts, and again where contracts came
 * from outside of them.
 */
export async function readPast(
  files: readonly string[],
  include: readonly string[],
  repository: Repository,
  rules: ReadOptions,
  branchAt?: string,
): Promise<PastFiles> {
  const known = repository.isShallow();
  if (known === undefined) {
    const kind = repository.place ? 'unreadable' : 'no-repository';
    return () => ({ commits: [], gap: { kind } });
  }
  const archive = openArchive(repository, rules);
  const namesOf = (paths: readonly string[]) =>
    paths.flatMap((path) => nameIn(repository, path) ?? []);
  const names = namesOf(files);
  let scope = outermost(namesOf([...include.map(literalStart), ...files]));
  for (;;) {
    const commits = await readLog(scope, repository, branchAt);
    const traced = commits && (await traceFiles(names, commits, archive));
    if (!traced || !archive.isWhole()) return () => ({ commits: [], gap: { kind: 'unreadable' } });
    const wider = outermost([...scope, ...traced.names]);
    const isFollowed = wider.join('\0') === scope.join('\0');
    scope = wider;
    if (!isFollowed) continue;
    return (file) => {
      const name = nameIn(repository, file);
      if (name === undefined) return { commits: [], gap: { kind: 'no-repository' } };
      const touches = traced.touchesOf(name);
      const past = touches.map(({ commit: { commit, author, time }, after }) => {
        const { contracts } = archive.find(after);
        return { commit, author, time, contracts, isDeleted: after === undefined };
      });
      return { commits: past, ...defined({ gap: gapOf(touches, commits, known) }) };
    };
  }
}

function literalStart(glob: string): string {
  const start = glob.search(/[*?[{]/u);
  return start < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', start)));
}

// With more names git is slow: it compares every path of a tree with each of them.
const mostNames = 50;

// Without those that are in a folder of another; an empty one is the whole repository.
function outermost(names: readonly string[]): readonly string[] {
  const distinct = [...new Set(names)];
  const outer = distinct.filter(
    (name) =>
      !distinct.some((other) => name !== other && (other === '' || name.startsWith(`${other}/`))),
  );
  return outer.length > mostNames ? [''] : outer;
}

// In a shallow clone the first commits contain all older files, so their time is a bound.
function gapOf(
  touches: readonly Touch[],
  commits: readonly LoggedCommit[],
  isShallowClone: boolean,
): PastGap | undefined {
  const oldest = touches.at(-1)?.commit.time;
  if (oldest === undefined) return { kind: 'uncommitted' };
  const starts = commits.filter(({ isFirst }) => isFirst).map(({ time }) => time);
  return isShallowClone ? { kind: 'shallow-clone', since: Math.max(oldest, ...starts) } : undefined;
}

/** `rank` is that of the newest commit at which the contracts were at this path. */
type Origin = { readonly path: string; readonly rank: number };

/**
 * A contract comes from the path its file was renamed from, or from a file that lost it in the same
 * commit. All paths are of the repository.
 */
async function traceFiles(
  paths: readonly string[],
  commits: readonly LoggedCommit[],
  archive: Archive,
) {
  const log: Log = Map.groupBy(
    commits.flatMap(({ touches }) => touches),
    ({ path }) => path,
  );
  // Of each path of today: those that its contracts were at, each with its rank.
  const lineages = new Map(paths.map((path) => [path, new Map([[path, 0]])]));
  let open = [...lineages].map(([path, lineage]) => ({ lineage, origin: { path, rank: 0 } }));
  while (open.length > 0) {
    const touched = open.flatMap(({ lineage, origin }) =>
      touchesFrom(origin, log).map((touch) => ({ lineage, touch })),
    );
    await archive.load(touched.map(({ touch }) => touch));
    const arrivals = touched.filter(({ touch }) => isArrival(touch, archive));
    await archive.load(
      arrivals.flatMap(({ touch }) =>
        touch.commit.touches.filter(({ path }) => /\.ya?ml$/iu.test(path)),
      ),
    );
    open = arrivals.flatMap(({ lineage, touch }) =>
      newOrigins(touch, lineage, archive).map((origin) => ({ lineage, origin })),
    );
  }
  return {
    names: [...lineages.values()].flatMap((lineage) => [...lineage.keys()]),
    /** Newest first. */
    touchesOf: (name: string): readonly Touch[] => {
      const lineage = [...(lineages.get(name) ?? [])];
      const touches = lineage.flatMap(([path, rank]) => touchesFrom({ path, rank }, log));
      return touches.toSorted((a, b) => a.commit.rank - b.commit.rank);
    },
  };
}

function touchesFrom({ path, rank: newest }: Origin, log: Log): readonly Touch[] {
  return (log.get(path) ?? []).filter(({ commit }) => commit.rank >= newest);
}

function isArrival(touch: Touch, archive: Archive): boolean {
  if (touch.commit.isFirst) return false;
  return touch.from !== undefined || arrivedBy(touch, archive).length > 0;
}

function arrivedBy({ before, after }: Touch, { find }: Archive): readonly string[] {
  const { identities: had } = find(before);
  return find(after).identities.filter((key) => !had.includes(key));
}

/** Those that the lineage lacks so far, which is told of them. */
function newOrigins(touch: Touch, lineage: Map<string, number>, archive: Archive) {
  const origins = originsOf(touch, archive).filter(
    ({ path, rank }) => rank < (lineage.get(path) ?? Infinity),
  );
  for (const { path, rank } of origins) lineage.set(path, rank);
  return origins;
}

function originsOf(touch: Touch, archive: Archive): readonly Origin[] {
  const { commit, path } = touch;
  const { rank } = commit;
  const arrived = arrivedBy(touch, archive);
  const origins: Origin[] = [];
  for (const other of commit.touches) {
    const { identities: kept } = archive.find(other.after);
    const { identities: had } = archive.find(other.before);
    const hasLost = had.some((key) => arrived.includes(key) && !kept.includes(key));
    if (hasLost) origins.push({ path: other.from ?? other.path, rank });
    if (other.path === path && other.from !== undefined) origins.push({ path: other.from, rank });
  }
  return origins;
}

type Log = ReadonlyMap<string, readonly Touch[]>;

type Declared = {
  readonly contracts: readonly DesiredContract[];
  readonly identities: readonly string[];
};

type Archive = ReturnType<typeof openArchive>;

function openArchive({ readBlobs }: Repository, rules: ReadOptions) {
  const known = new Map<string, Declared>();
  let isWhole = true;
  return {
    load: async (touches: readonly Touch[]) => {
      const ids = new Set(touches.flatMap(({ before = [], after = [] }) => [before, after].flat()));
      const wanted = [...ids].filter((id) => !known.has(id));
      const blobs = await readBlobs(wanted);
      for (const id of wanted) {
        const bytes = blobs?.get(id);
        isWhole &&= bytes !== undefined;
        // The blob's id serves as the file name: no diagnostic shows it.
        const contracts = bytes ? contractsIn({ file: id, bytes }, rules) : [];
        const identities = contracts.flatMap(({ identity }) => {
          const kind = strongestKind(identity);
          return kind === undefined ? [] : identityKeys(identity, [kind]);
        });
        known.set(id, { contracts, identities });
      }
    },
    // Empty where the blob is absent or has errors.
    find: (id: string | undefined): Declared =>
      known.get(id ?? '') ?? { contracts: [], identities: [] },
    isWhole: () => isWhole,
  };
}

type Touch = {
  readonly commit: LoggedCommit;
  /** From the top of the repository. */
  readonly path: string;
  /** Its former name, where git detects a rename. */
  readonly from?: string;
  /** Blob ids before and after; absent where the file did not exist, or for a submodule. */
  readonly before?: string;
  readonly after?: string;
};

type LoggedCommit = {
  readonly commit: string;
  readonly author: string;
  /** Commit time in epoch milliseconds. */
  readonly time: number;
  /** 0 is the newest. */
  readonly rank: number;
  /** Whether it is the root commit, or the cut of a shallow clone. */
  readonly isFirst: boolean;
  readonly touches: Touch[];
};

/**
 * The commits that changed these files and folders, named from the top of the repository, newest
 * first, each with all that it changed. In the history of HEAD, a merge counts if it differs from
 * each of its parents; of a branch, for everything that it brought. Undefined where git fails.
 */
async function readLog(names: readonly string[], { read }: Repository, branchAt?: string) {
  const walk =
    branchAt === undefined
      ? ['--full-history', '-c']
      : ['--first-parent', branchAt, '--diff-merges=first-parent'];
  const output = await read('log', ...walk, ...shown, '--', ...names.map(literalPath));
  return output && parseLog(output);
}

const mark = 'commit';

const shown = [
  '--full-diff',
  `--format=${mark}%x00%H%x00%an%x00%ct%x00%P`,
  '--encoding=UTF-8',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--no-abbrev',
  '--raw',
  '-M',
  '-z',
];

// Fields are separated by NULs, which no name can hold, and told apart by their order.
function parseLog(output: Buffer): readonly LoggedCommit[] {
  const words = output.toString().split('\0').values();
  const next = (): string => words.next().value ?? '';
  const commits: LoggedCommit[] = [];
  for (const word of words) {
    if (word === mark) {
      const [commit, author, seconds, parents] = [next(), next(), next(), next()];
      const time = Number(seconds) * 1000;
      const rank = commits.length;
      commits.push({ commit, author, time, rank, isFirst: parents === '', touches: [] });
    }
    const [, colons = '', rest = ''] = /^\n?(:+)(.*)$/u.exec(word) ?? [];
    const commit = commits.at(-1);
    if (colons !== '') commit?.touches.push(parseTouch(rest, colons.length, next, commit));
  }
  return commits;
}

// `<modes> <ids> <status>` of each parent and the commit; then the path, or two for a rename.
function parseTouch(
  text: string,
  parents: number,
  next: () => string,
  commit: LoggedCommit,
): Touch {
  const fields = text.split(' ');
  const before = blobOf(fields[0], fields[parents + 1]);
  const after = blobOf(fields[parents], fields[2 * parents + 1]);
  const from = /^[RC]\d+$/u.test(fields.at(-1) ?? '') ? next() : undefined;
  return {
    commit,
    path: composed(next()),
    ...(from !== undefined && { from: composed(from) }),
    ...defined({ before, after }),
  };
}

function blobOf(mode: string | undefined, id: string | undefined): string | undefined {
  return /^1[02]0/u.test(mode ?? '') ? id : undefined;
}
