/** Why live contracts differ from their base, by the catalog's versions and git's log. */

import pLimit from 'p-limit';
import { composed } from '../core/text.ts';
import { contractLabel, idKey, indexFiles, writtenNames } from '../contract/identity.ts';
import { ApiError } from '../catalog/fault.ts';
import type { ApartReason, DesiredContract, LiveContract } from '../contract/contract.ts';
import { deprecated } from '../contract/conventions.ts';
import { SyncError } from '../core/diagnostic.ts';
import { defined, type JsonObject } from '../core/json.ts';
import { type FilePast, type PastFiles, type PastGap, readPast } from '../files/past.ts';
import {
  type FileState,
  type FileStates,
  createReasons,
  type ReasonOf,
} from '../history/reason.ts';
import { type ContractVersion, parseVersions, readSnapshots } from '../history/version.ts';
import { valueByKey } from '../patch/identity.ts';
import type { LivePlace } from '../patch/merge.ts';
import { formatPointer } from '../patch/pointer.ts';
import type { Facts } from '../plan/facts.ts';
import type { FiledPair, LivePair } from '../plan/pair.ts';
import { differencesFromBase } from '../plan/contract-plan.ts';
import { type Rules, rulesFor } from '../plan/rules.ts';
import { readOptionsOf } from '../config/settings.ts';
import type { PendingAt, Planning } from '../session.ts';

// Histories in memory at once; the connection limits the requests.
const atOnce = 16;

type DifferingPair = {
  readonly pair: FiledPair;
  readonly declared: DesiredContract;
  readonly commit: string;
  readonly places: readonly LivePlace[];
};

/** Sends one request for each contract, and reads git once for each base. */
export async function findReasons(
  pairs: readonly FiledPair[],
  facts: Facts,
  rules: Rules,
  run: Planning,
): Promise<Facts['reasons']> {
  const differing = pairs.flatMap((pair): DifferingPair[] => {
    const { declared, commit = '' } = pair.base ?? {};
    const places = declared ? differencesFromBase(pair, facts, rules) : [];
    return declared && places.length > 0 ? [{ pair, declared, commit, places }] : [];
  });
  if (differing.length === 0) return new Map();
  const pendingAt = await run.readPending?.();
  const byCommit = Map.groupBy(differing, ({ commit }) => commit);
  const limit = pLimit(atOnce);
  const found = await Promise.all(
    [...byCommit].map(async ([commit, own]) => {
      const pasts = await readPasts(commit, own, run);
      return limit.map(own, async (each) => {
        const versions = await askVersions(each.pair.live.id, run);
        // Computed now, so that the history, which may be large, is freed.
        const reasons = reasonsAt(each, versions, pasts, rules, pendingAt);
        const reasonOf: ReasonOf = (place) => reasons.get(keyOf(place)) ?? { kind: 'edited' };
        return [each.pair.live.id, reasonOf] as const;
      });
    }),
  );
  return new Map(found.flat());
}

function reasonsAt(
  differing: DifferingPair,
  versions: Versions,
  pasts: Pasts,
  rules: Rules,
  pendingAt: PendingAt | undefined,
): ReadonlyMap<string, ApartReason> {
  const { live } = differing.pair;
  const snapshots = 'why' in versions ? [] : versions.versions;
  const reasonOf =
    'why' in versions ? neverKnown(versions.why) : reasonsAmong(snapshots, differing, pasts, rules);
  const reasons = new Map<string, ApartReason>();
  for (const place of differing.places) {
    const before = valueByKey(live.document, place.path);
    const at = { place: formatPointer(place.path), ...defined({ before }) };
    const merge = pendingAt?.(live, at, snapshots, rules);
    reasons.set(keyOf(place), merge ? { kind: 'not-applied', ...merge } : reasonOf(place));
  }
  return reasons;
}

function keyOf({ path, of }: LivePlace): string {
  return `${of} ${formatPointer(path)}`;
}

type Pasts = { readonly merged: PastFiles; readonly all: PastFiles };

async function readPasts(commit: string, contracts: readonly DifferingPair[], run: Planning) {
  const { include } = run.files;
  const options = readOptionsOf(run);
  const now = new Set(contracts.map(({ pair }) => pair.desired.source.file));
  const then = new Set(contracts.map(({ declared }) => declared.source.file));
  const [merged, all] = await Promise.all([
    readPast([...then], include, run.repository, options, commit),
    readPast([...now], include, run.repository, options),
  ]);
  return { merged, all };
}

