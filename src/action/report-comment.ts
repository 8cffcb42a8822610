import { SyncError } from '../core/errors.ts';
import { changeCount, type Plan } from '../plan/plan.ts';
import type { PlanReportOptions } from '../report/markdown/plan.ts';
import { addNote, findComments, putComment } from './comment.ts';
import {
  formatChanges,
  formatHeader,
  recordChanges,
  type CommentHeader,
} from './comment-header.ts';
import { failureNote } from './comment-note.ts';
import type { PullRequest } from './event.ts';
import type { GitHub } from './github.ts';
import { packPlan } from './packed-plan.ts';
import { isAboutPolicy } from './policy.ts';
import { renderResult } from './render.ts';
import type { Failure, StepResult } from './result.ts';
import { markStale, settleRecords } from './settle.ts';
import { commentKey, commentPlace, repositoryPage, runPage, type Step } from './step.ts';

/** GitHub takes 65,536 characters; the notes of later runs need room too. */
const commentBudget = 59_000;
/** So that the page itself keeps the most of it. */
const mostPacked = 20_000;

/** What the comment says of a result, and the result before secrets were taken out of it. */
type Reported = {
  readonly shown: StepResult;
  readonly options: Omit<PlanReportOptions, 'budget'>;
  readonly original: StepResult;
  /** Whether the pull request had no comment of ours when the plan was begun. */
  readonly isNew: Promise<boolean>;
};

/** Whether a plan's pull request has no comment of ours yet, to be asked before there is a plan. */
export async function isUncommented(step: Step): Promise<boolean> {
  const { github, inputs, run } = step;
  if (!github || !run.pullRequest || inputs.command !== 'plan') return false;
  if (inputs.comment === 'off') return false;
  const comments = await findComments(github, run.pullRequest.number, commentKey(step));
  return comments.length === 0;
}

/**
 * Puts the result into the pull request's comment. A plan that can't be written there is a failure:
 * nobody could approve it.
 */
