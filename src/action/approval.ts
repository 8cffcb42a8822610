/** What of a fresh plan was reviewed, change by change. */

import { idKey } from '../contract/identity.ts';
import { hasChangedSince } from '../files/find/history.ts';
import { fingerprintOf, planHash } from '../plan/fingerprint.ts';
import { type Plan, updates } from '../plan/plan.ts';
import { type Comparison, compareChanges } from '../review/compare.ts';
import { decideChanges, type Decision, type RefusedChange } from '../review/decide.ts';
import { findLanded } from '../review/landed.ts';
import { type ReviewedChange, reviewedChanges } from '../review/reviewed.ts';
import type { Session } from '../session.ts';
import { contractMark } from './comment-header.ts';
import { type KeptChange, unpackPlan } from './packed-plan.ts';
import {
  type ApprovingRecord,
  approvingHeaders,
  pendingChanges,
  type ReviewRecords,
} from './records.ts';
import type { Step } from './step.ts';

/** What may be sent, and how the rest differs from what was reviewed. */
export type Approval = Decision & { readonly comparison?: Comparison };

/** Holds a plan against the comments that have not been applied yet. */
export async function decideByComments(
  fresh: Plan,
  records: ReviewRecords,
  { step, session }: { readonly step: Step; readonly session: Session },
): Promise<Approval> {
  const approvals = approvingHeaders(records).map((record) => readApproval(record, fresh));
  const reviewed = approvals.flatMap(({ changes }) => changes);
  const landings = await findLanded(fresh, reviewed, session);
  const decision = decideChanges(fresh, [...reviewed, ...together(approvals)], landings);
  const refused = decision.refused.filter((refusal) => !isSuperseded(refusal, approvals, step));
  const comparison = compareRefused(refused, approvals, fresh);
  return { ...decision, refused, ...(comparison && { comparison }) };
}

/** A comment's approval, with the names of contracts where they are known. */
type CommentApproval = {
  readonly record: ApprovingRecord;
  readonly changes: readonly ReviewedChange[];
  /** Those of its changes that are not spent, where there was room for them. */
  readonly shown?: readonly KeptChange[];
};

function readApproval(record: ApprovingRecord, fresh: Plan): CommentApproval {
  const { header } = record;
  const { planHash: hash = '', plan: packed, changes } = header;
  const shown = packed === undefined ? undefined : unpackPlan(packed, fresh, hash);
  if (!changes) return { record, changes: approveByHash(record, fresh) };
  const pending = pendingChanges(header);
  const named = marksOf(fresh);
  const reviewed = pending.map(({ fingerprint, contract }): ReviewedChange => {
    const known = shown?.find((change) => change.fingerprint.startsWith(fingerprint));
    return { ...(known ?? nameOf(named.get(contract))), fingerprint };
  });
  const isPending = (change: { readonly fingerprint: string }) =>
    pending.some(({ fingerprint }) => change.fingerprint.startsWith(fingerprint));
  return {
    record,
    changes: reviewed,
    ...(shown && { shown: shown.filter(isPending) }),
  };
}

/** A plan too large to be recorded change by change is the same as a whole, or not reviewed. */
function approveByHash({ header }: ApprovingRecord, fresh: Plan): readonly ReviewedChange[] {
  const { planHash: hash = '', applied } = header;
  if (hash === fresh.planHash) return reviewedChanges(fresh);
  return applied === undefined && hash !== planHash([], fresh.environment)
    ? [{ fingerprint: hash }]
    : [];
}

type Named = { readonly id?: string; readonly fullyQualifiedName?: string };

function nameOf({ id, fullyQualifiedName }: Named = {}): Named {
  return {
    ...(id !== undefined && { id }),
    ...(fullyQualifiedName !== undefined && { fullyQualifiedName }),
  };
}

function marksOf({ contracts }: Plan): ReadonlyMap<string, Named> {
  const named: readonly Named[] = contracts;
  return new Map(
    named.flatMap((contract) =>
      [contract.id, contract.fullyQualifiedName]
        .filter((name) => name !== undefined)
        .map((name) => [contractMark(name), contract] as const),
    ),
  );
}

/** Two pull requests that touch one contract at different places have both been reviewed. */
function together(approvals: readonly CommentApproval[]): ReviewedChange[] {
  const shown = approvals.flatMap((approval) => approval.shown ?? []);
  return [...Map.groupBy(shown, ({ id }) => id && idKey(id))].flatMap(([id, changes]) => {
    if (id === undefined) return [];
    const differences = changes.flatMap((change) => change.differences ?? []);
    const places = new Set(differences.map(({ place }) => place));
    if (changes.length < 2 || places.size < differences.length) return [];
    return [{ ...nameOf(changes[0]), fingerprint: fingerprintOf(id, differences) }];
  });
}

/** Whether a later commit has changed or removed the file of what can't be found. */
function isSuperseded(
  { kind, change }: RefusedChange,
  approvals: readonly CommentApproval[],
  { root }: Step,
): boolean {
  if (kind !== 'not-found') return false;
  return approvals.some(({ shown, record }) => {
    const known = shown?.find((one) => isSame(one, change));
    const { mergeSha } = record.pull;
    if (!known || mergeSha === undefined) return false;
    return hasChangedSince(mergeSha, known.source.file, root);
  });
}

function isSame(one: Named, other: Named): boolean {
  if (one.id !== undefined && other.id !== undefined) return idKey(one.id) === idKey(other.id);
  return one.fullyQualifiedName === other.fullyQualifiedName;
}

/** Place by place, for the contracts that are not sent. */
function compareRefused(
  refused: readonly RefusedChange[],
  approvals: readonly CommentApproval[],
  fresh: Plan,
): Comparison | undefined {
  const wanted = new Set(
    refused.map(({ change }) => ('id' in change && change.id ? idKey(change.id) : undefined)),
  );
  const shown = approvals.flatMap((approval) => approval.shown ?? []).filter(({ id }) => id);
  if (refused.length === 0 || shown.length === 0) return undefined;
  const isWanted = ({ id }: Named) => id !== undefined && wanted.has(idKey(id));
  const contracts = updates(fresh).filter(isWanted);
  return compareChanges(shown.filter(isWanted), { ...fresh, contracts });
}