/** Newest first, or why they can't be read. */
type Versions = { readonly versions: readonly JsonObject[] } | { readonly why: string };

async function askVersions(id: string, { reader }: Planning): Promise<Versions> {
  try {
    return await reader.versions(id);
  } catch (error) {
    // Without a good token no request succeeds: that ends the run.
    const isFinal = error instanceof ApiError && error.status === 401;
    if (!(error instanceof SyncError) || isFinal) throw error;
    const why = error.message.replace(/\.$/u, '');
    return { why: `the catalog's versions can't be read (${why})` };
  }
}

/** `snapshots` of the contract, newest first. */
function reasonsAmong(
  snapshots: readonly JsonObject[],
  { pair, declared }: DifferingPair,
  pasts: Pasts,
  rules: Rules,
): ReasonOf {
  const { live, desired } = pair;
  const merged = pasts.merged(declared.source.file);
  const gap = merged.gap && gapTexts[merged.gap.kind];
  if (gap !== undefined && merged.commits.length === 0) return neverKnown(gap);
  const { updatedAt = Infinity } = live;
  // Later versions were written since live was read.
  const until = snapshots.filter((snapshot) => Number(snapshot['updatedAt'] ?? 0) <= updatedAt);
  const read = readSnapshots(live, until, rules.conventions);
  const versions = parseVersions([live.document, ...read], rules);
  const states = {
    merged: statesOf(versions, pair, merged, rules).states,
    all: statesOf(versions, pair, pasts.all(desired.source.file), rules).states,
    ...defined({ gap }),
  };
  return createReasons(versions, states, rules);
}

function neverKnown(why: string): ReasonOf {
  return () => ({ kind: 'unknown', why });
}

const gapTexts: Readonly<Record<PastGap['kind'], string | undefined>> = {
  'shallow-clone': 'this clone is shallow',
  'no-repository': 'the files are in no git repository',
  unreadable: "git can't read its log here",
  uncommitted: undefined,
};

export function statesOf(
  versions: readonly ContractVersion[],
  pair: LivePair,
  { commits, gap }: FilePast,
  rules: Rules,
): FileStates {
  const { live } = pair;
  const named = versions.map((version) => {
    // A snapshot may have only the id of its asset.
    const id = live.entity?.id;
    const then = version.entity?.id;
    const isSame = id !== undefined && then !== undefined && idKey(id) === idKey(then);
    return isSame ? { ...version, entity: { ...live.entity, ...version.entity } } : version;
  });
  const names = new Map([live, ...named].map((each) => [contractLabel(each), each]));
  const isRetired = rulesFor({ live }, rules).unmanaged.rule === 'deprecate';
  const kept = new Set(commits.flatMap((each) => (each.isDeleted ? [] : [each.commit])));
  const retiring = new Set<string>();
  for (const { commit, isDeleted } of commits)
    if (isRetired && isDeleted && !kept.has(commit)) retiring.add(commit);
  const states: FileState[] = [];
  for (const { commit, author, time, contracts } of commits) {
    if (retiring.delete(commit)) {
      states.push({ commit, author, time, managed: { entityStatus: deprecated } });
      continue;
    }
    // Another contract may have had this one's name then.
    const then = named.findLast(({ updatedAt = -Infinity }) => updatedAt >= time) ?? live;
    const declared = declaredAmong(contracts, pair, [then, ...names.values()]);
    if (!declared) continue;
    const { managed, coarse } = declared;
    states.push({ commit, author, time, managed, ...defined({ coarse }) });
  }
  return { states, knownFrom: gap ? (gap.since ?? Infinity) : -Infinity };
}

function declaredAmong(
  contracts: readonly DesiredContract[],
  { live, desired }: LivePair,
  names: readonly LiveContract[],
): DesiredContract | undefined {
  const files = indexFiles(contracts);
  const former = new Set((desired?.movedFrom ?? []).map(composed));
  return (
    names.map((each) => files.named(each)[0]).find((each) => each !== undefined) ??
    files.movedTo(live) ??
    contracts.find(({ identity }) => writtenNames(identity).some((name) => former.has(name)))
  );
}
