/** What was reviewed in merged pull requests, and has not been applied yet. */

import { compareCodeUnits } from '../core/json.ts';
import { isInHistory } from '../files/find/history.ts';
import { findComment, type FoundComment } from './comment.ts';
import type { CommentHeader, RecordedChange } from './comment-header.ts';
import type { MergedPull } from './event.ts';
import type { GitHub } from './github.ts';
import type { Comment, ListedPull } from './github-query.ts';
import { commentKey, commentPlace, type Step } from './step.ts';

/** A pull request and our comment of it for this catalog and these files. */
export type ReviewRecord = {
  readonly pull: MergedPull;
  readonly comment?: FoundComment;
  /** For the same catalog and folder, of a step with other paths. */
  readonly besides?: FoundComment;
};

export type ReviewRecords = {
  /** Merged into the branch, the latest first, back to the last one that an apply has brought about. */
  readonly merged: readonly ReviewRecord[];
  /** Of the pull request that the run is for. */
  readonly own?: ReviewRecord;
};

/** The index of merged pull requests lags behind the merge. Milliseconds. */
const patience = [0, 1000, 2000, 4000];

/** Reads them from the comments. */
export async function readRecords(step: Step, github: GitHub): Promise<ReviewRecords> {
  const { run, runner } = step;
  const [ahead, listed] = await Promise.all([
    readUnmerged(step, github),
    run.branch === undefined ? [] : github.pulls(run.branch, 'MERGED'),
  ]);
  let pulls = listed;
  for (const delay of run.eventName === 'push' ? patience.slice(1) : []) {
    if (run.branch === undefined || pulls.some(isOf(step))) break;
    await runner.sleep(delay);
    pulls = await github.pulls(run.branch, 'MERGED');
  }
  const merged = await readMerged(mergedBefore(pulls, step), step, github);
  const own = ahead ?? merged.find(({ pull }) => isOf(step)(pull));
  return { merged, ...(own && { own }) };
}

/** Whether the run is for the pull request's merge. */
function isOf({ run }: Step): (pull: MergedPull) => boolean {
  return ({ mergeSha, number }) => mergeSha === run.sha || number === run.pullRequest?.number;
}

/** Of a pull request that is open, or about to be merged by a queue. */
async function readUnmerged(
  { run, ...step }: Step,
  github: GitHub,
): Promise<ReviewRecord | undefined> {
  const number = run.queued?.number ?? run.pullRequest?.number;
  if (number === undefined || run.pullRequest?.isMerged) return undefined;
  const [pull, comments] = await Promise.all([
    run.pullRequest ?? github.pull(number),
    github.comments(number),
  ]);
  return recordOf(pull, comments, { run, ...step });
}

function recordOf(pull: MergedPull, comments: readonly Comment[], step: Step): ReviewRecord {
  const key = commentKey(step);
  const place = commentPlace(step);
  const comment = findComment(comments, (header) => header.key === key);
  const besides = findComment(
    comments,
    (header) => header.place === place && header.key !== key && pendingChanges(header).length > 0,
  );
  return { pull, ...(comment && { comment }), ...(besides && { besides }) };
}

const mostPulls = 50;

/** The latest first; what was merged after the commit that is checked out is of later runs. */
function mergedBefore(pulls: readonly ListedPull[], step: Step): ListedPull[] {
  const now = pulls.find(isOf(step))?.mergedAt;
  const isEarlier = ({ mergedAt = '' }: ListedPull): boolean =>
    now === undefined || mergedAt <= now;
  return pulls
    .toSorted((a, b) => compareCodeUnits(b.mergedAt ?? '', a.mergedAt ?? ''))
    .slice(0, mostPulls)
    .filter(
      (pull) =>
        isOf(step)(pull) || (isInHistory(pull.mergeSha ?? '', step.root) ?? isEarlier(pull)),
    );
}

/** So many at once, since most are not looked at: what is older than the last apply is settled. */
const batchSize = 10;

async function readMerged(
  pulls: readonly ListedPull[],
  step: Step,
  github: GitHub,
): Promise<ReviewRecord[]> {
  const records: ReviewRecord[] = [];
  for (let start = 0; start < pulls.length; start += batchSize) {
    const batch = await readReviews(pulls.slice(start, start + batchSize), step, github);
    const settled = batch.findIndex(isSettled);
    if (settled >= 0) return [...records, ...batch.slice(0, settled + 1)];
    records.push(...batch);
  }
  return records;
}

/** Each with its comments, in the order of the pull requests. */
export async function readReviews(
  pulls: readonly ListedPull[],
  step: Step,
  github: GitHub,
): Promise<ReviewRecord[]> {
  const comments = await github.commentsOf(pulls);
  return Promise.all(
    pulls.map(async (pull, index) => {
      const record = recordOf(pull, comments[index] ?? [], step);
      if (record.comment || !pull.hasMore) return record;
      return recordOf(pull, await github.comments(pull.number), step);
    }),
  );
}

/** Whether an apply has brought about what was merged up to here. */
export function isSettled({ comment }: ReviewRecord): boolean {
  return comment?.header.applied !== undefined && !comment.isEdited;
}

/** Why a pull request's comment approves nothing; undefined where it does. */
export function whyNotApproved({ pull, comment }: ReviewRecord): string | undefined {
  const { number, headSha } = pull;
  if (!comment) return `Pull request ${number} has no comment with a plan.`;
  const { header, isEdited } = comment;
  if (isEdited) return `Somebody else edited the comment of pull request ${number}.`;
  if (header.head !== headSha) {
    return `The plan of pull request ${number} is of ${header.head}, an earlier commit than its last one.`;
  }
  return header.planHash === undefined
    ? `Pull request ${number} was left without a plan.`
    : undefined;
}

/** The headers that approve, the latest first. */
export function approvingHeaders({ merged, own }: ReviewRecords): ApprovingRecord[] {
  const records = own && !merged.includes(own) ? [own, ...merged] : merged;
  return records.flatMap((record) => {
    const { comment, pull } = record;
    const approves = comment && whyNotApproved(record) === undefined;
    return approves ? [{ pull, comment, header: comment.header }] : [];
  });
}

export type ApprovingRecord = {
  readonly pull: MergedPull;
  readonly comment: FoundComment;
  readonly header: CommentHeader;
};

/** What a comment has shown and no apply has brought about. */
export function pendingChanges({ changes = [] }: CommentHeader): RecordedChange[] {
  return changes.filter(({ hasLanded }) => !hasLanded);
}
