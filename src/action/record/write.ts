/** Writes a plan into the comments of its pull request, and what became of it after an apply. */

import { SyncError } from '../../core/diagnostic.ts';
import { type Plan, plannedChanges } from '../../plan/plan.ts';
import { sentence } from '../../report/markdown-text.ts';
import { createComment, deleteComment, type PullRequest, updateComment } from '../github.ts';
import type { GitHub } from '../github-request.ts';
import type { AppliedResult, Failure, PlanResult, RenderPage, StepResult } from '../result.ts';
import { commentKey, runLink, sharedInputs, type Step } from '../step.ts';
import {
  type CommentHeader,
  formatBody,
  formatChanges,
  formatHeader,
  packPlan,
  type RecordedChange,
  recordPlan,
} from './comment.ts';
import { type Commented, findComments, type FoundComment, type HeadedComment } from './find.ts';
import { markStaleComments, needsRecord, rewriteComment, settleRecords } from './settle.ts';

/** A plan that can't be written there is a failure: a merge couldn't apply it. */
export async function reportComment(
  step: Step,
  result: StepResult,
  render: RenderPage,
): Promise<Failure | undefined> {
  const { github, inputs, log } = step;
  if (github && result.kind === 'apply') {
    const unrecorded = await reportApply(step, github, result);
    if (unrecorded) return unrecorded;
  }
  if (inputs.comment === 'off') return undefined;
  const target = targetOf(step, result);
  if (!target) return undefined;
  if (!github) {
    return notWritten(step, target.subject, target.isRecord, {
      message: 'The input `github-token` is empty.',
      hint: 'Remove it to use the job’s own token, or set `comment: off`.',
    });
  }
  try {
    const { number } = target.pull;
    const commented = await findComments(step, github, number);
    const made = makeRecord(step, target.pull, result, render, commented.record);
    const done = await writeComment(step, github, target, commented, made);
    log.text(`Comment of pull request ${number}: ${done}.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return notWritten(step, target.subject, target.isRecord, error);
  }
}

const spentLater =
  'Until the job is run again and writes it, what was applied still counts as approved.';

// Applied changes stay applied, but an approval counts until it is recorded as spent.
async function reportApply(step: Step, github: GitHub, applied: AppliedResult) {
  let isUnrecorded = needsRecord(applied);
  try {
    const settled = await settleRecords(step, github, applied);
    isUnrecorded = false;
    if (step.inputs.comment === 'off') return undefined;
    const stale = await markStaleComments(step, github, applied);
    step.log.text(
      `Comments of merged pull requests: ${settled} updated. Open ones: ${stale} stale.`,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const message = isUnrecorded ? `${error.message} ${spentLater}` : error.message;
    const isRecord = isUnrecorded && applied.failure === undefined;
    return notWritten(step, 'outcome', isRecord, { message, hint: error.hint });
  }
}

// A failure where an approval depends on the comment, else a warning.
function notWritten(
  { run, log }: Step,
  subject: Target['subject'],
  isRecord: boolean,
  { message: reason, hint = '' }: { readonly message: string; readonly hint?: string | undefined },
): Failure | undefined {
  const message = `Can't write the ${subject} to the pull request. ${reason}`;
  // A fork's token can only read, and its plan is approved in another pull request.
  if (isRecord && run.pullRequest?.untrusted !== true) return { reason: 'github', message, hint };
  log.annotate({ code: 'github', severity: 'warning', message, hint });
  return undefined;
}

type Target = {
  readonly pull: PullRequest;
  readonly subject: 'plan' | 'outcome';
  readonly worthCreating: boolean;
  readonly isRecord: boolean;
  /** Why there is no new plan: it goes above the one that is there. */
  readonly note?: string;
};

// A plan in a merge queue or on a schedule is no review.
function targetOf(step: Step, result: StepResult): Target | undefined {
  const { pullRequest: pull } = step.run;
  if (result.kind === 'plan') return pull && planTarget(step, pull, result);
  if (result.kind === 'validation') return undefined;
  const { own } = result.records;
  const isWritten =
    !own || own.comment?.isEdited === false || plannedChanges(result.plan).length === 0;
  if (isWritten) return undefined;
  return { pull: own.pull, subject: 'outcome', worthCreating: true, isRecord: false };
}

function planTarget(step: Step, pull: PullRequest, result: PlanResult): Target | undefined {
  const { plan, failure, policy } = result;
  const target = { pull, subject: 'plan' } as const;
  // Such a workflow has planned nothing of the pull request, so the earlier plan still holds.
  if (failure?.fault === 'workflow') return undefined;
  const isRecord = plan.errored || plannedChanges(plan).length > 0 || plan.summary.missing > 0;
  if (plan.planHash !== undefined)
    return { ...target, worthCreating: isRecord || policy !== undefined, isRecord };
  const worthCreating = isMistakeOfAuthor(result);
  if (!failure || failure.reason === 'invalid-contracts')
    return { ...target, worthCreating: worthCreating || policy !== undefined, isRecord };
  // Without the catalog there is no new plan, so the reviewed one stays in place.
  const words = `This plan is out of date: ${runLink(step)} couldn't make a new one.`;
  const note = `> [!WARNING]\n> ${words} Re-run it before you merge. ${sentence(failure.message)}`;
  return { ...target, worthCreating, isRecord: false, note };
}

// The author can mend the files; a mistake in the workflow is somebody else's.
function isMistakeOfAuthor({ plan, failure }: PlanResult): boolean {
  const isInFiles = plan.diagnostics.some(
    ({ severity, source }) => severity === 'error' && source !== undefined,
  );
  return isInFiles || failure?.fault === 'repository';
}

type MadeRecord = {
  readonly pull: PullRequest;
  readonly headers: readonly [CommentHeader, ...CommentHeader[]];
  readonly bodyOf: (header: CommentHeader) => string;
};

// GitHub takes 65,536 characters; later notes need room too.
const commentBudget = 58_000;

function makeRecord(
  step: Step,
  pull: PullRequest,
  result: StepResult,
  render: RenderPage,
  earlier: FoundComment | undefined,
): MadeRecord {
  const headers = headersOf(step, pull, result, earlier);
  const budget = commentBudget - Buffer.byteLength(formatHeader(headers[0]));
  let page: string | undefined;
  const bodyOf = (header: CommentHeader): string => {
    const { part, parts } = header;
    page ??= render({ budget, medium: 'comment' });
    const further = `Part ${part} of ${parts} of the record of this plan. The apply after the merge reads it: leave it as it is.`;
    const text = { notes: [], page: part === 1 ? page : further };
    return formatBody(header, text, step.run.repositoryPage);
  };
  return { pull, headers, bodyOf };
}

const newer = 'left as a later run wrote it';
const closed =
  'left as it was when the pull request was merged or closed; this plan approves nothing';

async function writeComment(
  step: Step,
  github: GitHub,
  { subject, note, worthCreating }: Target,
  { isOpen, all, record }: Commented,
  made: MadeRecord,
): Promise<string> {
  const [header] = made.headers;
  if (subject === 'plan' && !isOpen) return closed;
  if (all.some((comment) => isNewer(comment, header))) return newer;
  if (!record && !worthCreating) return 'needless';
  if (record && note !== undefined) {
    if (record.isEdited) return 'needless';
    await rewriteComment(step, github, record, { note });
    return 'updated';
  }
  if (!record || step.inputs.comment === 'recreate') return createRecord(step, github, all, made);
  return (await writeComments(github, all, made)) === 0 ? 'unchanged' : 'updated';
}

// Two runs may create one at the same time: the oldest stays, with the text of the later run.
async function createRecord(
  step: Step,
  github: GitHub,
  old: readonly HeadedComment[],
  made: MadeRecord,
): Promise<string> {
  const { pull, headers, bodyOf } = made;
  const [header] = headers;
  const body = bodyOf(header);
  const id = await createComment(github, pull.number, body);
  const { isOpen, all } = await findComments(step, github, pull.number);
  if (!isOpen && header.planHash !== undefined) {
    await deleteComment(github, id);
    return closed;
  }
  for (const each of old) await deleteComment(github, each.id);
  const found = all.filter((each) => !old.some((one) => one.id === each.id));
  const [oldest] = found;
  if (found.some((each) => isNewer(each, header))) {
    // The later run writes into the oldest, also where that is ours.
    if (oldest?.id !== id) await deleteComment(github, id);
    return newer;
  }
  const isListed = found.some((each) => each.id === id);
  const created = { id, body, author: '', isEdited: false, header };
  await writeComments(github, isListed ? found : [...found, created], made);
  return oldest && oldest.id !== id ? 'updated' : 'created';
}

// Comments of an earlier plan are used again or deleted. Returns how many are not as they were.
async function writeComments(
  github: GitHub,
  existing: readonly HeadedComment[],
  { pull, headers, bodyOf }: MadeRecord,
): Promise<number> {
  const left = new Set(existing);
  let written = 0;
  for (const header of headers) {
    const old = existing.find((each) => each.header.part === header.part);
    if (old) left.delete(old);
    if (old && isSame(old, header, bodyOf)) continue;
    if (old) await updateComment(github, old.id, bodyOf(header));
    else await createComment(github, pull.number, bodyOf(header));
    written += 1;
  }
  for (const { id } of left) await deleteComment(github, id);
  return written;
}

// A new run, attempt or time alone must not show the comment as edited, nor must main that moved.
function isSame(
  { header: old, body, isEdited }: HeadedComment,
  header: CommentHeader,
  bodyOf: MadeRecord['bodyOf'],
): boolean {
  const { run, attempt, time } = old;
  // Whether there is a base makes another plan; which one it is, doesn't.
  const base = old.base === '' || header.base === '' ? header.base : old.base;
  const known = { ...header, run, attempt, time, base };
  return !isEdited && bodyOf(known).trim() === body.replaceAll('\r\n', '\n').trim();
}

// The later of two plans of one commit counts, also where an earlier run was run again.
function isNewer({ header }: HeadedComment, { head, time, run, attempt }: CommentHeader): boolean {
  if (header.head === head) return header.time > time;
  return header.run > run || (header.run === run && header.attempt > attempt);
}

function headersOf(
  step: Step,
  pull: PullRequest,
  result: StepResult,
  earlier: FoundComment | undefined,
): MadeRecord['headers'] {
  const { run, inputs } = step;
  const shared = {
    key: commentKey(step),
    inputs: sharedInputs(step),
    label: inputs.label ?? inputs.catalogUrl ?? '',
    head: pull.headSha,
    base: result.kind === 'validation' ? '' : (result.plan.base ?? ''),
    branch: run.branch,
    run: run.runId,
    attempt: run.attempt,
    time: run.startedAt,
  };
  // A plan that the apply after the merge would not make approves nothing.
  const plan =
    result.kind === 'plan' && result.policy?.severity !== 'error' ? result.plan : undefined;
  if (plan?.planHash === undefined) {
    const isOutcome = result.kind === 'apply';
    const applied = isOutcome && !result.failure ? run.sha : undefined;
    return [{ ...shared, changes: [], part: 1, parts: 1, isOutcome, applied }];
  }
  const { planHash } = plan;
  const shown = { commit: pull.headSha, at: new Date().toISOString() };
  const { plans, changes: recorded } = recordPlan(
    plan,
    earlier?.isEdited ? undefined : earlier,
    shown,
  );
  const [changes = [], ...further] = recorded;
  const parts = 1 + further.length;
  const packed = parts === 1 ? packInto(changes, plan, step) : undefined;
  const rest = further.map((each, index) => {
    return { ...shared, planHash, changes: each, part: index + 2, parts };
  });
  return [{ ...shared, planHash, changes, plans, part: 1, parts, plan: packed }, ...rest];
}

// Characters, to leave most of the comment to the page.
const mostPacked = 20_000;

function packInto(changes: readonly RecordedChange[], plan: Plan, { redactor }: Step) {
  // Packed text can't be searched for secrets.
  const text = JSON.stringify(plan.contracts);
  if (redactor.redact(text) !== text) return undefined;
  const packed = packPlan(plan);
  return packed.length + formatChanges(changes).length <= mostPacked ? packed : undefined;
}
