import { defined } from '../core/json.ts';
import { composed } from '../core/text.ts';
import { dirname } from 'node:path/posix';
import { askGit, type Clone, findClone, findGitFolder, literalPath } from './git/run-git.ts';
import { readBlobs } from './git/repository.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { contractsIn, type ReadOptions } from './files.ts';
import { identityKeys, strongestKind } from '../contract/identity.ts';

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
 * All commits that changed the files, across renames. Runs git log once for the folders of
 * contracts, and again where contracts came from outside of them.
 */
export async function readPast(
  files: readonly string[],
  { root, include }: { readonly root: string; readonly include: readonly string[] },
  rules: ReadOptions,
  history: History = {},
): Promise<PastFiles> {
  const repository = await findClone(root);
  if (!repository) {
    const kind = findGitFolder(root) === undefined ? 'no-repository' : 'unreadable';
    return () => ({ commits: [], gap: { kind } });
  }
  const { nameOf, top } = repository;
  const archive = openArchive(top, rules, history);
  const names = files.flatMap((file) => nameOf(file) ?? []);
  const scope = [...include.map(literalStart), ...files].flatMap((path) => nameOf(path) ?? []);
  for (;;) {
    const commits = await readLog(scope, top, history);
    const found = commits && (await traceFiles(names, commits, archive));
    if (!found || !archive.isWhole()) return () => ({ commits: [], gap: { kind: 'unreadable' } });
    const outside = found.names.filter((path) =>
      scope.every((name) => name !== '' && path !== name && !path.startsWith(`${name}/`)),
    );
    scope.push(...outside);
    if (outside.length > 0) continue;
    return (file) => {
      const name = nameOf(file);
      if (name === undefined) return { commits: [], gap: { kind: 'no-repository' } };
      const touches = found.traced.get(name) ?? [];
      const past = touches.map(({ commit: { commit, author, time }, touch: { after } }) => {
        const { contracts } = archive.find(after);
        return { commit, author, time, contracts, isDeleted: after === undefined };
      });
      return { commits: past, ...defined({ gap: gapOf(touches, commits, repository) }) };
    };
  }
}

