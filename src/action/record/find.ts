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
  pendingChanges,
  type RecordedChange,
  shortFingerprint,
  unpackPlan,
} from './comment.ts';

/** One of ours, but for its content. */
export type HeadedComment = Comment & { readonly header: CommentHeader };

/** A record: the comment with the plan, and those that it goes on in. */
export type FoundComment = HeadedComment & {
  /** Undefined where one is missing. */
  readonly further: readonly (HeadedComment | undefined)[];
  /** The changes that these comments record, without those that others edited. */
  readonly changes: readonly RecordedChange[];
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
  readonly comment: FoundComment | undefined;
  /** Where there is no plan with the inputs of this step. */
  readonly other: OtherPlan | undefined;
  /** Why it approves nothing; undefined where it does. */
  readonly refusal: string | undefined;
};

export type OurRecord = ReviewRecord & { readonly comment: FoundComment };

export type ReviewRecords = {
  /**
   * Merged into the branch, latest first, back to the last applied one. The run's own pull request
   * comes first where it isn't merged yet.
   */
  readonly all: readonly ReviewRecord[];
  readonly own: ReviewRecord | undefined;
  readonly isWhole: boolean;
};

export type Commented = {
  readonly isOpen: boolean;
  /** All of this key, oldest first, also those of earlier plans. */
  readonly all: readonly HeadedComment[];
  readonly record: FoundComment | undefined;
};

export async function findComments(step: Step, github: GitHub, pull: number): Promise<Commented> {
  const { isOpen, viewer, comments } = await listComments(github, pull);
  const all = ownComments(comments, viewer, step);
  return { isOpen, all, record: findRecord(all, step) };
}

function ownComments(comments: readonly Comment[], viewer: string, step: Step): HeadedComment[] {
  const key = commentKey(step);
  return withHeader(comments).filter(
    ({ author, header }) => author === viewer && header.key === key,
  );
}

// The header must come first: further down it may be a quotation.
function withHeader(comments: readonly Comment[]): HeadedComment[] {
  return comments.flatMap((comment) => {
    const header = parseHeader(comment.body);
    return header ? [{ ...comment, header }] : [];
  });
}

function findRecord(all: readonly HeadedComment[], { inputs }: Step): FoundComment | undefined {
  const first = all.find(({ header }) => header.part === 1);
  if (!first) return undefined;
  const { parts, head, planHash, changes } = first.header;
  const ofPlan = all.filter(({ header }) => header.head === head && header.planHash === planHash);
  const further = Array.from({ length: parts - 1 }, (_, index) =>
    ofPlan.find(({ header }) => header.part === index + 2),
  );
  const known = further.flatMap((each) => (each?.isEdited === false ? each.header.changes : []));
  const { plan } = first.header;
  const shown = plan === undefined ? undefined : unpackPlan(plan, planHash, inputs.environment);
  return { ...first, further, changes: [...changes, ...known], shown };
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
  const { number, pullRequest } = step.run;
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
  const own = ownComments(comments, viewer, step);
  const comment = findRecord(own, step);
  const isPlanned = comment ? comment.header.isOutcome !== true : own.length > 0;
  const other = isPlanned ? undefined : findOther(pull, comments, viewer, step);
  const refusal = other
    ? `The plan of pull request ${pull.number} has ${other.words}.`
    : whyNotApproved(pull, comment, own, step.run.branch);
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
      const isComplete = record.comment && !record.other && !whyIncomplete(record.comment);
      // The comments of other accounts tell why the run's own pull request has no plan.
      if (isComplete || !(pull.hasMore || isOwn(pull, step))) return record;
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

// `own` are all of the record, also where its first one is gone.
function whyNotApproved(
  { number, headSha }: MergedPull,
  comment: FoundComment | undefined,
  [rest]: readonly HeadedComment[],
  branch: string | undefined,
): string | undefined {
  const incomplete = `The record of pull request ${number} is incomplete`;
  if (!comment && rest)
    return `${incomplete}: part 1 of ${rest.header.parts} is not among our comments.`;
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
  if (header.plan !== undefined && !comment.changes.every((each) => planned.has(each.fingerprint)))
    return `The comment of pull request ${number} records other changes than those of its plan.`;
  const lack = whyIncomplete(comment);
  return lack && `${incomplete}: ${lack}.`;
}

function whyIncomplete({ header, further }: FoundComment): string | undefined {
  const index = further.findIndex((each) => each?.isEdited !== false);
  if (index < 0) return undefined;
  const name = `part ${index + 2} of ${header.parts}`;
  return further[index] ? `somebody else edited ${name}` : `${name} is not among our comments`;
}

/** Whether it plans for another branch than the one that is applied. */
export function isForOther(header: CommentHeader, branch: string | undefined): boolean {
  return header.branch !== undefined && branch !== undefined && header.branch !== branch;
}

export function approvingRecords(records: readonly ReviewRecord[]): OurRecord[] {
  return records.filter(isOurs).filter(({ refusal }) => refusal === undefined);
}

/**
 * Those that approve exactly this change. What an apply has landed had its approval, which counts for
 * no later pull request.
 */
export function recordsShowing(
  { all }: ReviewRecords,
  change: { readonly fingerprint: string },
): OurRecord[] {
  const short = shortFingerprint(change.fingerprint);
  return approvingRecords(all).filter(({ comment }) =>
    pendingChanges(comment.changes).some(({ fingerprint }) => fingerprint === short),
  );
}
