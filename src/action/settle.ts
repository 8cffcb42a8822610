/** What an apply adds to the comments: a line for each run, what was applied, what is stale. */

import { type Outcome, summarizeOutcomes } from '../apply/outcome.ts';
import { advice, code, prose, said } from '../report/markdown-text.ts';
import { outcomesVerdict } from '../report/outcomes.ts';
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
import { type FoundComment, isOurs, type OurRecord, readReviews } from './records.ts';
import { type AppliedResult, isOfReview } from './result.ts';
import { repositoryPage, runLink, runPage, type Step } from './step.ts';

type CommentChange = {
  readonly header?: CommentHeader;
  readonly note?: string | undefined;
  readonly isStale?: boolean;
};

export async function rewriteComment(
  step: Step,
  github: GitHub,
  { id, body, header: old }: FoundComment,
  { header = old, note, isStale = false }: CommentChange,
): Promise<void> {
  const { notes, page } = parseBody(body);
  const rewritten = formatBody(
    header,
    note === undefined ? notes : withNote(notes, step.redactor.redact(note)),
    isStale ? markStale(page, runPage(step)) : page,
    repositoryPage(step),
  );
  if (rewritten !== body) await updateComment(github, id, rewritten);
}

/** Returns how many comments were written. */
export async function settleRecords(
  step: Step,
  github: GitHub,
  applied: AppliedResult,
): Promise<number> {
  const { all, own } = applied.records;
  const ours = all.filter(isOurs);
  // Each outcome belongs to the latest comment that shows its contract, else to the run's own.
  const outcomesOf = Map.groupBy(applied.outcomes.outcomes, (outcome) => {
    const marks = new Set(marksOf(outcome));
    return ours.find((record) => isPending(record, marks)) ?? own;
  });
  let written = 0;
  for (const record of ours) {
    const { header } = record.comment;
    const outcomes = outcomesOf.get(record) ?? [];
    const isTold = record === own || outcomes.length > 0;
    const marked = withLanded(header, applied);
    const isNews = isTold || pendingChanges(marked).length < pendingChanges(header).length;
    const isDone = record === ours[0] && applied.failure === undefined;
    const isSettled = isDone && (isNews || header.applied === undefined);
    if (!isNews && !isSettled) continue;
    await rewriteComment(step, github, record.comment, {
      header: isSettled ? { ...marked, applied: step.run.sha } : marked,
      note: isTold ? runNote(applied, outcomes, step) : undefined,
    });
    written += 1;
  }
  return written;
}

function isPending({ comment }: OurRecord, marks: ReadonlySet<string>): boolean {
  return pendingChanges(comment.header).some(({ contract }) => marks.has(contract));
}

// Without the changes that the catalog has by now, from this run or not: they are used up.
function withLanded(header: CommentHeader, { outcomes, plan }: AppliedResult): CommentHeader {
  const landed = new Set(
    [
      ...outcomes.outcomes.filter(({ result }) => result === 'applied' || result === 'unchanged'),
      ...plan.contracts.filter(({ action }) => action === 'unchanged'),
    ].flatMap(marksOf),
  );
  const changes = header.changes?.map((change) =>
    landed.has(change.contract) ? { ...change, hasLanded: true } : change,
  );
  return { ...header, changes };
}

const mostReasons = 10;

function runNote(
  { plan, failure, wayOut }: AppliedResult,
  outcomes: readonly Outcome[],
  step: Step,
): string | undefined {
  if (step.inputs.comment === 'off') return undefined;
  const verdict = plan.errored
    ? (failure?.message ?? '')
    : `${outcomesVerdict(summarizeOutcomes(plan, outcomes))}.`;
  const left = outcomes.filter(({ error }) => error !== null);
  const reasons = left.slice(0, mostReasons).map(({ id, fullyQualifiedName, result, error }) => {
    const name = code(fullyQualifiedName ?? id ?? '');
    return `  - ❌ ${name} ${prose(result)}: ${said(error?.message ?? '')}`;
  });
  const more = left.length > mostReasons ? [`  - … and ${left.length - mostReasons} more`] : [];
  const unreviewed = plan.diagnostics.filter(isOfReview).map((problem) => `  - ${advice(problem)}`);
  const line = `- ${runLink(step)}: ${said(verdict)}`;
  const ways = wayOut === undefined ? [] : wayOutLines(wayOut);
  return [line, ...reasons, ...more, ...unreviewed, ...ways].join('\n');
}

/** Returns how many open pull requests were marked. */
export async function markStaleComments(
  step: Step,
  github: GitHub,
  { outcomes: { outcomes } }: AppliedResult,
): Promise<number> {
  const { branch } = step.run;
  const changed = new Set(outcomes.filter(({ result }) => result === 'applied').flatMap(marksOf));
  if (branch === undefined || changed.size === 0) return 0;
  const { pulls } = await listPulls(github, branch, 'OPEN');
  const records = await readReviews(pulls, step, github);
  const stale = records.filter(isOurs).filter((record) => isPending(record, changed));
  for (const { comment } of stale) await rewriteComment(step, github, comment, { isStale: true });
  return stale.length;
}
