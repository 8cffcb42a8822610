/** What an apply leaves in the comments: a line for each run, what has landed, what is stale. */

import { type Outcome, summarizeOutcomes } from '../apply/outcome.ts';
import type { ContractPlan } from '../plan/plan.ts';
import { type CommentChange, type FoundComment, rewriteComment } from './comment.ts';
import { type CommentHeader, contractMark } from './comment-header.ts';
import { runNote } from './comment-note.ts';
import type { GitHub } from './github.ts';
import { readReviews, type ReviewRecord } from './records.ts';
import type { StepResult } from './result.ts';
import { repositoryPage, runPage, type Step } from './step.ts';

type Applied = Extract<StepResult, { readonly kind: 'apply' }>;

type Named = { readonly id?: string; readonly fullyQualifiedName?: string };

function marksOf({ id, fullyQualifiedName }: Named): string[] {
  return [id, fullyQualifiedName].filter((name) => name !== undefined).map(contractMark);
}

/** Adds to the comments whose changes this run was about; how many were written. */
export async function settleRecords(step: Step, github: GitHub, applied: Applied): Promise<number> {
  const { merged, own } = applied.records;
  const records = own && !merged.includes(own) ? [own, ...merged] : merged;
  const open = records.filter(isOurs);
  const share = shareOutcomes(applied, open);
  let written = 0;
  for (const record of open) {
    const change = settleRecord(record, { applied, share, step, isLatest: record === open[0] });
    if (!change) continue;
    await rewriteComment(github, record.comment, repositoryPage(step), change);
    written += 1;
  }
  return written;
}

type OurRecord = ReviewRecord & { readonly comment: FoundComment };

function isOurs(record: ReviewRecord): record is OurRecord {
  return record.comment?.isEdited === false;
}

type Share = ReadonlyMap<ReviewRecord, readonly Outcome[]>;

/** Each outcome belongs to the latest comment that shows its contract, else to that of the run. */
function shareOutcomes({ outcomes, records }: Applied, open: readonly OurRecord[]): Share {
  const ownerOf = (outcome: Outcome): ReviewRecord | undefined => {
    const marks = new Set(marksOf(outcome));
    return open.find(({ comment }) => isPending(comment, marks)) ?? records.own;
  };
  const shared = new Map<ReviewRecord, Outcome[]>();
  for (const outcome of outcomes.outcomes) {
    const owner = ownerOf(outcome);
    if (owner) shared.set(owner, [...(shared.get(owner) ?? []), outcome]);
  }
  return shared;
}

function isPending({ header }: FoundComment, marks: ReadonlySet<string>): boolean {
  return (header.changes ?? []).some(
    ({ contract, hasLanded }) => !hasLanded && marks.has(contract),
  );
}

type Settling = {
  readonly applied: Applied;
  readonly share: Share;
  readonly step: Step;
  /** Whether no comment of a later merge is ours. */
  readonly isLatest: boolean;
};

/** The header and the note that a comment gets; undefined where there is nothing to say. */
function settleRecord(
  record: OurRecord,
  { applied, share, step, isLatest }: Settling,
): CommentChange | undefined {
  const { header } = record.comment;
  const outcomes = share.get(record) ?? [];
  const isTold = record === applied.records.own || outcomes.length > 0;
  const marked = withLanded(header, applied);
  const isNews = isTold || countLanded(marked) > countLanded(header);
  const isSettled = isLatest && !applied.failure && (isNews || header.applied === undefined);
  if (!isNews && !isSettled) return undefined;
  return {
    header: isSettled ? { ...marked, applied: step.run.sha } : marked,
    ...(isTold && { note: noteOf(applied, outcomes, step) }),
  };
}

function countLanded({ changes = [] }: CommentHeader): number {
  return changes.filter(({ hasLanded }) => hasLanded).length;
}

function noteOf(applied: Applied, outcomes: readonly Outcome[], step: Step): string {
  const part = { ...applied, outcomes: summarizeOutcomes(applied.plan, outcomes) };
  return step.redactor.redact(runNote(part, step));
}

/** What the catalog shows now, by this run or not, is spent. */
function withLanded(header: CommentHeader, { outcomes, plan }: Applied): CommentHeader {
  if (!header.changes) return header;
  const landed = new Set(
    [
      ...outcomes.outcomes.filter(({ result }) => result === 'applied' || result === 'unchanged'),
      ...plan.contracts.filter(isAtRest),
    ].flatMap((contract) => marksOf(contract)),
  );
  const changes = header.changes.map((change) =>
    landed.has(change.contract) ? { ...change, hasLanded: true } : change,
  );
  return { ...header, changes };
}

function isAtRest({ action }: ContractPlan): boolean {
  return action === 'unchanged';
}

/** Marks the open pull requests that show a contract which was just changed; how many. */
export async function markStale(step: Step, github: GitHub, applied: Applied): Promise<number> {
  const { branch } = step.run;
  const changed = new Set(
    applied.outcomes.outcomes.filter(({ result }) => result === 'applied').flatMap(marksOf),
  );
  if (branch === undefined || changed.size === 0) return 0;
  const records = await readReviews(await github.pulls(branch, 'OPEN'), step, github);
  const stale = records.filter(isOurs).filter(({ comment }) => isPending(comment, changed));
  const repository = repositoryPage(step);
  for (const { comment } of stale) {
    const { header } = comment;
    await rewriteComment(github, comment, repository, {
      header,
      stale: runPage(step),
    });
  }
  return stale.length;
}
