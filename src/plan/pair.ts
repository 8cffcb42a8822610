/** A file and its live contract. */

import { composed } from '../contract/names.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { identityKey, identityKinds, strongestKind, writtenNames } from '../contract/identity.ts';
import type { Base } from './drift.ts';
import type { FormerFile } from './plan.ts';

/** What commands plan, compare or trace: a file and its live contract, or one of the two. */
export type Pair = FiledPair | StrayPair | MissingPair;

export type FiledPair = {
  /** Completed by the conventions of the catalog. */
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  /** What the files said of it at the base; absent where there is no base. */
  readonly base?: CommittedBase | undefined;
};

/** A live contract that no file means. */
export type StrayPair = Omit<FiledPair, 'desired'> & {
  readonly desired?: undefined;
  /** The file that declared it once. */
  readonly hadFile?: FormerFile | undefined;
  /** Whether a file moved from its name to another live contract: it is never retired. */
  readonly isLeftBehind?: boolean;
};

/** A file whose contract the catalog does not have. */
export type MissingPair = {
  readonly live?: undefined;
  readonly desired: DesiredContract;
  /** The id of the contract, which is deleted and can be restored. */
  readonly deleted?: string | undefined;
};

export function isFiled(pair: Pair): pair is FiledPair {
  return pair.live !== undefined && pair.desired !== undefined;
}

/** A live contract, and its file if it has one. */
export type LivePair = {
  readonly live: LiveContract;
  readonly desired?: DesiredContract | undefined;
};

export function hasLive(pair: Pair): pair is FiledPair | StrayPair {
  return pair.live !== undefined;
}

/** The files of a git revision. */
export type EarlierFiles = {
  /** As the user named it. */
  readonly revision: string;
  readonly commit: string;
  /** Whether it is the commit that is checked out: nothing is committed on top of it. */
  readonly isHead: boolean;
  /** Whether it is the remote's default branch, since the user named none. */
  readonly isDefault?: boolean | undefined;
  readonly contracts: readonly DesiredContract[];
  /** Absent: it is the base of all contracts. It may be the base of none, and name former files. */
  readonly appliesTo?:
    | ((contract: Pick<LiveContract, 'id' | 'fullyQualifiedName'>) => boolean)
    | undefined;
};

export type CommittedBase = Base & {
  readonly commit: string;
  /** Whether the plan is that of the whole default branch: then a contract without a file has lost it. */
  readonly isPlain: boolean;
};

/** The files that mean a live contract. */
export type FileIndex = {
  /** By identity, the strongest kind first: a second one claims what the first has. */
  readonly named: (live: LiveContract) => readonly DesiredContract[];
  /** The file that says that it is this contract under its old name. */
  readonly movedTo: (live: LiveContract) => DesiredContract | undefined;
  /** By its name, or else by its old one. */
  readonly find: (live: LiveContract) => DesiredContract | undefined;
};

export function indexFiles(files: readonly DesiredContract[]): FileIndex {
  const byKind = Map.groupBy(files, ({ identity }) => strongestKind(identity));
  // Only the kinds of identity that the files use.
  const kinds = identityKinds.flatMap((kind) => {
    const own = byKind.get(kind) ?? [];
    const byKey = new Map(own.map((file) => [identityKey(kind, file.identity) ?? '', file]));
    return own.length === 0 ? [] : [{ kind, byKey }];
  });
  const moved = new Map(
    files.flatMap((file) => (file.movedFrom ?? []).map((name) => [composed(name), file] as const)),
  );
  const named = (live: LiveContract): DesiredContract[] => {
    const found: DesiredContract[] = [];
    for (const { kind, byKey } of kinds) {
      const key = identityKey(kind, live);
      const file = key === undefined ? undefined : byKey.get(key);
      if (file) found.push(file);
    }
    return found;
  };
  const movedTo = (live: LiveContract): DesiredContract | undefined => {
    if (moved.size === 0) return undefined;
    const name = writtenNames(live).find((each) => moved.has(each));
    return name === undefined ? undefined : moved.get(name);
  };
  return { named, movedTo, find: (live) => named(live)[0] ?? movedTo(live) };
}

/** The base of a live contract, and the file that declared it once, where there are such. */
export function createBases(revisions: readonly EarlierFiles[]) {
  const bases = revisions.map(
    ({ revision: until, commit, isHead, isDefault, appliesTo, contracts }) => {
      const shared = {
        commit,
        // Nothing is merged on top of it, so what is not applied of it holds.
        holdsWhere: isHead ? (['not-applied'] as const) : [],
        isPlain: isHead && isDefault === true,
      };
      // One for all strays, of which there may be many.
      const undeclared: CommittedBase = { ...shared, declared: undefined };
      return { appliesTo, files: indexFiles(contracts), shared, undeclared, until };
    },
  );
  return {
    baseOf: (live: LiveContract): CommittedBase | undefined => {
      const base = bases.findLast(({ appliesTo }) => !appliesTo || appliesTo(live));
      const declared = base?.files.find(live);
      return base && (declared ? { ...base.shared, declared } : base.undeclared);
    },
    formerFileOf: (live: LiveContract): FormerFile | undefined => {
      for (const { until, files } of bases) {
        const then = files.find(live);
        if (then) return { file: then.source.file, until };
      }
      return undefined;
    },
  };
}
