import {
  type CommitHead,
  type History,
  type LoggedCommit,
  mostCommits,
  readBlobs,
  readCommits,
  readLog,
  type Touch,
} from './git/commit.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { type Clone, findClone, findGitFolder } from './git/run-git.ts';
import { contractsIn, type ReadOptions } from './files.ts';
import { identityKeys, strongestKind } from '../contract/identity.ts';

/** What files declared at their past commits. */

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
  readonly commits: readonly (CommitHead & {
    // Empty where the commit removed the file or left errors in it.
    readonly contracts: readonly DesiredContract[];
    readonly isDeleted: boolean;
  })[];
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
      const gap = gapOf(touches, commits, repository);
      const past = touches.map(({ commit: { commit, author, time }, touch: { after } }) => ({
        commit,
        author,
        time,
        contracts: archive.find(after).contracts,
        isDeleted: after === undefined,
      }));
      return { commits: past, ...(gap && { gap }) };
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
  {
    touch: { path, before, after },
    rank,
    arrived,
    touches,
  }: TracedTouch & {
    readonly arrived: readonly string[];
    readonly touches: readonly Touch[];
  },
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
