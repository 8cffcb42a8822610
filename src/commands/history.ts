/** Who changed a contract, when, and from which commit. */

import { type DesiredContract, type LiveContract, managedFields } from '../contract/contract.ts';
import { composed } from '../contract/canonical-name.ts';
import { contractLabel, idKey, writtenNames } from '../contract/identity.ts';
import type { JsonObject } from '../core/json.ts';
import { type FilePast, type PastFiles, readPast } from '../files/past.ts';
import type { SourcedVersion } from '../history/drift.ts';
import type { ContractHistory } from '../history/story.ts';
import {
  type AskedState,
  type FileStates,
  findProvenance,
  findTakeovers,
  type Provenance,
} from '../history/provenance.ts';
import { unrecordedFields, withId } from '../history/snapshot.ts';
import { type ContractVersion, parseVersions } from '../history/version.ts';
import { createMatcher } from '../plan/match.ts';
import type { Session } from '../session.ts';
import { readOptionsOf } from '../sync/read-options.ts';
import type { ReadContract } from '../sync/planner.ts';

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

/** The same, and when commits took over what was done by hand. */
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

/** What the commits of a file asked of its contract. */
function statesOf(
  versions: readonly ContractVersion[],
  contract: ReadContract,
  { commits, gap }: FilePast,
): FileStates {
  const { live } = contract;
  const named = versions.map((version) => withEntityOf(version, live));
  const names = new Map([live, ...named].map((each) => [contractLabel(each), each]));
  const states = commits.flatMap(({ contracts, ...commit }) => {
    // What a contract is called now, another one may have been called then.
    const then = named.findLast(({ updatedAt = -Infinity }) => updatedAt >= commit.time) ?? live;
    const declared = declaredAmong(contracts, contract, [then, ...names.values()]);
    return declared ? [{ ...commit, ...askedBy(declared, live) }] : [];
  });
  return { states, knownFrom: gap ? (gap.since ?? Infinity) : -Infinity };
}

/** A snapshot may know its asset by the id alone. */
function withEntityOf(version: ContractVersion, { entity }: LiveContract): ContractVersion {
  const [id, then] = [entity?.id, version.entity?.id];
  const isSame = id !== undefined && then !== undefined && idKey(id) === idKey(then);
  return isSame ? { ...version, entity: { ...entity, ...version.entity } } : version;
}

/** By a name that the catalog has or had for it, or that it had according to its file of today. */
function declaredAmong(
  contracts: readonly DesiredContract[],
  { live, desired }: ReadContract,
  names: readonly LiveContract[],
): DesiredContract | undefined {
  const matcher = createMatcher(contracts);
  const former = new Set((desired?.movedFrom ?? []).map(composed));
  return (
    names.map(matcher.match).find((each) => each !== undefined) ??
    matcher.movedTo(live) ??
    contracts.find(({ identity }) => writtenNames(identity).some((name) => former.has(name)))
  );
}

/** What a file asks of the states of its contract: some of it depends on the state. */
export function askedBy(
  { managed, refine, leeway }: DesiredContract,
  live: LiveContract,
): AskedState {
  return {
    managed,
    ...(refine && { refine: (document) => refine({ ...live, document }).managed }),
    ...(leeway !== undefined && { leeway }),
  };
}
