import { idKey } from '../contract/identity.ts';
import { SyncError } from '../core/diagnostic.ts';
import { canonicalJson, compareCodeUnits } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { isInHistory } from '../files/git/repository.ts';
import type { Difference } from '../patch/describe.ts';
import { isInVersions } from '../review/landed.ts';
import type { PendingAt } from '../session.ts';
import {
  type CommentHeader,
  type KeptChange,
  parseHeader,
  pendingChanges,
  type RecordedChange,
  shortFingerprint,
  unpackPlan,
} from './comment.ts';
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
import { commentKey, sharedInputs, type Step } from './step.ts';

/** One of ours, but for its content. */
export type HeadedComment = Comment & { readonly header: CommentHeader };

/** A record: the comment with the plan, and those that it goes on in. */
export type FoundComment = HeadedComment & {
  /** Undefined where one is missing. */
  readonly further: readonly (HeadedComment | undefined)[];
  /** Of all of them that hold what we wrote. */
  readonly changes: readonly RecordedChange[];
  /** The whole changes, where the comment has room for its plan. */
  readonly shown?: readonly KeptChange[] | undefined;
};

/** A plan of the same commit that counts for another step, or was written by another account. */
type OtherPlan = {
  readonly comment: HeadedComment;
  /** Names of inputs. */
  readonly differing: readonly string[];
  readonly words: string;
};

export type ReviewRecord = {
  readonly pull: MergedPull;
  readonly branch: string | undefined;
  readonly comment: FoundComment | undefined;
  /** Where there is no plan with the inputs of this step. */
  readonly other: OtherPlan | undefined;
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
  const { isOpen, comments } = await listComments(github, pull);
  const all = withHeader(comments).filter(({ header }) => header.key === commentKey(step));
  return { isOpen, all, record: findRecord(all, step) };
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
  const shown = unpackPlan(first.header, inputs);
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
  const own = unmerged ?? merged.all.find(({ pull }) => isOf(step)(pull));
  // Before the first apply only the pull request itself counts.
  const isWhole = merged.isWhole || merged.all.every((record) => record === own);
  return { ...merged, all: unmerged ? [unmerged, ...merged.all] : merged.all, own, isWhole };
}

function isOf({ run }: Step): (pull: MergedPull) => boolean {
  return ({ mergeSha, number }) => mergeSha === run.sha || number === run.pullRequest?.number;
}

// Milliseconds: GitHub's index of commits lags behind a merge.
const pauses = [1000, 2000, 4000];

async function findMerge(step: Step, github: GitHub, branch: string) {
  const { run, runner } = step;
  for (const pause of [0, ...(run.eventName === 'push' ? pauses : [])]) {
    if (pause > 0) await runner.sleep(pause);
    const [pulls = []] = await listPullsOf(github, [run.sha], branch);
    const found = pulls.find((pull) => pull.mergedAt !== undefined && isOf(step)(pull));
    if (found) return found;
  }
  return undefined;
}

async function readUnmerged(step: Step, github: GitHub): Promise<ReviewRecord | undefined> {
  const { queued, pullRequest } = step.run;
  const number = queued?.number ?? pullRequest?.number;
  if (number === undefined || pullRequest?.isMerged) return undefined;
  const [pull, listed] = await Promise.all([
    pullRequest ?? readPull(github, number),
    listComments(github, number),
  ]);
  return recordOf(pull, listed, step);
}

type Listed = {
  readonly comments: readonly Comment[];
  readonly others?: readonly Comment[];
  readonly viewer?: string;
};

function recordOf(pull: MergedPull, listed: Listed, step: Step): ReviewRecord {
  const own = withHeader(listed.comments).filter(({ header }) => header.key === commentKey(step));
  const comment = findRecord(own, step);
  const isPlanned = comment && comment.header.isOutcome !== true;
  const other = isPlanned ? undefined : findOther(pull, listed, step);
  return { pull, branch: step.run.branch, comment, other };
}

// The plan that differs least. Anybody may have written it: it explains, and approves nothing.
function findOther({ headSha }: MergedPull, listed: Listed, step: Step): OtherPlan | undefined {
  const { comments, others = [], viewer = comments[0]?.author ?? '' } = listed;
  const here = Object.entries({ ...sharedInputs(step), 'github-token': `account ${viewer}` });
  const plans = withHeader([...comments, ...others]).flatMap((comment) => {
    const { head, planHash, inputs } = comment.header;
    if (head !== headSha || planHash === undefined) return [];
    const account = `account ${comment.author}`;
    const there: CommentHeader['inputs'] = { ...inputs, 'github-token': account };
    const differing = here.filter(([name, value]) => there[name] !== value);
    const words = differing.map(
      ([name, value]) => `another \`${name}\` (${show(there[name])}, here ${show(value)})`,
    );
    if (differing.length === 0) return [];
    return [{ comment, differing: differing.map(([name]) => name), words: words.join(' and ') }];
  });
  return plans.toSorted((a, b) => a.differing.length - b.differing.length)[0];
}

function show(value: string | undefined): string {
  return value ? quote(value) : 'none';
}

// Of 100 pull requests each.
const mostPages = 10;
export const mostMerged = 100 * mostPages;

// A batch, since what is older than the last apply need not be read.
const batchSize = 10;

// Latest first, back to the last applied one. A merge is an update, so a page of older updates than
// that merge ends the search.
async function readMerged(
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
      known.set(record.pull.number, record);
      if (isSettled(record)) settledAt = record.pull.mergedAt ?? '';
    }
    after = (pulls.at(-1)?.updatedAt ?? '') < settledAt ? undefined : next;
  }
  const records = [...known.values()].toSorted((a, b) => byMerge(a.pull, b.pull));
  const settled = records.findIndex(isSettled);
  const all = settled < 0 ? records : records.slice(0, settled + 1);
  return { all, isWhole: after === undefined };
}

