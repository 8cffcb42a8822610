/** Pairs files with live contracts: collected while the list arrives, paired at its end. */

import {
  contractLabel,
  type FileIndex,
  idKey,
  indexFiles,
  strongestKind,
} from '../contract/identity.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { Conventions } from '../contract/conventions.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { createBases, type Pair, type Revisions, type StrayPair } from './pair.ts';

export type CatalogMatching = {
  /** Keeps a contract whole if a file may mean it, else only its identity and status. */
  readonly add: (live: LiveContract) => void;
  readonly missing: (
    possible: readonly Conventions[],
    isPlanned: (file: DesiredContract) => boolean,
  ) => DesiredContract[];
  readonly addMissed: (live: LiveContract, isDeleted: boolean) => void;
  readonly statuses: ReadonlySet<string | undefined>;
  /** In the order of the list, then moved contracts, then files without one. */
  readonly pairs: (dialect: Conventions, revisions: Revisions) => Matched;
};

type Matched = {
  readonly pairs: readonly Pair[];
  readonly problems: (isPlanned: (file: DesiredContract) => boolean) => Diagnostic[];
};

/**
 * Matches in each dialect that the catalog may speak, as its kind is known only after the whole
 * list. `keeps` selects contracts to keep whole although no file means them.
 */
export function matchContracts(
  desired: readonly DesiredContract[],
  dialects: readonly Conventions[],
  keeps: (live: LiveContract) => boolean,
): CatalogMatching {
  const files = indexFiles(desired);
  const contracts = new Map<string, LiveContract>();
  const deleted: LiveContract[] = [];
  const statuses = new Set<string | undefined>();
  const found = new Map(dialects.map((dialect) => [dialect, new Set<DesiredContract>()]));
  const taken = new Set<string>();
  let missing: ReadonlySet<DesiredContract> = new Set();

  function isWanted(live: LiveContract): boolean {
    let wanted = false;
    for (const [dialect, ofDialect] of found) {
      const read = dialect.fromWire(live);
      const named = files.named(read);
      for (const file of named) ofDialect.add(file);
      if (named.length > 0) taken.add(idKey(live.id));
      if (named.length > 0 || files.movedTo(read) || keeps(read)) wanted = true;
    }
    return wanted;
  }

  return {
    add: (live) => {
      const { version: _version, updatedAt: _updatedAt, ...head } = live;
      statuses.add(live.entityStatus);
      contracts.set(idKey(live.id), isWanted(live) ? live : { ...head, document: unread });
    },
    missing: (possible, isPlanned) => {
      const isFound = (file: DesiredContract): boolean =>
        possible.every((dialect) => found.get(dialect)?.has(file));
      const notFound = desired.filter((file) => !isFound(file) && isPlanned(file));
      missing = new Set(notFound);
      return notFound;
    },
    addMissed: (live, isDeleted) => {
      statuses.add(live.entityStatus);
      if (taken.has(idKey(live.id))) return;
      const means = [...found.keys()].flatMap((dialect) => {
        const read = dialect.fromWire(live);
        return [...files.named(read), files.movedTo(read)];
      });
      if (!means.some((file) => file && missing.has(file))) return;
      if (isDeleted) deleted.push(live);
      // It may have been listed under another name, without a file.
      else contracts.set(idKey(live.id), live);
    },
    statuses,
    pairs: ({ fromWire }, revisions) =>
      pairUp(
        desired,
        { files, contracts: contracts.values().map(fromWire), deleted: deleted.map(fromWire) },
        revisions,
      ),
  };
}

const unread = {};

type Moving = { readonly live: LiveContract; readonly file: DesiredContract };

function pairUp(
  desired: readonly DesiredContract[],
  {
    files,
    contracts,
    deleted,
  }: {
    readonly files: FileIndex;
    readonly contracts: Iterable<LiveContract>;
    readonly deleted: readonly LiveContract[];
  },
  revisions: Revisions,
): Matched {
  const { baseOf, formerFileOf } = createBases(revisions);
  const idsOf = new Map<DesiredContract, string[]>();
  const pairs: Pair[] = [];
  const moving: Moving[] = [];
  const claims: Diagnostic[] = [];
  const claim = (file: DesiredContract, { id }: LiveContract): void => {
    idsOf.set(file, [...(idsOf.get(file) ?? []), id]);
  };
  const strayOf = (live: LiveContract): StrayPair => ({
    live,
    base: baseOf(live),
    hadFile: formerFileOf(live),
  });
  for (const live of contracts) {
    const [file, ...rivals] = files.named(live);
    const mover = file ? undefined : files.movedTo(live);
    if (file) {
      for (const rival of rivals) claims.push(claimedTwice(live, file, rival));
      for (const claimant of [file, ...rivals]) claim(claimant, live);
      pairs.push({ live, desired: file, base: baseOf(live) });
    } else if (mover) moving.push({ live, file: mover });
    else pairs.push(strayOf(live));
  }
  const both = moving.filter(({ file }) => idsOf.has(file));
  for (const moved of moving) {
    const { live, file } = moved;
    if (both.includes(moved)) {
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
        ...both.filter(({ file }) => isPlanned(file)).map(bothLive),
        ...idle.filter(({ isMovedByRule }) => !isMovedByRule).map(withoutEffect),
        ...(isRuleIdle ? [ruleWithoutEffect] : []),
      ];
    },
  };
}

function claimedTwice(
  live: LiveContract,
  first: DesiredContract,
  second: DesiredContract,
): Diagnostic {
  const { file, line } = first.source;
  const message = `${contractLabel(live)} is already declared at ${file}:${line}.`;
  const hint = 'Keep one of the two: a contract has one file.';
  const { source } = second;
  return { code: 'contract-claimed-twice', severity: 'error', message, hint, source };
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
