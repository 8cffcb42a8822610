/** Who changed a contract, when, and from which commit. */

import pLimit from 'p-limit';
import { type LiveContract, managedFields } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import { defined, type JsonObject } from '../core/json.ts';
import { type PastFiles, readPast } from '../files/past.ts';
import { type FileStates, findProvenance } from '../history/reason.ts';
import {
  type ContractVersion,
  parseVersions,
  type Provenance,
  readSnapshots,
  unrecordedFields,
} from '../history/version.ts';
import type { LivePair } from '../plan/pair.ts';
import type { Rules } from '../plan/rules.ts';
import { readOptionsOf } from '../config/settings.ts';
import type { Planning, Session } from '../session.ts';
import { statesOf } from './reasons.ts';
import { SyncError } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import { blameLive, type KnownBlame } from '../history/place.ts';
import { livePlaceOf } from '../patch/describe.ts';
import type {
  Change,
  ContractPlan,
  LiveBlame,
  Plan,
  UnchangedPlan,
  UpdatePlan,
} from '../plan/plan.ts';
import type { FoundPairs } from './pairs.ts';

/** Newest first. */
export async function fetchVersions(
  live: LiveContract,
  rules: Rules,
  reader: Planning['reader'],
): Promise<readonly ContractVersion[]> {
  const { versions } = await reader.versions(live.id);
  return parseVersions(readSnapshots(live, versions, rules.conventions), rules);
}

/** Follows the file through renames. */
export async function fetchContractHistory(pair: LivePair, session: Session) {
  const { live, desired } = pair;
  const { rules } = session;
  const [versions, past] = await Promise.all([
    fetchVersions(live, rules, session.reader),
    desired &&
      readPast(
        [desired.source.file],
        session.files.include,
        session.repository,
        readOptionsOf(session),
      ),
  ]);
  const snapshots = versions.map(({ document }) => document);
  const known = comparableCommits(versions, pair, { past, snapshots, rules });
  const sources = findProvenance(versions, known, rules);
  return {
    contract: contractLabel(live),
    id: live.id,
    ...(desired && { file: desired.source.file }),
    unrecorded: unrecordedFields(managedFields, live.document, snapshots),
    versions: versions.map((version, index) => ({
      version,
      provenance: sources[index] ?? { kind: 'unknown' as const },
    })),
  };
}

type KnownPast = {
  readonly past: PastFiles | undefined;
  readonly snapshots: readonly JsonObject[];
  readonly rules: Rules;
};

export function comparableCommits(
  versions: readonly ContractVersion[],
  pair: LivePair,
  { past, snapshots, rules }: KnownPast,
): FileStates {
  const { live, desired } = pair;
  if (!desired || !past) return { states: [], knownFrom: Infinity };
  const { states, knownFrom } = statesOf(versions, pair, past(desired.source.file), rules);
  const unrecorded = unrecordedFields(managedFields, live.document, snapshots);
  // A commit that asks for a field which no version carries would fit any version.
  const comparable = states.filter(
    ({ managed }) => !unrecorded.some((field) => Object.hasOwn(managed, field)),
  );
  const isWhole = comparable.length === states.length;
  return { states: comparable, knownFrom: isWhole ? knownFrom : Infinity };
}

type Blamable = UpdatePlan | UnchangedPlan;

// Histories in memory at once; the connection limits the requests.
const atOnce = 16;

// Contracts whose history is read by default, at one request each.
const mostSuspects = 50;

export async function withBlame(
  plan: Plan,
  suspects: readonly Blamable[],
  { pairs, rules }: FoundPairs,
  run: Planning,
): Promise<Plan> {
  if (run.blame !== 'all' && suspects.length > mostSuspects) {
    const message = `The plan doesn't say who set what it changes: that takes a request for each of ${suspects.length} contracts.`;
    const hint = 'To ask for all, set `blame: all`.';
    const leftOut = { code: 'blame-left-out', severity: 'information', message, hint } as const;
    return { ...plan, diagnostics: [...plan.diagnostics, leftOut] };
  }
  const pairOf = new Map(pairs.flatMap((pair) => (pair.live ? [[pair.live.id, pair]] : [])));
  const files = [...new Set(suspects.map(({ source }) => source.file))];
  const reading = readPast(files, run.files.include, run.repository, readOptionsOf(run));
  const blamed = new Map<ContractPlan, Blamable>();
  const failures = new Map<ContractPlan, SyncError>();
  await pLimit(atOnce).map(suspects, async (contract) => {
    const pair = pairOf.get(contract.id);
    if (!pair) return;
    try {
      const reads = [run.reader.versions(contract.id), reading] as const;
      const [{ versions: snapshots }, past] = await Promise.all(reads);
      blamed.set(contract, blame(contract, pair, { rules, snapshots, past }));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      failures.set(contract, error);
    }
  });
  const contracts = plan.contracts.map((each) => blamed.get(each) ?? each);
  const failed = suspects.find((each) => failures.has(each));
  const first = failed && failures.get(failed);
  if (!first) return { ...plan, contracts };
  const message = `The plan doesn't say who set what it changes in ${count(failures.size, 'contract', 'contracts')}: can't read the history. ${first.message}`;
  const unreadable = { code: 'history-unreadable', severity: 'warning', message } as const;
  return { ...plan, contracts, diagnostics: [...plan.diagnostics, unreadable] };
}

function blame(contract: Blamable, pair: LivePair, past: KnownPast): Blamable {
  const { live } = pair;
  const { rules, snapshots } = past;
  const { drift } = contract;
  const changes = contract.action === 'unchanged' ? [] : contract.changes;
  const places = [...changes, ...(drift?.differences ?? [])].map(livePlaceOf);
  const found = blameLive(live, readSnapshots(live, snapshots, rules.conventions), places, rules);
  const known = found.filter((each) => each !== undefined);
  const versions = known.map(({ version }) => version);
  const sources = findProvenance(versions, comparableCommits(versions, pair, past), rules);
  const sourceOf = new Map(known.map((each, index) => [each, sources[index]]));
  const blames = found.map((each) => each && liveBlame(each, sourceOf.get(each)));
  const ofDrift = blames.slice(changes.length);
  const differences = drift?.differences.map((each, index) => {
    const own = ofDrift[index];
    return own ? { ...each, blame: own } : each;
  });
  const shared = drift && differences && { drift: { ...drift, differences } };
  if (contract.action === 'unchanged') return { ...contract, ...shared };
  const blamed = changes.map((change, index): Change => {
    const own = blames[index];
    if (!own || change.carrier) return change;
    return { ...change, blame: change.kind === 'move' ? { ...own, kind: 'moved' } : own };
  });
  const conflicts = blamed.filter(({ cause }) => cause === 'conflict');
  const [editor, ...others] = new Set(conflicts.map(({ blame }) => blame?.user));
  const problems =
    editor === undefined || others.length > 0
      ? contract.problems
      : contract.problems.map((problem) => ({
          ...problem,
          message: problem.message.replace(/^Somebody edited /u, () => `${editor} edited `),
        }));
  return { ...contract, ...shared, changes: blamed, problems };
}

function liveBlame(
  { kind, version, isRemoval }: KnownBlame,
  provenance: Provenance = { kind: 'unknown' },
): LiveBlame {
  const { user, updatedAt, version: number } = version;
  return {
    kind: kind === 'first-known' ? 'known-since' : isRemoval ? 'removed' : 'set',
    ...defined({ user, updatedAt, version: number }),
    ...(provenance.kind !== 'unknown' && { provenance }),
  };
}
