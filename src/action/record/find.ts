/** Finds what comments record, and tells what of it approves. */

import { compareCodeUnits } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { isInHistory } from '../../files/git/repository.ts';
import {
  type Comment,
  listComments,
  type ListedPull,
  listPulls,
  listPullsOf,
  type MergedPull,
  readComments,
  readPull,
} from '../github.ts';
import type { GitHub } from '../github-request.ts';
import { commentKey, sharedInputs, type Step } from '../step.ts';
import {
  type CommentHeader,
  type KeptChange,
  parseHeader,
  shortFingerprint,
  unpackPlan,
} from './comment.ts';

type HeadedComment = Comment & { readonly header: CommentHeader };

/** Written by our own account, for these inputs. */
export type OwnComment = HeadedComment & {
  /** The whole changes, where the comment has room for its plan. */
  readonly shown?: readonly KeptChange[] | undefined;
};

/** A plan of the same commit that counts for another step, or was written by another account. */
type OtherPlan = {
  readonly header: CommentHeader;
  readonly isOurs: boolean;
  /** Names of inputs. */
  readonly differing: readonly string[];
  readonly words: string;
};

export type ReviewRecord = {
  readonly pull: MergedPull;
  readonly comment: OwnComment | undefined;
  /** Where there is no plan with the inputs of this step. */
  readonly other: OtherPlan | undefined;
  /** Why it approves nothing; undefined where it does. */
  readonly refusal: string | undefined;
};

export type OurRecord = ReviewRecord & { readonly comment: OwnComment };

export type ReviewRecords = {
  /**
   * Merged into the branch, latest first, back to the last applied one. The run's own pull request
   * comes first where it isn't merged yet.
   */
  readonly all: readonly ReviewRecord[];
  readonly own: ReviewRecord | undefined;
  readonly isWhole: boolean;
};

/** Our own, oldest first: the first one holds the record, others are left by runs at the same time. */
export async function findComments(step: Step, github: GitHub, pull: number) {
  const { isOpen, viewer, comments } = await listComments(github, pull);
  return { isOpen, own: ownComments(comments, viewer, step) };
}

function ownComments(comments: readonly Comment[], viewer: string, step: Step): OwnComment[] {
  const key = commentKey(step);
  const { environment } = step.inputs;
  return withHeader(comments)
    .filter(({ author, header }) => author === viewer && header.key === key)
    .map((comment) => {
      const { plan, planHash } = comment.header;
      const shown = plan === undefined ? undefined : unpackPlan(plan, planHash, environment);
      return { ...comment, shown };
    });
}

// The header must come first: further down it may be a quotation.
function withHeader(comments: readonly Comment[]): HeadedComment[] {
  return comments.flatMap((comment) => {
    const header = parseHeader(comment.body);
    return header ? [{ ...comment, header }] : [];
  });
}

const nothing = { all: [], isWhole: true };

export async function readRecords(step: Step): Promise<ReviewRecords> {
  const { github, run } = step;
  if (!github) return { ...nothing, own: undefined };
  const { branch } = run;
  const [unmerged, merge] = await Promise.all([
    readUnmerged(step, github),
    branch === undefined ? undefined : findMerge(step, github, branch),
  ]);
  const merged = branch === undefined ? nothing : await readMerged(step, github, branch, merge);
  const own = unmerged ?? merged.all.find(({ pull }) => isOwn(pull, step));
  // Before the first apply only the pull request itself counts.
  const isWhole = merged.isWhole || merged.all.every((record) => record === own);
  return { ...merged, all: unmerged ? [unmerged, ...merged.all] : merged.all, own, isWhole };
}

function isOwn({ mergeSha, number }: MergedPull, { run }: Step): boolean {
  return mergeSha === run.sha || number === run.pullRequest?.number;
}

// Milliseconds: GitHub's index of commits lags behind a merge.
const pauses = [1000, 2000, 4000];

async function findMerge(step: Step, github: GitHub, branch: string) {
  const { run, runner } = step;
  for (const pause of [0, ...(run.eventName === 'push' ? pauses : [])]) {
    if (pause > 0) await runner.sleep(pause);
    const [pulls = []] = await listPullsOf(github, [run.sha], branch);
    const found = pulls.find((pull) => pull.mergedAt !== undefined && isOwn(pull, step));
    if (found) return found;
  }
  return undefined;
}

async function readUnmerged(step: Step, github: GitHub): Promise<ReviewRecord | undefined> {
  const { queued, pullRequest } = step.run;
  const number = queued?.number ?? pullRequest?.number;
  if (number === undefined || pullRequest?.isMerged) return undefined;
  const pull = pullRequest ?? (await readPull(github, number));
  const { viewer, comments } = await listComments(github, number);
  return recordOf(pull, comments, viewer, step);
}

function recordOf(
  pull: MergedPull,
  comments: readonly Comment[],
  viewer: string,
  step: Step,
): ReviewRecord {
  const [comment] = ownComments(comments, viewer, step);
  const isPlanned = comment !== undefined && comment.header.isOutcome !== true;
  const other = isPlanned ? undefined : findOther(pull, comments, viewer, step);
  const refusal = other
    ? `The plan of pull request ${pull.number} has ${other.words}.`
    : whyNotApproved(pull, comment, step.run.branch);
  return { pull, comment, other, refusal };
}

