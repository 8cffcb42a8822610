import { SyncError } from '../core/errors.ts';
import { changeCount, type Plan } from '../plan/plan.ts';
import type { PlanReportOptions } from '../report/markdown/plan.ts';
import { putComment } from './comment.ts';
import { formatHeader, packPlan, type CommentHeader } from './comment-header.ts';
import type { PullRequest } from './event.ts';
import { renderResult } from './render.ts';
import type { StepResult } from './result.ts';
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

/** Puts the result into the pull request's comment. A comment that fails never fails the step. */
export async function reportComment(
  step: Step,
  shown: StepResult,
  { options, original }: Reported,
): Promise<void> {
  const { github, inputs, log } = step;
  const target = targetOf(step, shown);
  if (!github || !target || inputs.comment === 'off') return;
  const { pull, worthCreating } = target;
  const header = headerOf(step, target, original);
  const budget = commentBudget - Buffer.byteLength(formatHeader(header));
  const page = renderResult(shown, { ...options, budget, rest: restOf(step) });
  const comment = { header, markdown: step.redactor.redact(page) };
  try {
    const mode = inputs.comment;
    const result = await putComment(github, pull.number, comment, { mode, worthCreating });
    log.text(`Comment of pull request ${pull.number}: ${result}.`);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { message, hint = '' } = error;
    log.annotate({
      code: 'no-comment',
      severity: 'warning',
      message: `The plan could not be written to the pull request. ${message}`,
      hint,
    });
  }
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

function isWorthCreating(plan: Plan): boolean {
  return plan.errored || changeCount(plan) > 0 || plan.summary.missing > 0;
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
