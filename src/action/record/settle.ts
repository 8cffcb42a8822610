/** Adds to the comments what an apply did: a line for each run, which changes landed, which plans are out of date. */

import { allLanded, hasLanded, type Outcome, summarizeOutcomes } from '../../apply/outcome.ts';
import { contractLabel } from '../../contract/identity.ts';
import { listFirst } from '../../core/text.ts';
import { advice, code, fence, firstOf, prose, sentence } from '../../report/markdown-text.ts';
import { appliedWords, leftOut, tallyOf } from '../../report/outcomes.ts';
import { listPulls, updateComment } from '../github.ts';
import type { GitHub } from '../github-request.ts';
import { type AppliedResult, isOfReview } from '../result.ts';
import { datedRunLink, runLink, type Step, targetName } from '../step.ts';
import {
  type CommentHeader,
  type CommentText,
  formatBody,
  markLanded,
  marksOf,
  parseBody,
  pendingChanges,
} from './comment.ts';
import {
  findComments,
  type FoundComment,
  type HeadedComment,
  isOurs,
  type OurRecord,
  readReviews,
  type ReviewRecord,
  type ReviewRecords,
} from './find.ts';

type CommentChange = {
  /** The marks of contracts whose changes have landed. */
  readonly landed?: ReadonlySet<string>;
  readonly applied?: string;
  readonly note?: string;
  readonly outcome?: string;
  readonly staleBy?: string;
};

// Undefined where it is to stay as it is.
type ChangeOf = (
  record: OurRecord,
  comment: FoundComment,
  isOpen: boolean,
) => CommentChange | undefined;

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
  const marked = ({ header }: HeadedComment): CommentHeader => ({
    ...header,
    changes: markLanded(header.changes, landed),
  });
  // The first one last: it may tell later runs that nothing is left of this record.
  for (const each of comment.further)
    if (each?.isEdited === false) await write(each, marked(each), parseBody(each.body));
  const text = parseBody(comment.body);
  await write(
    comment,
    { ...marked(comment), applied },
    {
      notes: note === undefined ? text.notes : withNote(text.notes, step.redactor.redact(note)),
      outcome: outcome ?? text.outcome,
      page: staleBy === undefined ? text.page : markStale(text.page, staleBy),
    },
  );
}

// Returns how many were written.
async function rewriteAll(
  step: Step,
  github: GitHub,
  records: readonly OurRecord[],
  changeOf: ChangeOf,
): Promise<number> {
  let written = 0;
  for (const record of records) {
    if (!changeOf(record, record.comment, true)) continue;
    // Another run may have written it meanwhile.
    const { isOpen, record: comment } = await findComments(step, github, record.pull.number);
    const change = comment?.isEdited === false ? changeOf(record, comment, isOpen) : undefined;
    if (!comment || !change) continue;
    await rewriteComment(step, github, comment, change);
    written += 1;
  }
  return written;
}

export async function settleRecords(step: Step, github: GitHub, applied: AppliedResult) {
  const ours = applied.records.all.filter(isOurs);
  const outcomesOf = Map.groupBy(applied.outcomes.outcomes, findReview(applied.records));
  const landed = landedIn(applied);
  return rewriteAll(step, github, ours, (record, comment) => {
    const outcomes = outcomesOf.get(record) ?? [];
    const isConcerned = record === applied.records.own || outcomes.length > 0;
    const byNow = markLanded(comment.changes, landed);
    const isLast = record === ours[0] && applied.failure === undefined;
    const told = isConcerned ? noteOf(step, applied, record, outcomes, byNow) : {};
    switch (settlementOf(comment, landed, isConcerned, isLast)) {
      case 'unchanged':
        return undefined;
      case 'marked':
        return { landed, ...told };
      case 'settled':
        return { landed, applied: step.run.sha, ...told };
    }
  });
}

// `marked`: something of it has landed; `settled`: nothing is left of it and of what was merged before.
function settlementOf(
  comment: FoundComment,
  landed: ReadonlySet<string>,
  isConcerned: boolean,
  isLast: boolean,
): 'unchanged' | 'marked' | 'settled' {
  const isNews = isConcerned || isPending(comment, landed);
  if (isLast && (isNews || comment.header.applied === undefined)) return 'settled';
  return isNews ? 'marked' : 'unchanged';
}

function isPending({ changes }: FoundComment, contracts: ReadonlySet<string>): boolean {
  return pendingChanges(changes).some(({ contract }) => contracts.has(contract));
}

/** Finds the latest record that shows the contract, else that of the run's own pull request. */
export function findReview({ all, own }: ReviewRecords) {
  const records = new Map<string, ReviewRecord>();
  for (const record of all.filter(isOurs).toReversed())
    for (const { contract } of pendingChanges(record.comment.changes))
      records.set(contract, record);
  return (outcome: Outcome): ReviewRecord | undefined =>
    records.get(marksOf(outcome).find((mark) => records.has(mark)) ?? '') ?? own;
}

