import type { ApartReason, DesiredContract, LiveContract } from '../contract/contract.ts';
import { contractLabel, indexFiles, strongestKind } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';
import type { LivePlace } from '../patch/merge.ts';
import type { ContractPlan, FormerFile, LiveIdentity } from './plan.ts';

export type Pair = FiledPair | StrayPair | MissingPair;

export type FiledPair = {
  /** Completed by the catalog's conventions. */
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly base?: CommittedBase | undefined;
};

export type StrayPair = {
  readonly live: LiveContract;
  readonly desired?: undefined;
  readonly base?: CommittedBase | undefined;
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

export type Base = {
  /**
   * The file's declaration at the base; absent if there was none, so the file asks for everything.
   */
  readonly declared: DesiredContract | undefined;
  /** Why live differs from the base at a place; absent: the catalog was edited. */
  readonly reasonOf?: ((place: LivePlace) => ApartReason) | undefined;
  /** Reasons for which the file's value counts, although it equals the base. */
  readonly holdsWhere?: readonly ApartReason['kind'][];
};

type CommittedBase = Base & {
  readonly commit: string;
  /**
   * Whether the plan is of the whole default branch, so that a contract without a file has lost it.
   */
  readonly isPlain: boolean;
};

export type LivePair = {
  readonly live: LiveContract;
  readonly desired?: DesiredContract | undefined;
};

export type PlannedPair = { readonly pair: Pair; readonly plan: ContractPlan | undefined };

export function isFiled(pair: Pair): pair is FiledPair {
  return pair.live !== undefined && pair.desired !== undefined;
}

export type EarlierFiles = {
  readonly revision: string;
  readonly commit: string;
  /** Whether it is the checked-out commit, on top of which nothing is committed. */
  readonly isHead: boolean;
  readonly isDefault?: boolean | undefined;
  readonly contracts: readonly DesiredContract[];
  /** Contracts of which it is the base; absent: all. */
  readonly appliesTo?: ((contract: LiveIdentity) => boolean) | undefined;
};

export type Revisions = {
  /** The last that applies to a contract tells drift from changes of its file. */
  readonly bases?: readonly EarlierFiles[] | undefined;
  /** The start of `--changed-since`, no base: a contract without a file may have had one there. */
  readonly before?: Pick<EarlierFiles, 'revision' | 'contracts'> | undefined;
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

export type Listed = {
  readonly contracts: readonly LiveContract[];
  /** Those that a file means, and that can be restored. */
  readonly deleted: readonly LiveContract[];
};

export type FileIndex = ReturnType<typeof indexFiles>;

type Moving = { readonly live: LiveContract; readonly file: DesiredContract };

/** In the order of the list, then moved contracts, then files without one. */
export function matchContracts(
  desired: readonly DesiredContract[],
  files: FileIndex,
  { contracts, deleted }: Listed,
  revisions: Revisions,
  isPlanned: (file: DesiredContract) => boolean = () => true,
): { readonly pairs: readonly Pair[]; readonly diagnostics: readonly Diagnostic[] } {
  const { baseOf, formerFileOf } = createBases(revisions);
  const idsOf = new Map<DesiredContract, string[]>();
  const claim = (file: DesiredContract, { id }: LiveContract): void => {
    const ids = idsOf.get(file);
    if (ids) ids.push(id);
    else idsOf.set(file, [id]);
  };
  const strayOf = (live: LiveContract): StrayPair => ({
    live,
    base: baseOf(live),
    hadFile: formerFileOf(live),
  });
  const pairs: Pair[] = [];
  const moving: Moving[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const live of contracts) {
    const claimants = files.named(live);
    const [file, ...rivals] = claimants;
    const mover = file ? undefined : files.movedTo(live);
    if (file) pairs.push({ live, desired: file, base: baseOf(live) });
    else if (mover) moving.push({ live, file: mover });
    else pairs.push(strayOf(live));
    for (const claimant of claimants) claim(claimant, live);
    for (const rival of rivals) diagnostics.push(claimedTwice(live, file ?? rival, rival));
  }
  // Several may have been named by one file.
  const both = new Set(moving.filter(({ file }) => idsOf.has(file)));
  for (const moved of moving) {
    const { live, file } = moved;
    if (both.has(moved)) {
      pairs.push({ ...strayOf(live), isLeftBehind: true });
    } else {
      claim(file, live);
      pairs.push({ live, desired: file, base: baseOf(live) });
    }
  }
  const deletedIds = new Map(
    deleted.flatMap((live) => files.named(live).map((file) => [file, live.id] as const)),
  );
  for (const file of desired)
    if (!idsOf.has(file)) pairs.push({ desired: file, deleted: deletedIds.get(file) });
  for (const [file, ids] of idsOf) if (ids.length > 1) diagnostics.push(ambiguous(file, ids));
  const leftBehind = [...both].filter(({ file }) => isPlanned(file));
  return { pairs, diagnostics: [...diagnostics, ...leftBehind.map(bothLive)] };
}

function claimedTwice(live: LiveContract, first: DesiredContract, second: DesiredContract) {
  const { file, line } = first.source;
  const message = `${contractLabel(live)} is already declared at ${file}:${line}.`;
  const hint = 'Keep one of the two: a contract has one file.';
  const { source } = second;
  return { code: 'duplicate-contract', severity: 'error', message, hint, source } as const;
}

function ambiguous({ identity, source }: DesiredContract, liveIds: readonly string[]): Diagnostic {
  const ids = liveIds.toSorted(compareCodeUnits).join(', ');
  const message = `${contractLabel(identity)} matches several live contracts: ${ids}.`;
  const hint =
    strongestKind(identity) === 'entity.fullyQualifiedName'
      ? "Set `odcs.name` in the configuration: an entity with several contracts needs the contract's name too."
      : 'Add the `id` of the one you mean.';
  return { code: 'ambiguous-identity', severity: 'error', message, hint, source };
}

function bothLive({ live, file }: Moving): Diagnostic {
  const message = `${contractLabel(live)} and ${contractLabel(file.identity)} are both live: they are two contracts, so nothing moved.`;
  const hint =
    'The old one is left alone. Remove `movedFrom` to have it count as a contract without a file.';
  const source = file.locate(['movedFrom']);
  return { code: 'moved-to-another', severity: 'warning', message, hint, source };
}
