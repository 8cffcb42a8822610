/** How much of a catalog comes from git: of the contracts that have files. */

import pLimit from 'p-limit';
import { contractLabel } from '../contract/identity.ts';
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import { SyncError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { findCommit } from '../files/find/commit.ts';
import { type PastGap, readPast } from '../files/past.ts';
import {
  type Audit,
  auditContracts,
  type AuditedContract,
  findDrift,
  type Period,
} from '../history/drift.ts';
import { createManaged } from '../history/provenance.ts';
import { unrecordedFields, withId } from '../history/state.ts';
import { parseVersions } from '../history/version.ts';
import { comparedAsStandard } from '../plan/doubt.ts';
import { apartOf } from '../pull/drift.ts';
import type { Session } from '../session.ts';
import { sync } from '../sync.ts';
import { askedBy } from '../sync/file-states.ts';
import { readOptionsOf } from '../sync/read-options.ts';
import type { ReadContract } from '../sync/understand.ts';
import { type Pasts, reasonsAmong } from '../sync/reasons.ts';
import { traceVersions } from './history.ts';

/** An audit, and what it could not see. */
export type AuditReport = Audit & {
  /** Epoch milliseconds; absent where all of the past counts. */
  readonly since?: number;
  /** How many contracts it is of. */
  readonly contracts: number;
  /** How many others have a file, and a history that can't be read. */
  readonly leftOut: number;
  /** How many lack something that is merged and not applied yet. */
  readonly notApplied: number;
  /** Why some versions are of an origin that nobody knows. */
  readonly gaps: readonly AuditGap[];
  readonly diagnostics: readonly Diagnostic[];
};

/** A reason, of how many contracts, and the latest time from which on more is known of one. */
type AuditGap = Gap & { readonly contracts: number };

/** `unrecorded`: no version of the contract carries all that its file manages. */
type Gap = Omit<PastGap, 'kind'> & { readonly kind: PastGap['kind'] | 'unrecorded' };

function gapOfVersions(
  { live, desired }: Filed,
  snapshots: readonly JsonObject[],
): Gap | undefined {
  const fields = Object.keys(desired.managed);
  const unrecorded = unrecordedFields(fields, live.document, snapshots);
  return unrecorded.length > 0 ? { kind: 'unrecorded' } : undefined;
}

/** Without an audit, why there is none. */
export type AuditFailure = Pick<AuditReport, 'diagnostics'>;

/** Reads the history of each contract that has a file; one that can't be read is told and left out. */
export async function auditCatalog(
  session: Session,
  period: Period,
  onHistory: (done: number, total: number) => void = () => undefined,
): Promise<AuditReport | AuditFailure> {
  const { contracts, diagnostics } = await contractsWithFiles(session);
  if (hasErrors(diagnostics)) return { diagnostics };
  const files = [...new Set(contracts.map(({ desired }) => desired.source.file))];
  const options = readOptionsOf(session);
  const commit = findCommit('HEAD', session.files.root);
  const [all, merged] = await Promise.all([
    readPast(files, session.files, options),
    readPast(files, session.files, options, commit === undefined ? {} : { branchAt: commit }),
  ]);
  const limit = pLimit(session.concurrency);
  let done = 0;
  const audited = await limit.map(contracts, async (contract) => {
    const result = await auditContract(contract, { all, merged }, session);
    done += 1;
    onHistory(done, contracts.length);
    return result;
  });
  const sound = audited.filter((each) => 'versions' in each);
  return {
    ...(period.since > -Infinity && { since: period.since }),
    contracts: sound.length,
    leftOut: audited.length - sound.length,
    ...auditContracts(sound, period),
    notApplied: sound.filter(({ isBehind }) => isBehind).length,
    gaps: sumGaps(sound.filter((each) => hasUnknown(auditContracts([each], period)))),
    diagnostics: [...diagnostics, ...audited.filter((each) => 'code' in each)],
  };
}

function hasUnknown({ unknown, drift }: Audit): boolean {
  return unknown > 0 || drift.unknown > 0;
}

function sumGaps(contracts: readonly { readonly gap?: Gap }[]): readonly AuditGap[] {
  const gaps = contracts.flatMap(({ gap }) => gap ?? []);
  return [...Map.groupBy(gaps, ({ kind }) => kind)].map(([kind, own]) => {
    const since = Math.max(...own.map((gap) => gap.since ?? -Infinity));
    return { kind, contracts: own.length, ...(Number.isFinite(since) && { since }) };
  });
}

type Filed = ReadContract & Required<Pick<ReadContract, 'desired'>>;

async function contractsWithFiles(session: Session) {
  const contracts = new Map<string, Filed>();
  const { diagnostics, dialect } = await sync({
    ...session,
    onContract: ({ live, rules, desired, planned }) => {
      if (desired && planned) contracts.set(live.id, { live, rules, desired });
    },
  });
  // How much a plan may touch does not matter where nothing is planned.
  const problems = diagnostics.filter(({ code }) => code !== 'limit-exceeded');
  const doubts = dialect || contracts.size === 0 ? [] : [comparedAsStandard];
  return { contracts: [...contracts.values()], diagnostics: [...problems, ...doubts] };
}

/** What an audit says of a contract besides. */
type Remarks = {
  /** Whether it lacks something that is merged. */
  readonly isBehind: boolean;
  readonly gap?: Gap;
};

async function auditContract(
  contract: Filed,
  pasts: Pasts,
  session: Session,
): Promise<(AuditedContract & Remarks) | Diagnostic> {
  const { live, rules, desired } = contract;
  try {
    const { versions: snapshots } = await session.reader.versions(live.id);
    const versions = parseVersions(withId(live.id, snapshots), rules);
    const sourced = traceVersions(versions, contract, pasts.all);
    const isManaged = createManaged(askedBy(desired, live), rules);
    const drifts = findDrift(sourced, isManaged, rules.arrays);
    const { gap = gapOfVersions(contract, snapshots) } = pasts.all(desired.source.file);
    return {
      contract: contractLabel(live),
      versions: sourced,
      isManaged,
      drifts,
      isBehind: isBehind(contract, snapshots, pasts),
      ...(gap && { gap }),
    };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return {
      code: 'history-unreadable',
      severity: 'error',
      message: `Can't read the history of ${contractLabel(live)}, so it is left out: ${error.message}`,
      ...(error.hint !== undefined && { hint: error.hint }),
      source: desired.source,
    };
  }
}

function isBehind(contract: Filed, snapshots: readonly JsonObject[], pasts: Pasts): boolean {
  const { desired } = contract;
  const base = { declared: desired, commit: 'HEAD' };
  const reasonOf = reasonsAmong(snapshots, { ...contract, base }, pasts);
  return apartOf({ ...contract, base: { declared: desired } }).some(
    (place) => reasonOf(place).kind === 'not-applied',
  );
}
