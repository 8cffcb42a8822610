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
  listPullsOf,
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
  /** Whether all that was merged since the last apply was looked at. */
  readonly isWhole: boolean;
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

const nothing = { all: [], isWhole: true };

/** Reads the records of a run from the comments of its pull request and of those merged before it. */
export async function readRecords(step: Step): Promise<ReviewRecords> {
  const { github, run } = step;
  if (!github) return { ...nothing, own: undefined };
  const { branch } = run;
  const [unmerged, merge] = await Promise.all([
    readUnmerged(step, github),
    branch === undefined ? undefined : findMerge(step, github, branch),
  ]);
  const merged = branch === undefined ? nothing : await readMerged(step, github, branch, merge);
  const own = unmerged ?? merged.all.find(({ pull }) => isOf(step)(pull));
  // Before the first apply there is nothing to go back to but the pull request itself.
  const isWhole = merged.isWhole || merged.all.every((record) => record === own);
  return { ...merged, all: unmerged ? [unmerged, ...merged.all] : merged.all, own, isWhole };
}

/** Whether the run is for the pull request's merge. */
function isOf({ run }: Step): (pull: MergedPull) => boolean {
  return ({ mergeSha, number }) => mergeSha === run.sha || number === run.pullRequest?.number;
}

/** Milliseconds: GitHub's index of commits lags behind the merge. */
const pauses = [1000, 2000, 4000];

/** The pull request whose merge the run is for, however old. */
async function findMerge(
  step: Step,
  github: GitHub,
  branch: string,
): Promise<ListedPull | undefined> {
  const { run, runner } = step;
  for (const pause of [0, ...(run.eventName === 'push' ? pauses : [])]) {
    if (pause > 0) await runner.sleep(pause);
    const [pulls = []] = await listPullsOf(github, [run.sha], branch);
    const found = pulls.find((pull) => pull.mergedAt !== undefined && isOf(step)(pull));
    if (found) return found;
  }
  return undefined;
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

/** Of 100 pull requests each. */
const mostPages = 10;
export const mostMerged = 100 * mostPages;

/** So many at once, since most are not looked at: what is older than the last apply is settled. */
const batchSize = 10;

/**
 * The records of what was merged before the run, the latest first, back to the settled one. A merge
 * is an update, so pages of updates go back far enough once they are older than that merge.
 */
async function readMerged(
  step: Step,
  github: GitHub,
  branch: string,
  merge: ListedPull | undefined,
): Promise<Omit<ReviewRecords, 'own'>> {
  const known = new Map<number, ReviewRecord>();
  let settledAt = '';
  let after: string | null = null;
  let next: string | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const { pulls, next: cursor } = await listPulls(github, branch, 'MERGED', after);
    const listed = merge && page === 1 ? [merge, ...pulls] : pulls;
    const unsettled = listed.filter(({ mergedAt = '' }) => mergedAt >= settledAt);
    for (const record of await readUnsettled(mergedBefore(unsettled, step, merge), step, github)) {
      known.set(record.pull.number, record);
      if (isSettled(record)) settledAt = record.pull.mergedAt ?? '';
    }
    next = (pulls.at(-1)?.updatedAt ?? '') < settledAt ? undefined : cursor;
    if (next === undefined) break;
    after = next;
  }
  const records = latestFirst([...known.values()], ({ pull }) => pull);
  const settled = records.findIndex(isSettled);
  const all = settled < 0 ? records : records.slice(0, settled + 1);
  return { all, isWhole: next === undefined };
}

/** The latest first; what was merged after the commit that is checked out is of later runs. */
function mergedBefore(
  pulls: readonly ListedPull[],
  step: Step,
  merge = pulls.find(isOf(step)),
): ListedPull[] {
  const { mergedAt: now } = merge ?? {};
  const isEarlier = ({ mergedAt = '' }: ListedPull): boolean =>
    now === undefined || mergedAt <= now;
  const isOwn = isOf(step);
  const candidates = pulls.filter(
    (pull) =>
      isOwn(pull) ||
      ((pull.comments.length > 0 || pull.hasMore) &&
        (isInHistory(pull.mergeSha ?? '', step.root) ?? isEarlier(pull))),
  );
  return latestFirst(candidates, (pull) => pull);
}

function latestFirst<Item>(items: readonly Item[], pullOf: (item: Item) => MergedPull): Item[] {
  return items.toSorted((a, b) =>
    compareCodeUnits(pullOf(b).mergedAt ?? '', pullOf(a).mergedAt ?? ''),
  );
}

async function readUnsettled(
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