/** Whether something has landed that counts as approved until a comment says so. */
export function needsRecord(applied: AppliedResult): boolean {
  const landed = landedIn(applied);
  return applied.records.all.filter(isOurs).some(({ comment }) => isPending(comment, landed));
}

// The marks of the changes that the catalog shows by now: their approvals are used up.
function landedIn({ outcomes: { outcomes }, plan }: AppliedResult): ReadonlySet<string> {
  const unchanged = plan.contracts.filter(({ action }) => action === 'unchanged');
  const landed = new Set([...outcomes.filter(hasLanded), ...unchanged].flatMap(marksOf));
  const notFound = outcomes.filter(({ result }) => result === 'not-found');
  for (const mark of notFound.flatMap(marksOf)) landed.delete(mark);
  return landed;
}

const mostReasons = 10;

// The failure of the run is its own pull request's; the others are part of their changes.
function noteOf(
  step: Step,
  applied: AppliedResult,
  record: OurRecord,
  outcomes: readonly Outcome[],
  byNow: FoundComment['changes'],
): CommentChange {
  if (step.inputs.comment === 'off') return {};
  const { plan } = applied;
  const failure = record === applied.records.own ? applied.failure : undefined;
  const part = summarizeOutcomes(plan, outcomes);
  const left = failure?.reason === 'incomplete-plan' ? leftOut(plan) : [];
  const hasFailed = (failure !== undefined && left.length === 0) || !allLanded(part);
  const landed = byNow.length - pendingChanges(byNow).length;
  const tally = byNow.length > 0 ? { landed, all: byNow.length } : tallyOf(part);
  const title = appliedWords(tally, hasFailed, left.length);
  const outcome = title.deed + title.rest;
  const { isGood, deed, rest } = appliedWords(tallyOf(part), hasFailed, left.length);
  const run = `- ${deed} to ${prose(targetName(step))} (${datedRunLink(step)})`;
  if (isGood) {
    const names = firstOf(left, mostReasons, (each) => {
      return `${code(contractLabel(each))} (${each.action})`;
    });
    const named = names.length === 0 ? '' : `: ${names.join(', ')}`;
    return { note: `${run}${rest}${named}.`, outcome };
  }
  return { note: failureNote(`${run}.`, applied, failure, outcomes), outcome };
}

function failureNote(
  run: string,
  { plan, wayOut }: AppliedResult,
  failure: AppliedResult['failure'],
  outcomes: readonly Outcome[],
): string {
  const unreviewed = plan.diagnostics.filter(isOfReview).map(advice);
  const failed = outcomes.filter(({ error }) => error !== null);
  const reasons = firstOf(failed, mostReasons, (each) => {
    const sign = ['unverified', 'overlapped', 'held'].includes(each.result) ? '⚠️' : '❌';
    return `${sign} ${code(contractLabel(each))}: ${sentence(each.error?.message ?? '')}`;
  });
  const isSaid = reasons.length + unreviewed.length > 0;
  const lines = [isSaid || !failure ? run : `${run} ${sentence(failure.message)}`];
  for (const reason of reasons) lines.push(`  - ${reason}`);
  if (failure?.hint !== undefined) lines.push('', `  ${sentence(failure.hint)}`);
  if (wayOut) {
    const lead = [...unreviewed, prose(wayOut.lead)].join(' ');
    const command = fence('sh', [wayOut.command]).split('\n');
    lines.push('', `  ${lead}`, '', ...command.map((line) => `  ${line}`));
  }
  return lines.join('\n');
}

const earlierWayOut = /\n\n {2}[^\n]+\n\n {2}`{3}sh\n[^`]*\n {2}`{3}$/u;

// UTF-16 code units: with a page of 60,000 bytes, within GitHub's limit.
const mostNotes = 5000;

// Drops the oldest notes past the limit, and the warning and the command that this run outdates.
function withNote(notes: readonly string[], note: string): string[] {
  const kept = notes
    .filter((old) => !old.startsWith('> '))
    .map((old) => old.replace(earlierWayOut, ''));
  const all = [...kept, note];
  while (all.length > 1 && all.join('\n').length > mostNotes) all.shift();
  return all;
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
  return rewriteAll(step, github, records, (_, comment, isOpen) => {
    const pending = new Set(pendingChanges(comment.changes).map(({ contract }) => contract));
    const shown = changed.filter((outcome) => marksOf(outcome).some((mark) => pending.has(mark)));
    if (!isOpen || shown.length === 0) return undefined;
    const named = listFirst(shown.map(contractLabel).map(code), mostNamed);
    return { staleBy: `${runLink(step)} changed ${named}. Re-run the plan.` };
  });
}

const mostNamed = 3;

function markStale(page: string, why: string): string {
  const [first = '', ...lines] = page.split('\n');
  const bare = first.replace(/ · out of date: .*$/u, '');
  return [`${bare} · out of date: ${why}`, ...lines].join('\n');
}