function literalStart(glob: string): string {
  const start = glob.search(/[*?[{]/u);
  return start < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', start)));
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

type TracedTouch = {
  readonly commit: LoggedCommit;
  readonly rank: number;
  readonly touch: Touch;
};

/**
 * A contract comes from the path its file was renamed or copied from, or from a file that lost it
 * in the same commit.
 */
async function traceFiles(
  paths: readonly string[],
  commits: readonly LoggedCommit[],
  archive: Archive,
) {
  const index = indexTouches(commits);
  const lineages = new Map(paths.map((path) => [path, new Map([[path, 0]])]));
  let open: Step[] = [...lineages].map(([path, names]) => ({ names, path, rank: 0 }));
  while (open.length > 0) {
    const arrivals = await findArrivals(open, index, archive);
    open = arrivals.flatMap(({ names, ...arrival }) =>
      originsOf(arrival, index, archive).flatMap((origin) => {
        if (origin.rank >= (names.get(origin.path) ?? Infinity)) return [];
        names.set(origin.path, origin.rank);
        return { names, ...origin };
      }),
    );
  }
  return {
    // By path in the repository, newest first.
    traced: new Map(
      [...lineages].map(([name, names]) => {
        const touches = [...names].flatMap(([path, rank]) => touchesFrom({ path, rank }, index));
        return [name, touches.toSorted((a, b) => a.rank - b.rank)];
      }),
    ),
    // All paths the files had, also outside of the log.
    names: [...lineages.values()].flatMap((names) => [...names.keys()]),
  };
}

// `rank` is the newest commit at which the contracts were at this path.
type Origin = { readonly path: string; readonly rank: number };
type Step = Origin & { readonly names: Map<string, number> };

function touchesFrom({ path, rank: newest }: Origin, { byPath }: TouchIndex): TracedTouch[] {
  return (byPath.get(path) ?? []).filter(({ rank }) => rank >= newest);
}

type Arrival = TracedTouch & {
  readonly arrived: readonly string[];
  readonly touches: readonly Touch[];
};

async function findArrivals(open: readonly Step[], index: TouchIndex, archive: Archive) {
  const touched = open.flatMap(({ names, ...origin }) =>
    touchesFrom(origin, index).map((each) => ({ names, ...each })),
  );
  await archive.load(touched.flatMap(({ touch: { before, after } }) => [before, after]));
  const arrivals = touched.flatMap((each) => {
    const { identities: had } = archive.find(each.touch.before);
    const { identities: has } = archive.find(each.touch.after);
    const arrived = has.filter((key) => !had.includes(key));
    const isArrival = arrived.length > 0 || each.touch.from !== undefined;
    return isArrival && !each.commit.isFirst ? [{ ...each, arrived }] : [];
  });
  const whole = await archive.touches(arrivals.map(({ commit }) => commit.commit));
  const dated = arrivals.map((each) => ({ ...each, touches: whole.get(each.commit.commit) ?? [] }));
  const others = dated.flatMap(({ touches }) =>
    touches.filter(({ path }) => /\.ya?ml$/iu.test(path)),
  );
  await archive.load(others.flatMap(({ before, after }) => [before, after]));
  return dated;
}

function originsOf(
  { touch: { path, before, after }, rank, arrived, touches }: Arrival,
  { byContent }: TouchIndex,
  { find }: Archive,
): readonly Origin[] {
  const lost = touches
    .filter((other) => {
      const { identities: kept } = find(other.after);
      const { identities: had } = find(other.before);
      return had.some((key) => arrived.includes(key) && !kept.includes(key));
    })
    .map((other) => ({ path: other.from ?? other.path, rank }));
  const renamed = touches.flatMap((other) =>
    other.path === path && other.from !== undefined ? [{ path: other.from, rank }] : [],
  );
  const isNew = before === undefined && after !== undefined;
  const copies = isNew ? (byContent.get(after) ?? []) : [];
  const copied = copies
    .filter((other) => other.rank > rank)
    .map((other) => ({ path: other.touch.path, rank: other.rank }));
  return [...lost, ...renamed, ...copied];
}

type TouchIndex = ReturnType<typeof indexTouches>;

function indexTouches(commits: readonly LoggedCommit[]) {
  const all = commits.flatMap((commit, rank) =>
    commit.touches.map((touch): TracedTouch => ({ commit, rank, touch })),
  );
  return {
    byPath: Map.groupBy(all, ({ touch }) => touch.path),
    byContent: Map.groupBy(all, ({ touch }) => touch.after),
  };
}

type Declared = {
  readonly contracts: readonly DesiredContract[];
  readonly identities: readonly string[];
};

type Archive = ReturnType<typeof openArchive>;

function openArchive(top: string, rules: ReadOptions, history: History) {
  const known = new Map<string, Declared>();
  let isWhole = true;
  return {
    load: async (ids: readonly (string | undefined)[]) => {
      const named = new Set(ids.filter((id) => id !== undefined));
      const wanted = [...named].filter((id) => !known.has(id));
      const blobs = await readBlobs(wanted, top);
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
    touches: async (commits: readonly string[]) => {
      const read = await readCommits([...new Set(commits)], top, history);
      isWhole &&= read !== undefined;
      return new Map(read?.map(({ commit, touches }) => [commit, touches]));
    },
    isWhole: () => isWhole,
  };
}

type Touch = {
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
  /** Whether it is the root commit, or the cut of a shallow clone. */
  readonly isFirst: boolean;
  readonly touches: readonly Touch[];
};

/** More would take git longer than some seconds. */
const mostCommits = 20_000;

/** The commits behind HEAD, or those by which a branch reached a commit. */
type History = { readonly branchAt?: string };

/**
 * The commits that changed these files and folders, named from the top of the repository, newest
 * first; none before the first commit. In the history of HEAD, a merge counts if it differs from
 * each of its parents; of a branch, for everything that it brought. Undefined where git fails.
 */
async function readLog(names: readonly string[], top: string, history: History = {}) {
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

async function readCommits(commits: readonly string[], top: string, history: History = {}) {
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
