import { SyncError } from '../core/errors.ts';
import { plannedChanges, type Plan } from '../plan/plan.ts';
import { sentence } from '../report/markdown-text.ts';
import {
  type CommentHeader,
  formatBody,
  formatChanges,
  formatHeader,
  packPlan,
  recordChanges,
} from './comment.ts';
import type { PullRequest } from './event.ts';
import { createComment, deleteComment, type GitHub, updateComment } from './github.ts';
import { type Commented, findComments, type FoundComment } from './records.ts';
import {
  type AppliedResult,
  type Failure,
  type PageOptions,
  type PlanResult,
  renderResult,
  type StepResult,
} from './result.ts';
import { markStaleComments, needsRecord, rewriteComment, settleRecords } from './settle.ts';
import { commentKey, commentPlace, runLink, type Step } from './step.ts';

type Reported = {
  readonly shown: StepResult;
  readonly options: Omit<PageOptions, 'budget'>;
  readonly original: StepResult;
  readonly before: Promise<Commented | undefined>;
};

export async function lookBefore(step: Step): Promise<Commented | undefined> {
  const { github, inputs, run } = step;
  if (!github || !run.pullRequest || inputs.command !== 'plan') return undefined;
  if (inputs.comment === 'off') return undefined;
  return findComments(step, github, run.pullRequest.number);
}

export function closedNote({ run }: Step, before: Commented | undefined): string {
  if (before?.isOpen !== false) return '';
  const subject = `Pull request ${run.pullRequest?.number} is no longer open`;
  return `> [!NOTE]\n> ${subject}: its comment stays as it is, and this plan approves nothing.\n\n`;
}

