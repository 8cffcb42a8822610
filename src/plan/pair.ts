/** Pairs files with live contracts: collected while the list arrives, paired at its end. */

import { contractLabel, idKey, indexFiles, strongestKind } from '../contract/identity.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { Base } from './drift.ts';
import type { ContractPlan, FormerFile } from './plan.ts';
import type { Conventions } from '../contract/conventions.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits, defined, type JsonObject } from '../core/json.ts';
import { quote } from '../core/text.ts';

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

export type CatalogMatching = {
  /** Keeps a contract whole if a file may mean it, else only its identity and status. */
  readonly reduce: (live: LiveContract) => LiveContract;
  readonly add: (reduced: LiveContract) => void;
  readonly missing: (isPlanned: (file: DesiredContract) => boolean) => DesiredContract[];
  readonly addMissed: (live: LiveContract, isDeleted: boolean) => void;
  /** In the order of the list, then moved contracts, then files without one. */
  readonly pairs: (revisions: Revisions) => Matched;
};

type Matched = {
  readonly pairs: readonly Pair[];
  readonly problems: (isPlanned: (file: DesiredContract) => boolean) => Diagnostic[];
};

/** `keeps` selects contracts to keep whole although no file means them. */
export function matchContracts(
  desired: readonly DesiredContract[],
  { fromWire }: Pick<Conventions, 'fromWire'>,
  keeps: (live: LiveContract) => boolean,
): CatalogMatching {
  const files = indexFiles(desired);
  const contracts = new Map<string, LiveContract>();
  const deleted: LiveContract[] = [];
  const found = new Set<DesiredContract>();
  const taken = new Set<string>();
  let missing: ReadonlySet<DesiredContract> = new Set();
  return {
    // Notes nothing: a page that is read again may lack a contract that it had.
    reduce: (row) => {
      const live = fromWire(row);
      return files.find(live) !== undefined || keeps(live) ? row : headOf(row);
    },
    add: (row) => {
      const live = fromWire(row);
      const key = idKey(live.id);
      contracts.set(key, live);
      const named = live.document === noFields ? [] : files.named(live);
      for (const file of named) found.add(file);
      if (named.length > 0) taken.add(key);
    },
    missing: (isPlanned) => {
      const notFound = desired.filter((file) => !found.has(file) && isPlanned(file));
      missing = new Set(notFound);
      return notFound;
    },
    addMissed: (row, isDeleted) => {
      const live = fromWire(row);
      const key = idKey(live.id);
      if (taken.has(key)) return;
      const means = [...files.named(live), files.movedTo(live)];
      if (!means.some((file) => file && missing.has(file))) return;
      if (isDeleted) deleted.push(live);
      // It may have been listed under another name, without a file.
      else contracts.set(key, live);
    },
    pairs: (revisions) =>
      pairUp({ desired, files }, [...contracts.values()], deleted, createBases(revisions)),
  };
}

// A catalog has many contracts without a file.
function headOf({ id, name, fullyQualifiedName, entityStatus, entity }: LiveContract) {
  return defined({ id, name, fullyQualifiedName, entityStatus, entity, document: noFields });
}

// Also marks a reduced contract, which `add` need not match with the files again.
const noFields: JsonObject = {};

type Moving = { readonly live: LiveContract; readonly file: DesiredContract };

function pairUp(
  {
    desired,
    files,
  }: Readonly<{ desired: readonly DesiredContract[]; files: ReturnType<typeof indexFiles> }>,
  contracts: readonly LiveContract[],
  deleted: readonly LiveContract[],
  { baseOf, formerFileOf }: ReturnType<typeof createBases>,
): Matched {
  const idsOf = new Map<DesiredContract, string[]>();
  const moving: Moving[] = [];
  const claims: Diagnostic[] = [];
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
  const pairs = contracts.flatMap((live): Pair | readonly Pair[] => {
    const claimants = files.named(live);
    const file = claimants[0];
    if (file) {
      for (const rival of claimants.slice(1)) claims.push(claimedTwice(live, file, rival));
      for (const claimant of claimants) claim(claimant, live);
      return { live, desired: file, base: baseOf(live) };
    }
    const mover = files.movedTo(live);
    if (!mover) return strayOf(live);
    moving.push({ live, file: mover });
    return [];
  });
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
  const deletedOf = new Map<DesiredContract, string>();
  for (const live of deleted) {
    const file = files.named(live).find((each) => !idsOf.has(each));
    if (file) deletedOf.set(file, live.id);
  }
  const missing = desired.filter((file) => !idsOf.has(file));
  for (const file of missing) pairs.push({ desired: file, deleted: deletedOf.get(file) });
  return {
    pairs,
    problems: (isPlanned) => {
      const movers = new Set(moving.map(({ file }) => file));
      const idle = desired.filter(
        (file) => file.movedFrom && !movers.has(file) && idsOf.has(file) && isPlanned(file),
      );
      const isRuleUsed = movers.values().some(({ isMovedByRule }) => isMovedByRule);
      const isRuleIdle = !isRuleUsed && idle.some(({ isMovedByRule }) => isMovedByRule);
      return [
        ...claims,
        ...[...idsOf].flatMap(([file, ids]) => (ids.length > 1 ? ambiguous(file, ids) : [])),
        ...[...both].filter(({ file }) => isPlanned(file)).map(bothLive),
        ...idle.filter(({ isMovedByRule }) => !isMovedByRule).map(withoutEffect),
        ...(isRuleIdle ? [ruleWithoutEffect] : []),
      ];
    },
  };
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

const ruleWithoutEffect: Diagnostic = {
  code: 'moved-without-effect',
  severity: 'information',
  message:
    'The catalog has no contract under a name from `odcs.movedFrom` any more, so it has no effect.',
  hint: 'Remove it once that is so in all catalogs that these files are for.',
};

function withoutEffect(file: DesiredContract): Diagnostic {
  const names = (file.movedFrom ?? []).map(quote).join(' or ');
  const message = `The catalog has no contract ${names} any more, so \`movedFrom\` has no effect here.`;
  const hint = 'Remove it once that is so in all catalogs that this file is for.';
  const source = file.locate(['movedFrom']);
  return { code: 'moved-without-effect', severity: 'information', message, hint, source };
}
