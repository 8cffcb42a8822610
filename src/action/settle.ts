/** What an apply adds to the comments: a line for each run, what was applied, what is stale. */

import { allLanded, type Outcome, summarizeOutcomes } from '../apply/outcome.ts';
import { contractLabel } from '../contract/identity.ts';
import { listFirst } from '../core/text.ts';
import type { Plan } from '../plan/plan.ts';
import { advice, code, firstOf, prose, sentence } from '../report/markdown-text.ts';
import { appliedWords, leftOut, tallyOf } from '../report/outcomes.ts';
import {
  type CommentHeader,
  type CommentText,
  formatBody,
  markLanded,
  markStale,
  marksOf,
  parseBody,
  wayOutLines,
  pendingChanges,
  withNote,
} from './comment.ts';
import { type GitHub, listPulls, updateComment } from './github.ts';
import {
  findComments,
  type FoundComment,
  type HeadedComment,
  isOurs,
  type OurRecord,
  readReviews,
  type ReviewRecord,
  type ReviewRecords,
} from './records.ts';
import { type AppliedResult, type Failure, isOfReview } from './result.ts';
import { datedRunLink, runLink, type Step, targetName } from './step.ts';

type CommentChange = {
  /** The marks of contracts whose changes have landed. */
  readonly landed?: ReadonlySet<string>;
  readonly applied?: string | undefined;
  readonly note?: string | undefined;
  readonly outcome?: string | undefined;
  readonly staleBy?: string;
};

// Undefined where it is to stay as it is.
type ChangeOf = (comment: FoundComment, isOpen: boolean) => CommentChange | undefined;

/** Reads the comment again, since another run may have written it meanwhile. */
async function rewriteLatest(step: Step, github: GitHub, pull: number, changeOf: ChangeOf) {
  const { isOpen, record: comment } = await findComments(step, github, pull);
  const change = comment?.isEdited === false ? changeOf(comment, isOpen) : undefined;
  if (!comment || !change) return false;
  await rewriteComment(step, github, comment, change);
  return true;
}

export async function rewriteComment(
  step: Step,
  github: GitHub,
  comment: FoundComment,
  { landed = new Set(), applied = comment.header.applied, note, outcome, staleBy }: CommentChange,
): Promise<void> {
  const write = async ({ id, body }: HeadedComment, header: CommentHeader, text: CommentText) => {
    const rewritten = formatBody(header, text, step.run.repositoryPage);
    if (rewritten !== body) await updateComment(github, id, rewritten);
  };
  // The first one last: it may tell later runs that nothing is left of this record.
  for (const each of comment.further) {
    if (each?.isEdited === false)
      await write(each, markLanded(each.header, landed), parseBody(each.body));
  }
  const text = parseBody(comment.body);
  await write(
    comment,
    { ...markLanded(comment.header, landed), applied },
    {
      notes: note === undefined ? text.notes : withNote(text.notes, step.redactor.redact(note)),
      outcome: outcome ?? text.outcome,
      page: staleBy === undefined ? text.page : markStale(text.page, staleBy),
    },
  );
}

export async function settleRecords(step: Step, github: GitHub, applied: AppliedResult) {
  const { all, own } = applied.records;
  const ours = all.filter(isOurs);
  const outcomesOf = Map.groupBy(applied.outcomes.outcomes, findReview(applied.records));
  const landed = landedIn(applied);
  let written = 0;
  for (const record of ours) {
    const outcomes = outcomesOf.get(record) ?? [];
    const isConcerned = record === own || outcomes.length > 0;
    const isLast = record === ours[0] && applied.failure === undefined;
    const changeOf: ChangeOf = (comment) => {
      const marked = markLanded(comment, landed);
      const isNews = isConcerned || isShorter(marked, comment);
      const isSettled = isLast && (isNews || comment.header.applied === undefined);
      if (!isNews && !isSettled) return undefined;
      const told = isConcerned && noteOf(record, outcomes, marked, { applied, step });
      return { landed, ...(isSettled && { applied: step.run.sha }), ...told };
    };
    if (!changeOf(record.comment, false)) continue;
    if (await rewriteLatest(step, github, record.pull.number, changeOf)) written += 1;
  }
  return written;
}

function isShorter(marked: FoundComment, comment: FoundComment): boolean {
  return pendingChanges(marked).length < pendingChanges(comment).length;
}

/** Of the latest comment that shows the contract, else of the run's own pull request. */
export function findReview({ all, own }: ReviewRecords) {
  const records = new Map<string, ReviewRecord>();
  for (const record of all.filter(isOurs).toReversed()) {
    for (const { contract } of pendingChanges(record.comment)) records.set(contract, record);
  }
  return (outcome: Outcome): ReviewRecord | undefined =>
    records.get(marksOf(outcome).find((mark) => records.has(mark)) ?? '') ?? own;
}