export async function reportComment(
  step: Step,
  shown: StepResult,
  { options, original, isNew }: Omit<Reported, 'shown'>,
): Promise<Failure | undefined> {
  const { github, inputs, log } = step;
  if (inputs.comment === 'off') return undefined;
  if (github && original.kind === 'apply') await reportApply(step, github, original);
  const target = targetOf(step, original);
  if (!target) return undefined;
  if (!github) return notWritten(step, target, noToken);
  try {
    const result = await writeComment({ ...step, github }, target, {
      shown,
      options,
      original,
      isNew,
    });
    log.text(`Comment of pull request ${target.pull.number}: ${result}.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return notWritten(step, target, error);
  }
}

/** What has landed stays so, whether it can be written down or not. */
async function reportApply(
  step: Step,
  github: GitHub,
  applied: Extract<StepResult, { readonly kind: 'apply' }>,
): Promise<void> {
  try {
    const settled = await settleRecords(step, github, applied);
    const stale = await markStale(step, github, applied);
    step.log.text(
      `Comments of merged pull requests: ${settled} updated. Open ones: ${stale} stale.`,
    );
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    notWritten(step, { isRecord: false }, error);
  }
}

async function writeComment(
  step: Step & { readonly github: GitHub },
  { pull, note, worthCreating }: Target,
  { shown, options, original, isNew }: Reported,
): Promise<string> {
  const { github, inputs, redactor } = step;
  const repository = repositoryPage(step);
  if (note !== undefined) {
    const said = { key: commentKey(step), repository, note: redactor.redact(note) };
    if (await addNote(github, pull.number, said)) return 'updated';
    if (!worthCreating) return 'needless';
  }
  const header = headerOf(step, pull, original);
  const budget = commentBudget - Buffer.byteLength(formatHeader(header));
  const page = renderResult(shown, { ...options, budget, rest: restOf(step) });
  const comment = { header, markdown: redactor.redact(page), repository };
  const mode = inputs.comment === 'recreate' ? 'recreate' : 'update';
  return putComment(github, pull.number, comment, { mode, worthCreating, isNew: await isNew });
}

const noToken = {
  message: 'The input `github-token` is empty.',
  hint: 'Remove it to use the job’s own token, or set `comment: off`.',
};

/** A red step for what should have been approved there; else a warning. */
function notWritten(
  { run, log }: Step,
  { isRecord }: Pick<Target, 'isRecord'>,
  { message: reason, hint = '' }: { readonly message: string; readonly hint?: string | undefined },
): Failure | undefined {
  const message = `Can't write the plan to the pull request. ${reason}`;
  // A fork's job has a token that can read alone, and its plan is approved in another pull request.
  if (isRecord && run.pullRequest?.untrusted === false) return { reason: 'github', message, hint };
  log.annotate({ code: 'no-comment', severity: 'warning', message, hint });
  return undefined;
}

type Target = {
  readonly pull: PullRequest;
  readonly worthCreating: boolean;
  /** Whether it is what an approval is read from. */
  readonly isRecord: boolean;
  /** What is added to the plan that the comment shows, instead of another one. */
  readonly note?: string;
};

/** A plan in a merge queue or by schedule is no review: it leaves the comment alone. */
function targetOf(step: Step, result: StepResult): Target | undefined {
  const { pullRequest } = step.run;
  switch (result.kind) {
    case 'validation':
      return undefined;
    case 'plan': {
      if (!pullRequest) return undefined;
      const isRecord = isWorthCreating(result.plan);
      const worthCreating = isRecord || result.plan.diagnostics.some(isAboutPolicy);
      const target = { pull: pullRequest, worthCreating, isRecord };
      if (tellsOfFiles(result) || !result.failure) return target;
      const note = failureNote(result.failure, step);
      return { pull: pullRequest, worthCreating: false, isRecord: false, note };
    }
    case 'apply': {
      const { own } = result.records;
      const isWritten = !own || own.comment?.isEdited === false || changeCount(result.plan) === 0;
      return isWritten ? undefined : { pull: own.pull, worthCreating: true, isRecord: false };
    }
  }
}

/** Without a catalog nothing is learned of the files, and what was reviewed stays as it was. */
function tellsOfFiles({ failure, ...result }: StepResult): boolean {
  if (result.kind !== 'plan') return false;
  return result.plan.planHash !== undefined || failure?.reason === 'invalid-contracts';
}

function isWorthCreating(plan: Plan): boolean {
  return plan.errored || changeCount(plan) > 0 || plan.summary.missing > 0;
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
    run: run.runId,
    attempt: run.attempt,
    time: run.startedAt,
  };
  if (original.kind !== 'plan' || original.plan.planHash === undefined) {
    const isDone = original.kind === 'apply' && !original.failure;
    return { ...shared, ...(isDone && { applied: run.sha }) };
  }
  return { ...shared, planHash: original.plan.planHash, ...contentsOf(original.plan, step) };
}

/** Characters. With more changes than that fit, a plan is approved as a whole. */
const mostRecorded = 45_000;

function contentsOf(plan: Plan, step: Step): Pick<CommentHeader, 'changes' | 'plan'> {
  const changes = recordChanges(plan);
  const length = formatChanges(changes).length;
  if (length > mostRecorded) return {};
  const packed = packForComment(plan, step);
  const hasRoom = packed !== undefined && packed.length + length <= mostPacked;
  return { changes, ...(hasRoom && { plan: packed }) };
}

/** Packed text cannot be searched for secrets, so it is searched before. */
function packForComment(plan: Plan, { redactor }: Step): string | undefined {
  const text = JSON.stringify(plan.contracts);
  return redactor.redact(text) === text ? packPlan(plan) : undefined;
}

function restOf(step: Step): string {
  return `All of it is in the [summary of the run](${runPage(step)}).`;
}
