/** What was reviewed in pull requests, as our comments of them record it. */

import { compareCodeUnits } from '../core/json.ts';
import { isInHistory } from '../files/git/changes.ts';
import { type CommentHeader, parseHeader, pendingChanges } from './comment.ts';
import type { MergedPull } from './event.ts';
import {
  type Comment,
  type GitHub,
  listComments,
  type ListedPull,
  listPulls,
  readComments,
  readPull,
} from './github.ts';
import { commentKey, commentPlace, type Step } from './step.ts';

export type FoundComment = Comment & { readonly header: CommentHeader };

/** A pull request and our comment of it for this catalog and these files. */
export type ReviewRecord = {
  readonly pull: MergedPull;
  /** The branch that the run is for. */
  readonly branch: string | undefined;
  readonly comment: FoundComment | undefined;
  /** For the same catalog and folder, of a step with other paths. */
  readonly besides: FoundComment | undefined;
};

/** A record that nobody else has edited. */
export type OurRecord = ReviewRecord & { readonly comment: FoundComment };

export type ReviewRecords = {
  /**
   * Merged into the branch, the latest first, back to the last one that an apply has brought about;
   * before them that of the run's own pull request, where it isn't merged yet.
   */
  readonly all: readonly ReviewRecord[];
  /** Of the pull request that the run is for. */
  readonly own: ReviewRecord | undefined;
};

/** A pull request and our comments in it for this catalog and these files, the oldest first. */
export type Commented = { readonly isOpen: boolean; readonly found: readonly FoundComment[] };

export async function findComments(step: Step, github: GitHub, pull: number): Promise<Commented> {
  const key = commentKey(step);
  const { isOpen, comments } = await listComments(github, pull);
  return { isOpen, found: withHeader(comments).filter(({ header }) => header.key === key) };
}

/** Of our own account and with our header at the start: what others quote of it is not ours. */
function withHeader(comments: readonly Comment[]): FoundComment[] {
  return comments.flatMap((comment) => {
    const header = parseHeader(comment.body);
    return header ? [{ ...comment, header }] : [];
  });
}

/** Milliseconds: the index of merged pull requests lags behind the merge. */
const pauses = [1000, 2000, 4000];

/** Reads the records of a run from the comments of its pull request and of those merged before it. */
export async function readRecords(step: Step): Promise<ReviewRecords> {
  const { github, run, runner } = step;
  if (!github) return { all: [], own: undefined };
  const { branch } = run;
  const isOwn = isOf(step);
  const listMerged = async () => (branch === undefined ? [] : listPulls(github, branch, 'MERGED'));
  const [unmerged, listed] = await Promise.all([readUnmerged(step, github), listMerged()]);
  let pulls = listed;
  for (const pause of run.eventName === 'push' && branch !== undefined ? pauses : []) {
    if (pulls.some(isOwn)) break;
    await runner.sleep(pause);
    pulls = await listMerged();
  }
  const merged = await readMerged(mergedBefore(pulls, step), step, github);
  if (unmerged) return { all: [unmerged, ...merged], own: unmerged };
  return { all: merged, own: merged.find(({ pull }) => isOwn(pull)) };
}

/** Whether the run is for the pull request's merge. */
function isOf({ run }: Step): (pull: MergedPull) => boolean {
  return ({ mergeSha, number }) => mergeSha === run.sha || number === run.pullRequest?.number;
}

/** Of a pull request that is open, or about to be merged by a queue. */
async function readUnmerged(step: Step, github: GitHub): Promise<ReviewRecord | undefined> {
  const { queued, pullRequest } = step.run;
  const number = queued?.number ?? pullRequest?.number;
  if (number === undefined || pullRequest?.isMerged) return undefined;
  const [pull, { comments }] = await Promise.all([
    pullRequest ?? readPull(github, number),
    listComments(github, number),
  ]);
  return recordOf(pull, comments, step);
}

function recordOf(pull: MergedPull, comments: readonly Comment[], step: Step): ReviewRecord {
  const [key, place] = [commentKey(step), commentPlace(step)];
  const found = withHeader(comments);
  return {
    pull,
    branch: step.run.branch,
    comment: found.find(({ header }) => header.key === key),
    besides: found.find(
      ({ header }) =>
        header.place === place && header.key !== key && pendingChanges(header).length > 0,
    ),
  };
}

const mostPulls = 50;

/** The latest first; what was merged after the commit that is checked out is of later runs. */
function mergedBefore(pulls: readonly ListedPull[], step: Step): ListedPull[] {
  const isOwn = isOf(step);
  const now = pulls.find(isOwn)?.mergedAt;
  const isEarlier = ({ mergedAt = '' }: ListedPull): boolean =>
    now === undefined || mergedAt <= now;
  return pulls
    .toSorted((a, b) => compareCodeUnits(b.mergedAt ?? '', a.mergedAt ?? ''))
    .slice(0, mostPulls)
    .filter(
      (pull) => isOwn(pull) || (isInHistory(pull.mergeSha ?? '', step.root) ?? isEarlier(pull)),
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

/** The records of pull requests that were listed, in their order. */
export async function readReviews(
  pulls: readonly ListedPull[],
  step: Step,
  github: GitHub,
): Promise<ReviewRecord[]> {
  const comments = await readComments(github, pulls);
  return Promise.all(
    pulls.map(async (pull, index) => {
      const record = recordOf(pull, comments[index] ?? [], step);
      if (record.comment || !pull.hasMore) return record;
      return recordOf(pull, (await listComments(github, pull.number)).comments, step);
    }),
  );
}

/** Whether an apply has brought about what was merged up to here. */
export function isSettled(record: ReviewRecord): boolean {
  return isOurs(record) && record.comment.header.applied !== undefined;
}

export function isOurs(record: ReviewRecord): record is OurRecord {
  return record.comment?.isEdited === false;
}

/** Why a pull request's comment approves nothing; undefined where it does. */
export function whyNotApproved(record: ReviewRecord): string | undefined {
  const { pull, comment, branch } = record;
  const { number, headSha } = pull;
  if (!comment) return `Pull request ${number} has no comment with a plan.`;
  const { header, isEdited } = comment;
  if (isEdited) return `Somebody else edited the comment of pull request ${number}.`;
  if (header.head !== headSha) {
    return `The plan of pull request ${number} is of ${header.head}, an earlier commit than its last one.`;
  }
  if (isRetargeted(record)) {
    return `The plan of pull request ${number} was made for the branch ${header.branch}, not for ${branch}.`;
  }
  return header.planHash === undefined
    ? `Pull request ${number} was left without a plan.`
    : undefined;
}

/** Whether the comment's plan is of a merge into another branch. */
export function isRetargeted({ comment, branch }: ReviewRecord): boolean {
  const planned = comment?.header.branch;
  return planned !== undefined && branch !== undefined && planned !== branch;
}

/** The records that approve, the latest first. */
export function approvingRecords({ all }: ReviewRecords): OurRecord[] {
  return all.filter(isOurs).filter((record) => whyNotApproved(record) === undefined);
}
