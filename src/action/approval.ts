import { reviewPlan } from '../commands/plan.ts';
import type { Comparison } from '../review/compare.ts';
import { changeCount, type Plan } from '../plan/plan.ts';
import type { Reviewed } from '../review/review.ts';
import type { Session } from '../session.ts';
import { findComments } from './comment.ts';
import { unpackPlan, type CommentHeader } from './comment-header.ts';
import type { PullRequest } from './event.ts';
import { inWordsOfInputs } from './inputs.ts';
import { commentKey, type Step } from './step.ts';

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
  const plan = header?.plan && unpackPlan(header.plan, step.inputs.catalogUrl ?? '', planHash);
  return { planHash, ...(plan && { plan }) };
}

type CheckedPlan = { readonly plan: Plan; readonly comparison?: Comparison };

/** The plan with the verdict of its review. A plan that changes nothing needs none. */
export async function checkApproval(
  proposed: Plan,
  approval: Approval,
  { session, autoApprove }: { readonly session: Session; readonly autoApprove: boolean },
): Promise<CheckedPlan> {
  if (changeCount(proposed) === 0) return { plan: proposed };
  if ('missing' in approval) {
    return { plan: autoApprove ? proposed : notReviewed(proposed, approval.missing) };
  }
  const { plan, review } = await reviewPlan(proposed, approval.reviewed, session);
  const comparison = review?.comparison;
  return { plan: inWordsOfInputs(plan), ...(comparison && { comparison }) };
}

function notReviewed(plan: Plan, reason: string): Plan {
  const problem = {
    code: 'plan-not-reviewed',
    severity: 'error',
    message: `${reason} So nobody has reviewed this plan.`,
    hint: 'Change contracts by pull requests that show their plan, or set the input `auto-approve` for pushes that nobody reviews.',
  } as const;
  return { ...plan, errored: true, diagnostics: [...plan.diagnostics, problem] };
}