export function needsRecord(applied: AppliedResult): boolean {
  const landed = landedIn(applied);
  const ours = applied.records.all.filter(isOurs);
  return ours.some(({ comment }) => isShorter(markLanded(comment, landed), comment));
}

// The marks of what the catalog has by now, whoever sent it: its approval is used up.
function landedIn({ outcomes, plan }: AppliedResult): ReadonlySet<string> {
  const landed = new Set(
    [
      ...outcomes.outcomes.filter(({ result }) => result === 'applied' || result === 'unchanged'),
      ...plan.contracts.filter(({ action }) => action === 'unchanged'),
    ].flatMap(marksOf),
  );
  const notFound = outcomes.outcomes.filter(({ result }) => result === 'not-found');
  for (const mark of notFound.flatMap(marksOf)) landed.delete(mark);
  return landed;
}

const mostReasons = 10;

// The failure of the run is its own pull request's; the others are part of their changes.
function noteOf(
  record: OurRecord,
  outcomes: readonly Outcome[],
  { changes }: FoundComment,
  { applied, step }: { readonly applied: AppliedResult; readonly step: Step },
): Pick<CommentChange, 'note' | 'outcome'> {
  if (step.inputs.comment === 'off') return {};
  const { plan, wayOut } = applied;
  const failure = record === applied.records.own ? applied.failure : undefined;
  const part = summarizeOutcomes(plan, outcomes);
  const left = failure?.reason === 'incomplete-plan' ? leftOut(plan) : [];
  const hasFailed = (failure !== undefined && left.length === 0) || !allLanded(part);
  const tally =
    changes.length > 0
      ? { landed: changes.filter(({ hasLanded }) => hasLanded).length, all: changes.length }
      : tallyOf(part);
  const title = appliedWords(tally, hasFailed, left.length);
  const outcome = title.deed + title.rest;
  const { isGood, deed, rest } = appliedWords(tallyOf(part), hasFailed, left.length);
  const run = `- ${deed} to ${prose(targetName(step))} (${datedRunLink(step)})`;
  if (isGood) return { note: `${run}${rest}${namesOf(left)}.`, outcome };
  const unreviewed = plan.diagnostics.filter(isOfReview).map(advice);
  const reasons = reasonLines(outcomes);
  const isSaid = reasons.length + unreviewed.length > 0;
  const why = isSaid || !failure ? '' : ` ${sentence(failure.message)}`;
  const lead = (way: string) => [...unreviewed, prose(way)].join(' ');
  const ways = wayOut ? wayOutLines(lead(wayOut.lead), wayOut.command) : [];
  const lines = [`${run}.${why}`, ...reasons, ...nextLines(failure), ...ways];
  return { note: lines.join('\n'), outcome };
}

function nextLines(failure: Failure | undefined): string[] {
  return failure?.hint === undefined ? [] : ['', `  ${sentence(failure.hint)}`];
}

function namesOf(left: Plan['contracts']): string {
  if (left.length === 0) return '';
  const names = firstOf(
    left,
    mostReasons,
    (each) => `${code(contractLabel(each))} (${each.action})`,
  );
  return `: ${names.join(', ')}`;
}

function reasonLines(outcomes: readonly Outcome[]): string[] {
  const left = outcomes.filter(({ error }) => error !== null);
  const reasons = firstOf(left, mostReasons, (each) => {
    const sign = ['unverified', 'overlapped'].includes(each.result) ? '⚠️' : '❌';
    return `${sign} ${code(contractLabel(each))}: ${sentence(each.error?.message ?? '')}`;
  });
  return reasons.map((reason) => `  - ${reason}`);
}

export async function markStaleComments(
  step: Step,
  github: GitHub,
  { outcomes: { outcomes } }: AppliedResult,
) {
  const { branch } = step.run;
  const changed = outcomes.filter(({ result }) => result === 'applied');
  if (branch === undefined || changed.length === 0) return 0;
  const { pulls } = await listPulls(github, branch, 'OPEN');
  const records = (await readReviews(pulls, step, github)).filter(isOurs);
  const staleIf: ChangeOf = (comment, isOpen) => {
    const pending = new Set(pendingChanges(comment).map(({ contract }) => contract));
    const shown = changed.filter((outcome) => marksOf(outcome).some((mark) => pending.has(mark)));
    if (!isOpen || shown.length === 0) return undefined;
    const named = listFirst(shown.map(contractLabel).map(code), mostNamed);
    return { staleBy: `${runLink(step)} changed ${named}. Re-run the plan.` };
  };
  let written = 0;
  for (const { comment, pull } of records) {
    if (!staleIf(comment, true)) continue;
    if (await rewriteLatest(step, github, pull.number, staleIf)) written += 1;
  }
  return written;
}

const mostNamed = 3;
