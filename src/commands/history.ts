/** Who changed a contract, when, and from which commit. */

import { managedFields } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import type { JsonObject } from '../core/json.ts';
import { type PastFiles, readPast } from '../files/past.ts';
import {
  type FileStates,
  findProvenance,
  findTakeovers,
  type Provenance,
  type SourcedVersion,
} from '../history/provenance.ts';
import type { ContractHistory } from '../history/story.ts';
import { unrecordedFields, withId } from '../history/state.ts';
import { type ContractVersion, parseVersions } from '../history/version.ts';
import type { Session } from '../session.ts';
import { statesOf } from '../sync/file-states.ts';
import { readOptionsOf } from '../sync/read-options.ts';
import type { ReadContract } from '../sync/understand.ts';

/** The versions of a contract as its catalog tells them, newest first. */
export async function fetchVersions(
  { live, rules }: Pick<ReadContract, 'live' | 'rules'>,
  { reader }: Pick<Session, 'reader'>,
): Promise<readonly ContractVersion[]> {
  const { versions } = await reader.versions(live.id);
  return parseVersions(withId(live.id, versions), rules);
}

/** The whole history of a contract, its file followed through renames. */
export async function fetchContractHistory(
  contract: ReadContract,
  session: Session,
): Promise<ContractHistory> {
  const { live, desired } = contract;
  const [versions, past] = await Promise.all([
    fetchVersions(contract, session),
    desired && readPast([desired.source.file], session.files, readOptionsOf(session)),
  ]);
  const documents = versions.map(({ document }) => document);
  const sources = sourceVersions(versions, contract, past, documents);
  return {
    contract: contractLabel(live),
    id: live.id,
    ...(desired && { file: desired.source.file }),
    unrecorded: unrecordedFields(managedFields, live.document, documents),
    versions: versions.map((version, index) => ({
      version,
      provenance: sources[index] ?? { kind: 'unknown' },
    })),
  };
}

/** Where some of a contract's versions came from; of a contract without a file nobody knows. */
export function sourceVersions(
  versions: readonly ContractVersion[],
  contract: ReadContract,
  past: PastFiles | undefined,
  snapshots: readonly JsonObject[],
): readonly Provenance[] {
  const { desired, rules } = contract;
  if (!desired || !past) return versions.map(() => ({ kind: 'unknown' }));
  const states = statesOf(versions, contract, past(desired.source.file));
  return findProvenance(versions, comparableStates(states, contract, snapshots), rules);
}

/** Without the commits that ask for a field which no version carries: any version may be theirs. */
function comparableStates(
  { states, knownFrom }: FileStates,
  { live }: ReadContract,
  snapshots: readonly JsonObject[],
): FileStates {
  const unrecorded = unrecordedFields(managedFields, live.document, snapshots);
  const comparable = states.filter(
    ({ managed }) => !unrecorded.some((field) => Object.hasOwn(managed, field)),
  );
  const isWhole = comparable.length === states.length;
  return { states: comparable, knownFrom: isWhole ? knownFrom : Infinity };
}

/** The same, and when commits took over what came from none. */
export function traceVersions(
  versions: readonly ContractVersion[],
  contract: ReadContract & Required<Pick<ReadContract, 'desired'>>,
  past: PastFiles,
): readonly SourcedVersion[] {
  const { desired, rules } = contract;
  const states = comparableStates(
    statesOf(versions, contract, past(desired.source.file)),
    contract,
    versions.map(({ document }) => document),
  );
  const sources = findProvenance(versions, states, rules);
  const takeovers = findTakeovers(versions, states, rules);
  return versions.map((version, index) => {
    const keptAt = takeovers[index];
    const provenance = sources[index] ?? { kind: 'unknown' };
    return { version, provenance, ...(keptAt !== undefined && { keptAt }) };
  });
}
