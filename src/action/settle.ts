/** What an apply adds to the comments: a line for each run, what was applied, what is stale. */

import { allLanded, type Outcome, summarizeOutcomes } from '../apply/outcome.ts';
import { contractLabel } from '../contract/identity.ts';
import { listFirst } from '../core/text.ts';
import type { Plan } from '../plan/plan.ts';
import { advice, code, firstOf, prose, sentence } from '../report/markdown-text.ts';
import { appliedWords, leftOut, tallyOf } from '../report/outcomes.ts';
import {
  type CommentHeader,
  formatBody,
  markStale,
  marksOf,
  parseBody,
  wayOutLines,
  pendingChanges,
  withNote,
} from './comment.ts';
import { type GitHub, listPulls, updateComment } from './github.ts';
import {
  type FoundComment,
  isOurs,
  type OurRecord,
  readReviews,
  type ReviewRecord,
  type ReviewRecords,
} from './records.ts';
import { type AppliedResult, isOfReview } from './result.ts';
import { datedRunLink, runLink, type Step, targetName } from './step.ts';

type CommentChange = {
  readonly header?: CommentHeader;
  readonly note?: string | undefined;
  readonly outcome?: string | undefined;
  readonly staleBy?: string;
};

export async function rewriteComment(
  step: Step,
  github: GitHub,
  { id, body, header: old }: FoundComment,
  { header = old, note, outcome, staleBy }: CommentChange,
): Promise<void> {
  const text = parseBody(body);
  const rewritten = formatBody(
    header,
    {
      notes: note === undefined ? text.notes : withNote(text.notes, step.redactor.redact(note)),
      outcome: outcome ?? text.outcome,
      page: staleBy === undefined ? text.page : markStale(text.page, staleBy),
    },
    step.run.repositoryPage,
  );
  if (rewritten !== body) await updateComment(github, id, rewritten);
}

export async function settleRecords(step: Step, github: GitHub, applied: AppliedResult) {
  const { all, own } = applied.records;
  const ours = all.filter(isOurs);
  const outcomesOf = Map.groupBy(applied.outcomes.outcomes, (outcome) =>
    recordOf(outcome, applied.records),
  );
  let written = 0;
  for (const record of ours) {
    const { header } = record.comment;
    const outcomes = outcomesOf.get(record) ?? [];
    const isConcerned = record === own || outcomes.length > 0;
    const marked = withLanded(header, applied);
    const isNews = isConcerned || pendingChanges(marked).length < pendingChanges(header).length;
    const isDone = record === ours[0] && applied.failure === undefined;
    const isSettled = isDone && (isNews || header.applied === undefined);
    if (!isNews && !isSettled) continue;
    await rewriteComment(step, github, record.comment, {
      header: isSettled ? { ...marked, applied: step.run.sha } : marked,
      ...(isConcerned && noteOf(record, outcomes, marked, { applied, step })),
    });
    written += 1;
  }
  return written;
}

/** Of the latest comment that shows the contract, else of the run's own pull request. */
export function recordOf(outcome: Outcome, { all, own }: ReviewRecords): ReviewRecord | undefined {
  const marks = new Set(marksOf(outcome));
  return all.filter(isOurs).find((record) => isPending(record, marks)) ?? own;
}

export function needsRecord(applied: AppliedResult): boolean {
  return applied.records.all
    .filter(isOurs)
    .some(({ comment: { header } }) =>
      header.changes
        ? pendingChanges(withLanded(header, applied)).length < pendingChanges(header).length
        : tallyOf(applied.outcomes).landed > 0,
    );
}

function isPending({ comment }: OurRecord, marks: ReadonlySet<string>): boolean {
  return pendingChanges(comment.header).some(({ contract }) => marks.has(contract));
}

// Marks the changes that the catalog has by now, whoever sent them: their approval is used up.
function withLanded(header: CommentHeader, { outcomes, plan }: AppliedResult): CommentHeader {
  const landed = new Set(
    [
      ...outcomes.outcomes.filter(({ result }) => result === 'applied' || result === 'unchanged'),
      ...plan.contracts.filter(({ action }) => action === 'unchanged'),
    ].flatMap(marksOf),
  );
  const notFound = outcomes.outcomes.filter(({ result }) => result === 'not-found');
  for (const mark of notFound.flatMap(marksOf)) landed.delete(mark);
  const changes = header.changes?.map((change) =>
    landed.has(change.contract) ? { ...change, hasLanded: true } : change,
  );
  return { ...header, changes };
}

const mostReasons = 10;

// The failure of the run is its own pull request's; the others are part of their changes.
function noteOf(
  record: OurRecord,
  outcomes: readonly Outcome[],
  { changes }: CommentHeader,
  { applied, step }: { readonly applied: AppliedResult; readonly step: Step },
): Pick<CommentChange, 'note' | 'outcome'> {
  if (step.inputs.comment === 'off') return {};
  const { plan, wayOut } = applied;
  const failure = record === applied.records.own ? applied.failure : undefined;
  const part = summarizeOutcomes(plan, outcomes);
  const left = failure?.reason === 'incomplete-plan' ? leftOut(plan) : [];
  const hasFailed = (failure !== undefined && left.length === 0) || !allLanded(part);
  const tally = changes
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
  return { note: [`${run}.${why}`, ...reasons, ...ways].join('\n'), outcome };
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
  const stale = records.flatMap((record) => {
    const shown = changed.filter((outcome) => isPending(record, new Set(marksOf(outcome))));
    return shown.length > 0 ? [{ record, names: shown.map(contractLabel) }] : [];
  });
  for (const { record, names } of stale) {
    const named = listFirst(names.map(code), mostNamed);
    const staleBy = `${runLink(step)} changed ${named}. Re-run the plan.`;
    await rewriteComment(step, github, record.comment, { staleBy });
  }
  return stale.length;
}

const mostNamed = 3;
