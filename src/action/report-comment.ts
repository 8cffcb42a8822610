import { SyncError } from '../core/errors.ts';
import { changeCount, type Plan } from '../plan/plan.ts';
import type { PlanReportOptions } from '../report/markdown/plan.ts';
import { putComment } from './comment.ts';
import { formatHeader, packPlan, type CommentHeader } from './comment-header.ts';
import type { PullRequest } from './event.ts';
import { renderResult } from './render.ts';
import type { Failure, StepResult } from './result.ts';
import { commentKey, type Step } from './step.ts';

/** GitHub takes 65,536 characters. */
const commentBudget = 60_000;
/** So that the page itself keeps the most of it. */
const mostPacked = 20_000;

/** What the comment says of a result, and the result before secrets were taken out of it. */
type Reported = {
  readonly options: Omit<PlanReportOptions, 'budget'>;
  readonly original: StepResult;
};

/**
 * Puts the result into the pull request's comment. A plan that can't be written there is a failure:
 * nobody could approve it.
 */
export async function reportComment(
  step: Step,
  shown: StepResult,
  { options, original }: Reported,
): Promise<Failure | undefined> {
  const { github, inputs, log } = step;
  const target = targetOf(step, shown);
  if (!target || inputs.comment === 'off') return undefined;
  if (!github) return notWritten(step, target, noToken);
  const { pull, worthCreating } = target;
  const header = headerOf(step, target, original);
  const budget = commentBudget - Buffer.byteLength(formatHeader(header));
  const page = renderResult(shown, { ...options, budget, rest: restOf(step) });
  const comment = { header, markdown: step.redactor.redact(page) };
  try {
    const mode = inputs.comment;
    const result = await putComment(github, pull.number, comment, { mode, worthCreating });
    log.text(`Comment of pull request ${pull.number}: ${result}.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return notWritten(step, target, error);
  }
}

const noToken = {
  message: 'The input `github-token` is empty.',
  hint: 'Leave it out, so that the job’s own token is used, or set `comment: off`.',
};

/** A red step for what should have been approved there; else a warning. */
function notWritten(
  { run, log }: Step,
  { worthCreating, approved }: Target,
  { message: reason, hint = '' }: { readonly message: string; readonly hint?: string | undefined },
): Failure | undefined {
  const message = `The plan can't be written to the pull request. ${reason}`;
  // A fork's job has a token that can read alone, and its plan is approved in another pull request.
  const isRecord = worthCreating && !approved && run.pullRequest?.untrusted === false;
  if (isRecord) return { reason: 'github', message, hint };
  log.annotate({ code: 'no-comment', severity: 'warning', message, hint });
  return undefined;
}

type Target = {
  readonly pull: PullRequest;
  readonly worthCreating: boolean;
  /** The header that an apply leaves as the review wrote it. */
  readonly approved?: CommentHeader;
};

/** A plan in a merge queue or by schedule is no review: it leaves the comment alone. */
function targetOf({ run }: Step, result: StepResult): Target | undefined {
  switch (result.kind) {
    case 'validation':
      return undefined;
    case 'plan':
      if (!run.pullRequest || !tellsOfFiles(result)) return undefined;
      return { pull: run.pullRequest, worthCreating: isWorthCreating(result.plan) };
    case 'apply': {
      const { pull, approved, plan } = result;
      if (!pull) return undefined;
      return { pull, worthCreating: changeCount(plan) > 0, ...(approved && { approved }) };
    }
  }
}

/** Without a catalog nothing is learned of the files, and what was reviewed stays as it was. */
function tellsOfFiles({ failure, ...result }: StepResult): boolean {
  if (result.kind !== 'plan') return false;
  return result.plan.planHash !== undefined || failure?.reason === 'invalid-contracts';
}

function isWorthCreating({ errored, summary }: Plan): boolean {
  return errored || changeCount({ summary }) > 0 || summary.missing > 0;
}

function headerOf(step: Step, { pull, approved }: Target, original: StepResult): CommentHeader {
  const { runId, attempt } = step.run;
  const shared = { key: commentKey(step), head: pull.headSha, run: runId, attempt };
  if (approved) return { ...approved, run: runId, attempt };
  if (original.kind !== 'plan' || original.plan.planHash === undefined) return shared;
  const { planHash } = original.plan;
  const packed = packForComment(original.plan, step);
  return { ...shared, planHash, ...(packed !== undefined && { plan: packed }) };
}

/** Packed text cannot be searched for secrets, so it is searched before. */
function packForComment(plan: Plan, { redactor }: Step): string | undefined {
  const text = JSON.stringify(plan.contracts);
  if (redactor.redact(text) !== text) return undefined;
  const packed = packPlan(plan);
  return packed.length > mostPacked ? undefined : packed;
}

function restOf({ run }: Step): string {
  return `All of it is in the [summary of the run](${run.serverUrl}/${run.repository}/actions/runs/${run.runId}).`;
}
