/** Who changed a contract, when, and from which commit. */

import { managedFields } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import type { JsonObject } from '../core/json.ts';
import { type PastFiles, readPast } from '../files/past.ts';
import { type FileStates, findProvenance } from '../history/provenance.ts';
import type { ContractHistory } from '../history/shown.ts';
import { readSnapshots, unrecordedFields } from '../history/state.ts';
import { type ContractVersion, parseVersions } from '../history/version.ts';
import type { LivePair } from '../plan/pair.ts';
import type { Rules } from '../plan/rules.ts';
import { readOptionsOf, type Session } from '../session.ts';
import { statesOf } from './reasons.ts';

/** Newest first. */
export async function fetchVersions(
  { live }: LivePair,
  rules: Rules,
  { reader }: Pick<Session, 'reader'>,
): Promise<readonly ContractVersion[]> {
  const { versions } = await reader.versions(live.id);
  return parseVersions(readSnapshots(live, versions, rules.conventions), rules);
}

/** Follows the file through renames. */
export async function fetchContractHistory(
  pair: LivePair,
  rules: Rules,
  session: Session,
): Promise<ContractHistory> {
  const { live, desired } = pair;
  const [versions, past] = await Promise.all([
    fetchVersions(pair, rules, session),
    desired && readPast([desired.source.file], session.files, readOptionsOf(session)),
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
      provenance: sources[index] ?? { kind: 'unknown' },
    })),
  };
}

export type KnownPast = {
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
