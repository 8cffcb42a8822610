/** Follows files through the commits of a repository, across renames. */

import type { Archive } from './archive.ts';
import type { LoggedCommit, Touch } from './git/log.ts';

export type TracedTouch = {
  readonly commit: LoggedCommit;
  readonly rank: number;
  readonly touch: Touch;
};

export type TracedFiles = {
  /** By path in the repository, newest first. */
  readonly traced: ReadonlyMap<string, readonly TracedTouch[]>;
  /** All paths the files had, also outside of the log. */
  readonly names: readonly string[];
};

/**
 * A contract comes from the path its file was renamed or copied from, or from a file that lost it
 * in the same commit.
 */
export async function traceFiles(
  paths: readonly string[],
  commits: readonly LoggedCommit[],
  archive: Archive,
): Promise<TracedFiles> {
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
    traced: new Map([...lineages].map(([path, names]) => [path, touchesOf(names, index)])),
    names: [...lineages.values()].flatMap((names) => [...names.keys()]),
  };
}

// `rank` is the newest commit at which the contracts were at this path.
type Origin = { readonly path: string; readonly rank: number };
type Step = Origin & { readonly names: Map<string, number> };

function touchesOf(names: ReadonlyMap<string, number>, index: TouchIndex): TracedTouch[] {
  return [...names]
    .flatMap(([path, rank]) => touchesFrom({ path, rank }, index))
    .toSorted((a, b) => a.rank - b.rank);
}

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
    const had = archive.identities(each.touch.before);
    const arrived = archive.identities(each.touch.after).filter((key) => !had.includes(key));
    const isArrival = arrived.length > 0 || each.touch.from !== undefined;
    return isArrival && !each.commit.isFirst ? [{ ...each, arrived }] : [];
  });
  const whole = await archive.touches(arrivals.map(({ commit }) => commit.commit));
  const told = arrivals.map((each) => ({ ...each, touches: whole.get(each.commit.commit) ?? [] }));
  const others = told.flatMap(({ touches }) =>
    touches.filter(({ path }) => /\.ya?ml$/iu.test(path)),
  );
  await archive.load(others.flatMap(({ before, after }) => [before, after]));
  return told;
}

function originsOf(
  { touch: { path, before, after }, rank, arrived, touches }: Arrival,
  { byContent }: TouchIndex,
  { identities }: Archive,
): readonly Origin[] {
  const lost = touches
    .filter((other) => {
      const kept = identities(other.after);
      return identities(other.before).some((key) => arrived.includes(key) && !kept.includes(key));
    })
    .map((other) => ({ path: other.from ?? other.path, rank }));
  const renamed = touches.flatMap((other) =>
    other.path === path && other.from !== undefined ? [{ path: other.from, rank }] : [],
  );
  const isNew = before === undefined && after !== undefined;
  const copied = isNew ? (byContent.get(after) ?? []).filter((other) => other.rank > rank) : [];
  return [...lost, ...renamed, ...copied];
}

type TouchIndex = {
  readonly byPath: ReadonlyMap<string, readonly TracedTouch[]>;
  readonly byContent: ReadonlyMap<string, readonly Origin[]>;
};

function indexTouches(commits: readonly LoggedCommit[]): TouchIndex {
  const all = commits.flatMap((commit, rank) =>
    commit.touches.map((touch) => ({ commit, rank, touch })),
  );
  const contents = all.flatMap(({ touch: { path, after }, rank }) =>
    after === undefined ? [] : [{ after, origin: { path, rank } }],
  );
  const byContent = Map.groupBy(contents, ({ after }) => after);
  return {
    byPath: Map.groupBy(all, ({ touch }) => touch.path),
    byContent: new Map([...byContent].map(([id, own]) => [id, own.map(({ origin }) => origin)])),
  };
}
