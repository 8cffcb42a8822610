/** How much of the contracts with files comes from git. */

import pLimit from 'p-limit';
import { contractLabel } from '../contract/identity.ts';
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import { advise, hintOf } from '../core/advice.ts';
import { SyncError } from '../core/errors.ts';
import { findCommit } from '../files/git/commit.ts';
import { type PastGap, readPast } from '../files/past.ts';
import {
  type Audit,
  auditContracts,
  type AuditedContract,
  findDrift,
  type Period,
} from '../history/drift.ts';
import { createManaged, traceVersions } from '../history/provenance.ts';
import { readSnapshots, unrecordedFields } from '../history/state.ts';
import { parseVersions } from '../history/version.ts';
import { comparedAsStandard } from '../catalog/products/products.ts';
import { noFacts } from '../plan/facts.ts';
import { type FiledPair, isFiled } from '../plan/pair.ts';
import { placesApart } from '../plan/contract-plan.ts';
import type { Rules } from '../plan/rules.ts';
import { readOptionsOf, type Session } from '../session.ts';
import { comparableCommits } from './history.ts';
import { findPairs } from './pairs.ts';
import { askedBy, type Pasts, reasonsAmong } from './reasons.ts';

export type AuditReport = Audit &
  Readonly<Record<'contracts' | 'leftOut' | 'notApplied', number>> & {
    /** Epoch milliseconds; absent: all of the past. */
    readonly since?: number;
    /** `since`: from then on, more is known of at least one of the contracts. */
    readonly gaps: readonly (Gap & { readonly contracts: number })[];
    readonly diagnostics: readonly Diagnostic[];
  };

// `unrecorded`: no version of the contract carries all fields that its file manages.
type Gap = Omit<PastGap, 'kind'> & { readonly kind: PastGap['kind'] | 'unrecorded' };

export type AuditFailure = Pick<AuditReport, 'diagnostics'>;

/** A contract whose history can't be read is reported and left out. */
export async function auditCatalog(
  session: Session,
  period: Period,
  onHistory: (done: number, total: number) => void = () => undefined,
): Promise<AuditReport | AuditFailure> {
  const found = await findPairs(session);
  if (!found.pairings || hasErrors(found.diagnostics)) return { diagnostics: found.diagnostics };
  const [{ pairs, rules }, other] = found.pairings;
  const contracts = pairs.filter(isFiled).filter(found.selector.takes);
  const diagnostics = [
    ...found.diagnostics,
    ...(other && contracts.length > 0 ? [comparedAsStandard] : []),
  ];
  const files = [...new Set(contracts.map(({ desired }) => desired.source.file))];
  const options = readOptionsOf(session);
  const commit = findCommit('HEAD', session.files.root);
  const [all, merged] = await Promise.all([
    readPast(files, session.files, options),
    readPast(files, session.files, options, commit === undefined ? {} : { branchAt: commit }),
  ]);
  let done = 0;
  const audited = await pLimit(session.concurrency).map(contracts, async (pair) => {
    const result = await auditContract(pair, rules, { all, merged }, session);
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
    gaps: sumGaps(
      sound.filter((each) => {
        const { unknown, drift } = auditContracts([each], period);
        return unknown > 0 || drift.unknown > 0;
      }),
    ),
    diagnostics: [...diagnostics, ...audited.filter((each) => 'code' in each)],
  };
}

function sumGaps(contracts: readonly { readonly gap?: Gap }[]): AuditReport['gaps'] {
  const gaps = contracts.flatMap(({ gap }) => gap ?? []);
  return [...Map.groupBy(gaps, ({ kind }) => kind)].map(([kind, own]) => {
    const since = Math.max(...own.map((gap) => gap.since ?? -Infinity));
    return { kind, contracts: own.length, ...(Number.isFinite(since) && { since }) };
  });
}

async function auditContract(
  pair: FiledPair,
  rules: Rules,
  pasts: Pasts,
  session: Session,
): Promise<(AuditedContract & { isBehind: boolean; gap?: Gap }) | Diagnostic> {
  const { live, desired } = pair;
  try {
    const { versions: snapshots } = await session.reader.versions(live.id);
    const versions = parseVersions(readSnapshots(live, snapshots, rules.conventions), rules);
    const read = versions.map(({ document }) => document);
    const states = comparableCommits(versions, pair, { past: pasts.all, snapshots: read, rules });
    const sourced = traceVersions(versions, states, rules);
    const isManaged = createManaged(askedBy(desired, live), rules);
    const unrecorded = unrecordedFields(Object.keys(desired.managed), live.document, snapshots);
    const ofVersions: Gap | false = unrecorded.length > 0 && { kind: 'unrecorded' };
    const { gap = ofVersions } = pasts.all(desired.source.file);
    const reasonOf = reasonsAmong(snapshots, { pair, declared: desired }, pasts, rules);
    const atHead = { live, desired, base: { declared: desired, commit: 'HEAD', isPlain: false } };
    const apart = placesApart(atHead, noFacts, rules);
    return {
      contract: contractLabel(live),
      versions: sourced,
      isManaged,
      drifts: findDrift(sourced, isManaged, rules.arrays),
      isBehind: apart.some((place) => reasonOf(place).kind === 'not-applied'),
      ...(gap && { gap }),
    };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const message = `Can't read the history of ${contractLabel(live)}, so it is left out: ${error.message}`;
    const hint = error.hint !== undefined && advise(hintOf(error) ?? error.hint);
    const { source } = desired;
    return { code: 'history-unreadable', severity: 'error', message, ...hint, source };
  }
}
