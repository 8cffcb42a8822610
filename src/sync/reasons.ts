/** Why live contracts are not what their base says, by their catalog's versions and git's log. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import type { CatalogReader } from '../catalog/catalog.ts';
import type { DesiredContract } from '../contract/contract.ts';
import type { ApartReason } from '../contract/reason.ts';
import { SyncError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { FileSelection } from '../files/files.ts';
import { type PastFiles, type PastGap, readPast } from '../files/past.ts';
import { createReasons, type ReasonOf } from '../history/reason.ts';
import { withId } from '../history/state.ts';
import { parseVersions } from '../history/version.ts';
import type { LivePlace } from '../patch/merge.ts';
import { formatPointer } from '../patch/pointer.ts';
import type { Base } from '../plan/drift.ts';
import { statesOf } from './file-states.ts';
import type { ReadContract } from './understand.ts';
import { readOptionsOf } from './read-options.ts';

/** A contract that is not what its base says at some places. */
export type ApartContract = Required<ReadContract> & {
  /** The file of the base, and its commit. */
  readonly base: { readonly declared: DesiredContract; readonly commit: string };
  readonly places: readonly LivePlace[];
};

/** Knows a reason for each of the places, contract by contract. */
export type AskReasons = (contracts: readonly ApartContract[]) => Promise<readonly ReasonOf[]>;

type Asking = Parameters<typeof readOptionsOf>[0] & {
  readonly reader: Pick<CatalogReader, 'versions'>;
  readonly files: FileSelection;
};

/** Histories in memory at once; the connection limits the requests. */
const atOnce = 16;

/** One request for each contract; git is asked once for contracts that have one base. */
export function openReasons(run: Asking): AskReasons {
  return async (contracts) => {
    const bases = Map.groupBy(contracts, ({ base }) => base.commit);
    const pasts = new Map(
      await Promise.all(
        [...bases].map(
          async ([commit, own]) => [commit, await readPasts(commit, own, run)] as const,
        ),
      ),
    );
    return pLimit(atOnce).map(contracts, async (contract) => {
      const past = pasts.get(contract.base.commit);
      const reasonOf = past ? await askReason(contract, past, run) : neverKnown('git has no log');
      // Keeps the reasons and lets the history go, which may be large.
      const reasons = new Map(contract.places.map((place) => [keyOf(place), reasonOf(place)]));
      return (place) => reasons.get(keyOf(place)) ?? { kind: 'edited' };
    });
  };
}

function keyOf({ path, of }: LivePlace): string {
  return `${of} ${formatPointer(path)}`;
}

/** What commits made of the files: of those by which the branch came to a base, and of all. */
export type Pasts = { readonly merged: PastFiles; readonly all: PastFiles };

async function readPasts(
  commit: string,
  contracts: readonly ApartContract[],
  run: Asking,
): Promise<Pasts> {
  const options = readOptionsOf(run);
  const now = new Set(contracts.map(({ desired }) => desired.source.file));
  const then = new Set(contracts.map(({ base }) => base.declared.source.file));
  const [merged, all] = await Promise.all([
    readPast([...then], run.files, options, { branchAt: commit }),
    readPast([...now], run.files, options),
  ]);
  return { merged, all };
}

async function askReason(
  contract: ApartContract,
  pasts: Pasts,
  { reader }: Asking,
): Promise<ReasonOf> {
  try {
    const { versions } = await reader.versions(contract.live.id);
    return reasonsAmong(versions, contract, pasts);
  } catch (error) {
    // Without a good token no request succeeds: that ends the run.
    const isFinal = error instanceof ApiError && error.status === 401;
    if (!(error instanceof SyncError) || isFinal) throw error;
    const why = error.message.replace(/\.$/u, '');
    return neverKnown(`the catalog's versions can't be read (${why})`);
  }
}

/** By the snapshots of the contract, newest first. */
export function reasonsAmong(
  snapshots: readonly JsonObject[],
  contract: Omit<ApartContract, 'places'>,
  { merged: mergedPast, all }: Pasts,
): ReasonOf {
  const { live, rules, desired, base } = contract;
  const merged = mergedPast(base.declared.source.file);
  const gap = merged.gap && gapTexts[merged.gap.kind];
  if (gap !== undefined && merged.commits.length === 0) return neverKnown(gap);
  const { updatedAt = Infinity } = live;
  // What has been written since is not what was read.
  const until = snapshots.filter((snapshot) => Number(snapshot['updatedAt'] ?? 0) <= updatedAt);
  const versions = parseVersions([live.document, ...withId(live.id, until)], rules);
  const told = {
    merged: statesOf(versions, contract, merged).states,
    all: statesOf(versions, contract, all(desired.source.file)).states,
    ...(gap !== undefined && { gap }),
  };
  return createReasons(versions, told, rules);
}

function neverKnown(why: string): ReasonOf {
  const reason: ApartReason = { kind: 'unknown', why };
  return () => reason;
}

const gapTexts: Readonly<Record<PastGap['kind'], string | undefined>> = {
  'shallow-clone': 'this clone is shallow',
  'long-log': "git's log is too long to be read whole",
  'no-repository': 'the files are in no git repository',
  unreadable: "git can't read its log here",
  uncommitted: undefined,
};

/** A base that collects the places at which live differs from it, before the reasons are known. */
export function noteApart<Of extends Base>(base: Of) {
  const places: LivePlace[] = [];
  const reasonOf: ReasonOf = ({ path, of }) => {
    places.push({ path, of });
    return { kind: 'edited' };
  };
  return { base: { ...base, reasonOf }, places };
}