/** A plan that can't be written there is a failure: nobody could approve it. */
export async function reportComment(step: Step, reported: Reported): Promise<Failure | undefined> {
  const { github, inputs, log } = step;
  const { original } = reported;
  if (github && original.kind === 'apply') {
    const unrecorded = await reportApply(step, github, original);
    if (unrecorded) return unrecorded;
  }
  if (inputs.comment === 'off') return undefined;
  const target = targetOf(step, original);
  if (!target) return undefined;
  if (!github) {
    return notWritten(step, target, {
      message: 'The input `github-token` is empty.',
      hint: 'Remove it to use the job’s own token, or set `comment: off`.',
    });
  }
  try {
    const done = await writeComment(step, github, target, reported);
    log.text(`Comment of pull request ${target.pull.number}: ${done}.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return notWritten(step, target, error);
  }
}

const spentLater =
  'Until the job is run again and writes it, what was applied still counts as approved.';

// Applied changes stay applied, but an approval counts until it is recorded as spent.
async function reportApply(step: Step, github: GitHub, applied: AppliedResult) {
  let rest = needsRecord(applied) ? ` ${spentLater}` : '';
  try {
    const settled = await settleRecords(step, github, applied);
    rest = '';
    if (step.inputs.comment === 'off') return undefined;
    const stale = await markStaleComments(step, github, applied);
    step.log.text(
      `Comments of merged pull requests: ${settled} updated. Open ones: ${stale} stale.`,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { message, hint } = error;
    const isRecord = rest !== '' && applied.failure === undefined;
    const target = { subject: 'outcome', isRecord } as const;
    return notWritten(step, target, { message: `${message}${rest}`, hint });
  }
}

// A failure where an approval depends on the comment, else a warning.
function notWritten(
  { run, log }: Step,
  { subject, isRecord }: Pick<Target, 'subject' | 'isRecord'>,
  { message: reason, hint = '' }: { readonly message: string; readonly hint?: string | undefined },
): Failure | undefined {
  const message = `Can't write the ${subject} to the pull request. ${reason}`;
  // A fork's token can only read, and its plan is approved in another pull request.
  if (isRecord && run.pullRequest?.untrusted !== true) return { reason: 'github', message, hint };
  log.annotate({ code: 'no-comment', severity: 'warning', message, hint });
  return undefined;
}

type Target = {
  readonly pull: PullRequest;
  readonly subject: 'plan' | 'outcome';
  readonly worthCreating: boolean;
  readonly isRecord: boolean;
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
  const target = { subject: 'outcome', worthCreating: true, isRecord: false } as const;
  return isWritten ? undefined : { ...target, pull: own.pull };
}

function planTarget(step: Step, pull: PullRequest, { plan, failure, policy }: PlanResult): Target {
  // A plan made without the catalog leaves the reviewed one in place.
  const isPlanned = plan.planHash !== undefined || failure?.reason === 'invalid-contracts';
  if (failure && !isPlanned) {
    const words = `This plan is out of date: ${runLink(step)} couldn't make a new one.`;
    const note = `> [!WARNING]\n> ${words} Re-run it before you merge. ${sentence(failure.message)}`;
    // A mistake of the pull request, which its author has to see.
    const worthCreating = failure.reason === 'configuration';
    return { pull, subject: 'plan', worthCreating, isRecord: false, note };
  }
  const isRecord = plan.errored || plannedChanges(plan).length > 0 || plan.summary.missing > 0;
  const worthCreating = isRecord || policy !== undefined;
  return { pull, subject: 'plan', worthCreating, isRecord };
}

// `newer`: a later run has written it. `closed`: after a merge, the reviewed plan stays as it is.
type CommentResult = 'created' | 'updated' | 'unchanged' | 'newer' | 'needless' | 'closed';

async function writeComment(step: Step, github: GitHub, target: Target, reported: Reported) {
  const { pull, note, worthCreating } = target;
  const before = await reported.before;
  // A later comment or a merge is detected once ours is created.
  const isNew = worthCreating && before?.isOpen === true && before.found.length === 0;
  const { isOpen, found } = isNew ? before : await findComments(step, github, pull.number);
  if (reported.original.kind === 'plan' && !isOpen) return 'closed';
  const [oldest] = found;
  if (note === undefined || (!oldest && worthCreating))
    return putComment(step, github, found, { ...target, ...reported });
  if (oldest?.isEdited !== false) return 'needless';
  await rewriteComment(step, github, oldest, { note });
  return 'updated';
}

async function putComment(
  step: Step,
  github: GitHub,
  existing: readonly FoundComment[],
  reported: Target & Reported,
): Promise<CommentResult> {
  const [oldest, ...others] = existing;
  const { pull, worthCreating } = reported;
  const header = headerOf(step, pull, reported.original);
  if (existing.some((comment) => isNewer(comment, header))) return 'newer';
  if (!oldest && !worthCreating) return 'needless';
  const page = pageOf(step, header, reported);
  const { repositoryPage } = step.run;
  const bodyWith = (one: CommentHeader) => formatBody(one, { notes: [], page }, repositoryPage);
  if (!oldest || step.inputs.comment === 'recreate')
    return recreateComment(step, github, existing, { pull, header, body: bodyWith(header) });
  for (const { id } of others) await deleteComment(github, id);
  // A new run, attempt or time alone must not show the comment as edited, nor must main that moved.
  const { run, attempt, time, base } = oldest.header;
  const known = { ...header, run, attempt, time, ...(base && header.base && { base }) };
  const unchanged = bodyWith(known).trim();
  const isSame = unchanged === oldest.body.replaceAll('\r\n', '\n').trim();
  if (isSame && !oldest.isEdited) return 'unchanged';
  await updateComment(github, oldest.id, bodyWith(header));
  return 'updated';
}

// Two runs may create one at the same time: the oldest stays, with the text of the later run.
async function recreateComment(
  step: Step,
  github: GitHub,
  existing: readonly FoundComment[],
  made: { readonly pull: PullRequest; readonly header: CommentHeader; readonly body: string },
): Promise<CommentResult> {
  const { pull, header, body } = made;
  const created = await createComment(github, pull.number, body);
  const { isOpen, found } = await findComments(step, github, pull.number);
  if (!isOpen && header.planHash !== undefined) {
    await deleteComment(github, created);
    return 'closed';
  }
  for (const { id } of existing) await deleteComment(github, id);
  const oldest = found.find(({ id }) => !existing.some((old) => old.id === id));
  if (!oldest || oldest.id === created) return 'created';
  await deleteComment(github, created);
  if (isNewer(oldest, header)) return 'newer';
  await updateComment(github, oldest.id, body);
  return 'updated';
}

function isNewer({ header }: FoundComment, { run, attempt }: CommentHeader): boolean {
  return header.run > run || (header.run === run && header.attempt > attempt);
}

// GitHub takes 65,536 characters; later notes need room too.
const commentBudget = 59_000;

function pageOf(step: Step, header: CommentHeader, { shown, options }: Reported): string {
  const budget = commentBudget - Buffer.byteLength(formatHeader(header));
  const rest = `All of it is in the [summary of the run](${step.run.page}).`;
  const handles = shown.kind === 'plan' ? shown.handles : undefined;
  const page = { ...options, budget, rest, isComment: true, handles };
  return step.redactor.redact(renderResult(shown, page));
}

function headerOf(step: Step, pull: PullRequest, original: StepResult): CommentHeader {
  const { run, inputs } = step;
  const shared = {
    key: commentKey(step),
    place: commentPlace(step),
    label: inputs.label ?? inputs.catalogUrl ?? '',
    catalog: inputs.catalogUrl ?? '',
    head: pull.headSha,
    base: original.kind === 'validation' ? '' : (original.plan.base ?? ''),
    branch: run.branch,
    run: run.runId,
    attempt: run.attempt,
    time: run.startedAt,
  };
  // A plan that the apply after the merge would not make approves nothing.
  const isApproving = original.kind === 'plan' && original.policy?.severity !== 'error';
  if (isApproving && original.plan.planHash !== undefined) {
    const { plan } = original;
    return { ...shared, planHash: plan.planHash, ...contentsOf(plan, step) };
  }
  const isDone = original.kind === 'apply' && !original.failure;
  return { ...shared, applied: isDone ? run.sha : undefined };
}

// Characters. A plan with more changes is approved as a whole.
const mostRecorded = 45_000;
// Characters, to leave most of the comment to the page.
const mostPacked = 20_000;

function contentsOf(plan: Plan, { redactor }: Step): Pick<CommentHeader, 'changes' | 'plan'> {
  const changes = recordChanges(plan);
  const { length } = formatChanges(changes);
  if (length > mostRecorded) return {};
  // Packed text can't be searched for secrets.
  const text = JSON.stringify(plan.contracts);
  const packed = redactor.redact(text) === text ? packPlan(plan) : undefined;
  const hasRoom = packed !== undefined && packed.length + length <= mostPacked;
  return { changes, plan: hasRoom ? packed : undefined };
}
