import type { Diagnostic } from '../core/diagnostic.ts';
import { reviewPlan } from '../commands/plan.ts';
import type { Comparison } from '../review/compare.ts';
import { changeCount, type Plan, updates } from '../plan/plan.ts';
import type { Reviewed } from '../review/review.ts';
import type { Session } from '../session.ts';
import { findComments } from './comment.ts';
import { unpackPlan, type CommentHeader } from './comment-header.ts';
import type { PullRequest } from './event.ts';
import { inWordsOfInputs } from './inputs.ts';
import { commentKey, type Step, subjectOfStep } from './step.ts';

/** What was reviewed, or why nothing is known to have been. */
export type Approval = {
  readonly pull?: PullRequest;
  readonly header?: CommentHeader;
} & ({ readonly reviewed: Reviewed } | { readonly missing: string });

/** The plan that was reviewed: by its hash as an input, else by the pull request's comment. */
export async function findApproval(step: Step): Promise<Approval> {
  const { expectHash } = step.inputs;
  const pull = await findPullRequest(step);
  const inComment = await readApproval(step, pull);
  if (expectHash === undefined || expectHash === 'approved') return inComment;
  const { header } = inComment;
  return {
    ...(pull && { pull }),
    ...(header && { header }),
    reviewed: reviewedAs(expectHash, header, step),
  };
}

/** The index of merged pull requests lags behind the merge. Milliseconds. */
const patience = [0, 1000, 2000, 4000];

async function findPullRequest({ github, run, runner }: Step): Promise<PullRequest | undefined> {
  if (run.pullRequest) return run.pullRequest;
  if (!github) return undefined;
  if (run.queuedPullRequest !== undefined) return github.pull(run.queuedPullRequest);
  for (const delay of patience) {
    if (delay > 0) await runner.sleep(delay);
    const pull = await github.pullMergedAs(run.sha);
    if (pull) return pull;
  }
  return undefined;
}

async function readApproval(step: Step, pull: PullRequest | undefined): Promise<Approval> {
  const { github, run } = step;
  if (!github) return { missing: 'There is no `github-token` to read the reviewed plan with.' };
  if (!pull) return { missing: `No merged pull request made the commit ${run.sha}.` };
  const [comment] = await findComments(github, pull.number, commentKey(step));
  if (!comment) return { pull, missing: `Pull request ${pull.number} has no comment with a plan.` };
  const { header, isEdited } = comment;
  if (isEdited) {
    const missing = `Somebody else edited the comment of pull request ${pull.number}.`;
    return { pull, missing };
  }
  const found = { pull, header };
  if (header.head !== pull.headSha) {
    const missing = `The plan of pull request ${pull.number} is of ${header.head}, an earlier commit than its last one.`;
    return { ...found, missing };
  }
  if (header.planHash === undefined) {
    return { ...found, missing: `Pull request ${pull.number} was left without a plan.` };
  }
  return { ...found, reviewed: reviewedAs(header.planHash, header, step) };
}

function reviewedAs(planHash: string, header: CommentHeader | undefined, step: Step): Reviewed {
  const plan = header?.plan && unpackPlan(header.plan, subjectOfStep(step), planHash);
  return { planHash, ...(plan && { plan }) };
}

type CheckedPlan = { readonly plan: Plan; readonly comparison?: Comparison };

type ApprovalOptions = {
  readonly session: Session;
  /** Whether pushes without a pull request need no review. */
  readonly autoApprove: boolean;
  /** The file of the workflow that applies. */
  readonly workflow: string;
};

/** The plan with the verdict of its review. */
export async function checkApproval(
  proposed: Plan,
  approval: Approval,
  { session, autoApprove, workflow }: ApprovalOptions,
): Promise<CheckedPlan> {
  const lost = lostContracts(approval, proposed);
  if (lost.length > 0) return { plan: notFound(proposed, lost) };
  if (changeCount(proposed) === 0) return { plan: proposed };
  if ('missing' in approval) {
    const isFree = autoApprove && !approval.pull;
    return { plan: isFree ? proposed : notReviewed(proposed, approval.missing, workflow) };
  }
  const { plan, review } = await reviewPlan(proposed, approval.reviewed, session);
  const comparison = review?.comparison;
  const diagnostics = inWordsOfInputs(plan).diagnostics.map((problem) =>
    problem.code === 'plan-changed' ? { ...problem, hint: wayOut(plan, workflow) } : problem,
  );
  return { plan: { ...plan, diagnostics }, ...(comparison && { comparison }) };
}

/** Contracts with a reviewed change that this plan knows nothing of: it would be green, and nothing done. */
function lostContracts(approval: Approval, { contracts }: Plan): string[] {
  if ('missing' in approval || !approval.reviewed.plan) return [];
  const known = new Set(
    contracts.flatMap(({ action, ...contract }) =>
      action !== 'unmanaged' && 'id' in contract ? [contract.id] : [],
    ),
  );
  return updates(approval.reviewed.plan).flatMap(({ id, fullyQualifiedName }) =>
    known.has(id) ? [] : [fullyQualifiedName ?? id],
  );
}

function notFound(plan: Plan, names: readonly string[]): Plan {
  return withError(plan, {
    code: 'plan-not-found',
    message: `The reviewed plan changes what can't be found now: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}.`,
    hint: 'Look at what the token may see, at the inputs `paths` and `working-directory`, and whether the contract was deleted.',
  });
}

function notReviewed(plan: Plan, reason: string, workflow: string): Plan {
  return withError(plan, {
    code: 'plan-not-reviewed',
    message: `${reason} So nobody has reviewed this plan.`,
    hint: `${wayOut(plan, workflow)} The input \`auto-approve\` is for pushes without a pull request.`,
  });
}

/** What lets a plan be applied that was reviewed in the log or the summary. */
function wayOut({ planHash }: Plan, workflow: string): string {
  return `To apply the plan as it is now, run: gh workflow run ${workflow} -f expect-hash=${planHash}`;
}

function withError(plan: Plan, problem: Pick<Diagnostic, 'code' | 'message' | 'hint'>): Plan {
  const diagnostics = [...plan.diagnostics, { ...problem, severity: 'error' as const }];
  return { ...plan, errored: true, diagnostics };
}