// Latest first. Merges after the checked-out commit belong to later runs.
function mergedBefore(pulls: readonly ListedPull[], step: Step, merge = pulls.find(isOf(step))) {
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
  return candidates.toSorted(byMerge);
}

function byMerge({ mergedAt: a = '' }: MergedPull, { mergedAt: b = '' }: MergedPull): number {
  return compareCodeUnits(b, a);
}

async function readUnsettled(pulls: readonly ListedPull[], step: Step, github: GitHub) {
  const records: ReviewRecord[] = [];
  for (let start = 0; start < pulls.length; start += batchSize) {
    const batch = await readReviews(pulls.slice(start, start + batchSize), step, github);
    const settled = batch.findIndex(isSettled);
    if (settled >= 0) return [...records, ...batch.slice(0, settled + 1)];
    records.push(...batch);
  }
  return records;
}

export async function readReviews(pulls: readonly ListedPull[], step: Step, github: GitHub) {
  const comments = await readComments(github, pulls);
  return Promise.all(
    pulls.map(async (pull, index) => {
      const record = recordOf(pull, { comments: comments[index] ?? [] }, step);
      const isComplete = record.comment && !record.other && !whyIncomplete(record.comment);
      // Of the run's own one, the comments of other accounts tell why it has no plan.
      if (isComplete || !(pull.hasMore || isOf(step)(pull))) return record;
      return recordOf(pull, await listComments(github, pull.number), step);
    }),
  );
}

export function isSettled(record: ReviewRecord): boolean {
  return isOurs(record) && record.comment.header.applied !== undefined;
}

export function isOurs(record: ReviewRecord): record is OurRecord {
  return record.comment?.isEdited === false;
}

/** Undefined where the comment approves. */
export function whyNotApproved(record: ReviewRecord): string | undefined {
  const { pull, comment, branch, other } = record;
  const { number, headSha } = pull;
  if (other) return `The plan of pull request ${number} has ${other.words}.`;
  if (!comment) return `Pull request ${number} has no comment with a plan.`;
  const { header, isEdited } = comment;
  if (isEdited) return `Somebody else edited the comment of pull request ${number}.`;
  if (header.head !== headSha)
    return `The plan of pull request ${number} is of ${header.head}, an earlier commit than its last one.`;
  if (isRetargeted(record))
    return `The plan of pull request ${number} was made for the branch ${header.branch}, not for ${branch}.`;
  if (header.planHash === undefined)
    return `Pull request ${number} was left without a plan that can be applied.`;
  if (!isWithinPlan(comment))
    return `The comment of pull request ${number} records other changes than those of its plan.`;
  const lack = whyIncomplete(comment);
  return lack && `The record of pull request ${number} is incomplete: ${lack}.`;
}

function whyIncomplete({ header, further }: FoundComment): string | undefined {
  const index = further.findIndex((each) => each?.isEdited !== false);
  if (index < 0) return undefined;
  const name = `part ${index + 2} of ${header.parts}`;
  return further[index] ? `somebody else edited ${name}` : `${name} is not among our comments`;
}

// The whole fingerprints of a packed plan count, not their beginnings.
function isWithinPlan({ header, changes, shown }: FoundComment): boolean {
  if (header.plan === undefined) return true;
  const planned = new Set(shown?.map(shortFingerprint));
  return changes.every(({ fingerprint }) => planned.has(fingerprint));
}

export function isRetargeted({ comment, branch }: ReviewRecord): boolean {
  const planned = comment?.header.branch;
  return planned !== undefined && branch !== undefined && planned !== branch;
}

export function approvingRecords({ all }: Pick<ReviewRecords, 'all'>): OurRecord[] {
  return all.filter(isOurs).filter((record) => whyNotApproved(record) === undefined);
}

// Asks GitHub, so it is for plans in which a contract is not as its base says.
export async function readPending(step: Step): Promise<PendingAt> {
  const { github, run, log } = step;
  if (!github || run.branch === undefined) return () => undefined;
  try {
    const records = approvingRecords(await readMerged(step, github, run.branch));
    // Of two that change one place, the later one stays.
    const waiting = new Map(records.toReversed().flatMap(placesOf));
    return (live, replaced, versions, rules) => {
      const { change, merge } = waiting.get(keyOf(live.id, replaced)) ?? {};
      // What was applied and is gone again waits for nothing, whatever the comment records.
      return change && isInVersions(versions, live, change, rules) ? undefined : merge;
    };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    log.text(`Can't read which merges wait for their apply. ${error.message}`);
    return () => undefined;
  }
}

function placesOf({ pull, comment }: OurRecord) {
  const { shown = [] } = comment;
  const pending = new Set(pendingChanges(comment).map(({ fingerprint }) => fingerprint));
  const merge = { waitsFor: pull.number, commit: pull.mergeSha ?? '' };
  return shown
    .filter((change) => pending.has(shortFingerprint(change)))
    .flatMap((change) =>
      (change.differences ?? []).map((difference) => {
        const key = keyOf(change.id ?? '', difference);
        return [key, { merge, change: { ...change, differences: [difference] } }] as const;
      }),
    );
}

// Has the live value that was reviewed: where another one is found, it was set since.
function keyOf(id: string, { place, before }: Pick<Difference, 'place' | 'before'>): string {
  return canonicalJson([idKey(id), place, before === undefined ? [] : [before]]);
}
