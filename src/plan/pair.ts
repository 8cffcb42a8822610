/** A file and its live contract. */

import { indexFiles } from '../contract/identity.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { Base } from './drift.ts';
import type { ContractPlan, FormerFile } from './plan.ts';

export type Pair = FiledPair | StrayPair | MissingPair;

export type FiledPair = {
  /** Completed by the catalog's conventions. */
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly base?: CommittedBase | undefined;
};

export type StrayPair = Omit<FiledPair, 'desired'> & {
  readonly desired?: undefined;
  readonly hadFile?: FormerFile | undefined;
  /** Whether a file moved from its name to another live contract; if so, it is never retired. */
  readonly isLeftBehind?: boolean;
};

export type MissingPair = {
  readonly live?: undefined;
  readonly desired: DesiredContract;
  /** The id of the contract, if it is deleted and can be restored. */
  readonly deleted?: string | undefined;
};

export type PlannedPair = { readonly pair: Pair; readonly plan: ContractPlan | undefined };

export function isFiled(pair: Pair): pair is FiledPair {
  return pair.live !== undefined && pair.desired !== undefined;
}

export type LivePair = {
  readonly live: LiveContract;
  readonly desired?: DesiredContract | undefined;
};

export function hasLive(pair: Pair): pair is FiledPair | StrayPair {
  return pair.live !== undefined;
}

export type EarlierFiles = {
  readonly revision: string;
  readonly commit: string;
  /** Whether it is the checked-out commit, on top of which nothing is committed. */
  readonly isHead: boolean;
  readonly isDefault?: boolean | undefined;
  readonly contracts: readonly DesiredContract[];
  /** Contracts of which it is the base; absent: all. */
  readonly appliesTo?:
    | ((contract: Pick<LiveContract, 'id' | 'fullyQualifiedName'>) => boolean)
    | undefined;
};

export type Revisions = {
  /** The last that applies to a contract tells drift from changes of its file. */
  readonly bases?: readonly EarlierFiles[] | undefined;
  /** The start of `--changed-since`, no base: a contract without a file may have had one there. */
  readonly before?: Pick<EarlierFiles, 'revision' | 'contracts'> | undefined;
};

export type CommittedBase = Base & {
  readonly commit: string;
  /**
   * Whether the plan is of the whole default branch, so that a contract without a file has lost it.
   */
  readonly isPlain: boolean;
};

export function createBases({ bases: revisions = [], before }: Revisions) {
  const bases = revisions.map(({ revision, commit, isHead, isDefault, appliesTo, contracts }) => {
    const shared = {
      commit,
      // Nothing is committed on top, so changes of it that are not applied still count.
      holdsWhere: isHead ? (['not-applied'] as const) : [],
      isPlain: isHead && isDefault === true,
    };
    // Shared by all contracts without a file, of which there may be many.
    const undeclared: CommittedBase = { ...shared, declared: undefined };
    return { appliesTo, files: indexFiles(contracts), shared, undeclared, revision };
  });
  const former = [
    ...(before ? [{ revision: before.revision, files: indexFiles(before.contracts) }] : []),
    ...bases.filter(({ appliesTo }) => !appliesTo),
  ];
  return {
    baseOf: (live: LiveContract): CommittedBase | undefined => {
      const base = bases.findLast(({ appliesTo }) => !appliesTo || appliesTo(live));
      const declared = base?.files.find(live);
      return base && (declared ? { ...base.shared, declared } : base.undeclared);
    },
    formerFileOf: (live: LiveContract): FormerFile | undefined => {
      for (const { revision: until, files } of former) {
        const then = files.find(live);
        if (then) return { file: then.source.file, until };
      }
      return undefined;
    },
  };
}