// One of ours, if there is any, and the one that differs least. Anybody may have written the others:
// they explain, and approve nothing.
function findOther(
  { headSha }: MergedPull,
  comments: readonly Comment[],
  viewer: string,
  step: Step,
): OtherPlan | undefined {
  const here = { ...sharedInputs(step), 'github-token': `account ${viewer}` };
  const plans = withHeader(comments).flatMap(({ author, header }): OtherPlan[] => {
    if (header.head !== headSha || header.planHash === undefined) return [];
    const there = new Map(Object.entries(header.inputs)).set('github-token', `account ${author}`);
    const differing = Object.entries(here).filter(([name, value]) => there.get(name) !== value);
    if (differing.length === 0) return [];
    const words = differing
      .map(([name, value]) => `another \`${name}\` (${show(there.get(name))}, here ${show(value)})`)
      .join(' and ');
    const isOurs = author === viewer;
    return [{ header, isOurs, differing: differing.map(([name]) => name), words }];
  });
  const [best] = plans.toSorted((a, b) => a.differing.length - b.differing.length);
  return plans.find(({ isOurs }) => isOurs) ?? best;
}

function show(value: string | undefined): string {
  return value ? quote(value) : 'none';
}

// Pages of 100 pull requests.
const mostPages = 10;
export const mostMerged = 100 * mostPages;

// Pull requests: those older than the last complete apply need not be read.
const batchSize = 10;

// Latest first, back to the last applied one. A merge is an update, so a page of older updates than
// that merge ends the search.
export async function readMerged(
  step: Step,
  github: GitHub,
  branch: string,
  merge?: ListedPull,
): Promise<Omit<ReviewRecords, 'own'>> {
  const known = new Map<number, ReviewRecord>();
  let settledAt = '';
  let after: string | null | undefined = null;
  for (let page = 1; page <= mostPages && after !== undefined; page += 1) {
    const { pulls, next } = await listPulls(github, branch, 'MERGED', after);
    const listed = merge && page === 1 ? [merge, ...pulls] : pulls;
    const unsettled = listed.filter(({ mergedAt = '' }) => mergedAt >= settledAt);
    for (const record of await readUnsettled(mergedBefore(unsettled, step, merge), step, github)) {
      const { number, mergedAt = '' } = record.pull;
      known.set(number, record);
      if (isSettled(record) && mergedAt > settledAt) settledAt = mergedAt;
    }
    after = (pulls.at(-1)?.updatedAt ?? '') < settledAt ? undefined : next;
  }
  const records = [...known.values()].toSorted((a, b) => byMerge(a.pull, b.pull));
  const settled = records.findIndex(isSettled);
  const all = settled < 0 ? records : records.slice(0, settled + 1);
  return { all, isWhole: after === undefined };
}

// Latest first. Merges after the checked-out commit belong to later runs.
function mergedBefore(pulls: readonly ListedPull[], step: Step, merge?: ListedPull) {
  const { mergedAt: now } = merge ?? pulls.find((pull) => isOwn(pull, step)) ?? {};
  const isBefore = (pull: ListedPull): boolean => {
    if (isOwn(pull, step)) return true;
    if (pull.comments.length === 0 && !pull.hasMore) return false;
    const { mergeSha = '', mergedAt = '' } = pull;
    return isInHistory(mergeSha, step.repository) ?? (now === undefined || mergedAt <= now);
  };
  return pulls.filter(isBefore).toSorted(byMerge);
}

function byMerge({ mergedAt: a = '' }: MergedPull, { mergedAt: b = '' }: MergedPull): number {
  return compareCodeUnits(b, a);
}

async function readUnsettled(pulls: readonly ListedPull[], step: Step, github: GitHub) {
  const records: ReviewRecord[] = [];
  for (let start = 0; start < pulls.length && !records.some(isSettled); start += batchSize)
    records.push(...(await readReviews(pulls.slice(start, start + batchSize), step, github)));
  return records;
}

export async function readReviews(pulls: readonly ListedPull[], step: Step, github: GitHub) {
  const listed = await readComments(github, pulls);
  return Promise.all(
    pulls.map(async (pull, index) => {
      const comments = listed[index] ?? [];
      const record = recordOf(pull, comments, comments[0]?.author ?? '', step);
      const isFound = record.comment && !record.other;
      // The comments of other accounts tell why the run's own pull request has no plan.
      if (isFound || !(pull.hasMore || isOwn(pull, step))) return record;
      const whole = await listComments(github, pull.number);
      return recordOf(pull, whole.comments, whole.viewer, step);
    }),
  );
}

export function isSettled(record: ReviewRecord): record is OurRecord {
  return isOurs(record) && record.comment.header.applied !== undefined;
}

export function isOurs(record: ReviewRecord): record is OurRecord {
  return record.comment?.isEdited === false;
}

function whyNotApproved(
  { number, headSha }: MergedPull,
  comment: OwnComment | undefined,
  branch: string | undefined,
): string | undefined {
  if (!comment) return `Pull request ${number} has no comment with a plan.`;
  const { header, isEdited } = comment;
  if (isEdited) return `Somebody else edited the comment of pull request ${number}.`;
  if (header.head !== headSha)
    return `The plan of pull request ${number} is of ${header.head}, an earlier commit than its last one.`;
  if (isForOther(header, branch))
    return `The plan of pull request ${number} was made for the branch ${header.branch}, not for ${branch}.`;
  if (header.planHash === undefined)
    return `Pull request ${number} was left without a plan that can be applied.`;
  // The whole fingerprints of a packed plan count, not their beginnings.
  const planned = new Set(comment.shown?.map((change) => shortFingerprint(change.fingerprint)));
  if (header.plan !== undefined && !header.changes.every((each) => planned.has(each.fingerprint)))
    return `The comment of pull request ${number} records other changes than those of its plan.`;
  return undefined;
}

/** Whether it plans for another branch than the one that is applied. */
export function isForOther(header: CommentHeader, branch: string | undefined): boolean {
  return header.branch !== undefined && branch !== undefined && header.branch !== branch;
}

export function approvingRecords(records: readonly ReviewRecord[]): OurRecord[] {
  return records.filter(isOurs).filter(({ refusal }) => refusal === undefined);
}
