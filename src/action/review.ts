/** Which changes of a fresh plan were reviewed, and how the rest differs. */

import { planNow } from '../commands/plan.ts';
import { reviewPlan } from '../commands/review.ts';
import { idKey } from '../contract/identity.ts';
import { defined } from '../core/json.ts';
import { type BranchCommit, firstParents, hasChangedSince } from '../files/git/repository.ts';
import { type Plan, plannedChanges, updates } from '../plan/plan.ts';
import {
  approveWhole,
  compareChanges,
  type Comparison,
  decideChanges,
  type Decision,
  type RefusedChange,
  type ReviewedChange,
  reviewedChanges,
  reviewedTogether,
} from '../review/compare.ts';
import { findLanded } from '../review/landed.ts';
import type { Session } from '../session.ts';
import { type ListedPull, listPulls, listPullsOf } from './github.ts';
import type { GitHub } from './github-request.ts';
import {
  type ContractNames,
  type KeptChange,
  marksOf,
  pendingChanges,
  shortFingerprint,
} from './record/comment.ts';
import { approvingRecords, type OurRecord, type ReviewRecords } from './record/find.ts';
import { openCatalog, type Step } from './step.ts';

export type Approval = Decision & { readonly comparison?: Comparison | undefined };

export async function checkReview(
  fresh: Plan,
  records: ReviewRecords,
  step: Step,
  session: Session,
): Promise<Approval> {
  if (!isByHash(step)) return decideByReviews(fresh, records, step, session);
  const { expectHash: planHash = '' } = step.inputs;
  const { plan, review } = await reviewPlan(fresh, { planHash }, session);
  return { ...approveWhole(plan), comparison: review?.comparison };
}

async function decideByReviews(
  fresh: Plan,
  records: ReviewRecords,
  step: Step,
  session: Session,
): Promise<Approval> {
  const { autoApprove, command } = step.inputs;
  const decision = await decideByComments(fresh, records, step, session);
  const isOpen = command === 'apply' && autoApprove && !records.own;
  if (!isOpen || !decision.refused.some(({ kind }) => kind === 'not-reviewed')) return decision;
  const pushed = await readPushed(step, session);
  if (pushed !== 'all') return decideByComments(fresh, records, step, session, pushed);
  // A push without a pull request needs no review, but reviewed changes must still be in the plan.
  const refused = decision.refused.filter(({ kind }) => kind === 'not-found');
  return { fresh, approved: fresh, refused };
}

/** A plan named by its hash is approved as a whole. */
export function isByHash({ inputs: { expectHash = 'approved' } }: Step): boolean {
  return expectHash !== 'approved';
}

async function decideByComments(
  fresh: Plan,
  records: ReviewRecords,
  step: Step,
  session: Session,
  pushed: readonly KeptChange[] = [],
): Promise<Approval> {
  const approvals = approvingRecords(records.all).map((record) => readApproval(record, fresh));
  const shown = approvals.flatMap((approval) => approval.shown);
  const reviewed = approvals.flatMap(({ changes }) => changes);
  const earlier = approvals.filter(({ record }) => record !== records.own || step.run.attempt > 1);
  const repeatable = new Set(earlier.flatMap(({ changes }) => changes));
  const landings = await findLanded(fresh, reviewed, session, repeatable);
  // A change and the one that a comment shows have the same array of differences.
  const spent = new Set([...landings.keys()].map(({ differences }) => differences));
  const unspent = shown.filter(({ differences }) => !spent.has(differences));
  const planned = new Set(plannedChanges(fresh).map(({ fingerprint }) => fingerprint));
  const free = pushed.filter(({ fingerprint }) => planned.has(fingerprint));
  const both = reviewedTogether([...pushed, ...unspent]);
  const decision = decideChanges(fresh, [...reviewed, ...free, ...both], landings);
  const refused = decision.refused.filter((refusal) => !isSuperseded(refusal, approvals, step));
  return { ...decision, refused, comparison: compareRefused(refused, shown, fresh) };
}

type CommentApproval = {
  readonly record: OurRecord;
  readonly changes: readonly ReviewedChange[];
  /** The whole changes, where the comment had room for its plan. */
  readonly shown: readonly KeptChange[];
};

function readApproval(record: OurRecord, fresh: Plan): CommentApproval {
  const { shown: kept = [], changes: recorded } = record.comment;
  const packed = new Map(kept.map((change) => [shortFingerprint(change.fingerprint), change]));
  const whole = new Map(
    plannedChanges(fresh).map(({ fingerprint }) => [shortFingerprint(fingerprint), fingerprint]),
  );
  const named = new Map<string, ContractNames>(
    fresh.contracts.flatMap((contract) => marksOf(contract).map((mark) => [mark, contract])),
  );
  const pending = pendingChanges(recorded);
  const changes = pending.map(({ fingerprint: short, contract }) => {
    const { id, fullyQualifiedName } = named.get(contract) ?? {};
    const fingerprint = whole.get(short) ?? short;
    return packed.get(short) ?? { ...defined({ id, fullyQualifiedName }), fingerprint };
  });
  const shown = pending.flatMap(({ fingerprint }) => packed.get(fingerprint) ?? []);
  return { record, changes, shown };
}

function isSuperseded(
  { kind, change }: RefusedChange,
  approvals: readonly CommentApproval[],
  { repository }: Step,
): boolean {
  if (kind !== 'not-found') return false;
  return approvals.some(({ shown, record }) => {
    const file = shown.find((one) => isSame(one, change))?.source.file;
    const { mergeSha } = record.pull;
    return (
      file !== undefined && mergeSha !== undefined && hasChangedSince(mergeSha, file, repository)
    );
  });
}

function isSame(one: ContractNames, other: ContractNames): boolean {
  if (one.id !== undefined && other.id !== undefined) return idKey(one.id) === idKey(other.id);
  return one.fullyQualifiedName === other.fullyQualifiedName;
}

function compareRefused(
  refused: readonly RefusedChange[],
  shown: readonly KeptChange[],
  fresh: Plan,
): Comparison | undefined {
  if (refused.length === 0 || !shown.some(({ id }) => id)) return undefined;
  const wanted = new Set(
    refused.map(({ change }) => ('id' in change && change.id ? idKey(change.id) : undefined)),
  );
  const isWanted = ({ id }: ContractNames) => id !== undefined && wanted.has(idKey(id));
  const contracts = updates(fresh).filter(isWanted);
  return compareChanges(shown.filter(isWanted), { ...fresh, contracts });
}

const mostCommits = 100;

// Changes that were pushed without a pull request since the last merge of one; `all` if there never
// was one. Edits of the catalog are left out, whatever the input `drift` says.
async function readPushed(step: Step, earlier: Session): Promise<'all' | readonly KeptChange[]> {
  const { github, run, repository } = step;
  const { branch } = run;
  if (!github || branch === undefined) return 'all';
  const [merged, open] = await Promise.all([
    listPulls(github, branch, 'MERGED'),
    listPulls(github, branch, 'OPEN'),
  ]);
  if (merged.pulls.length + open.pulls.length === 0) return 'all';
  const { commits, isWhole } = firstParents(mostCommits, repository);
  const merge = await findLastMerge(commits, open.pulls, github, branch);
  if (!merge && isWhole) return 'all';
  const since = merge ?? commits.at(-1);
  if (!since || since === commits[0]) return [];
  const session = await openCatalog(step, { revision: since.id, earlier });
  return reviewedChanges(
    await planNow({ ...session, downstream: false, rules: { ...session.rules, drift: 'leave' } }),
  );
}

const commitsAtOnce = 20;

async function findLastMerge(
  commits: readonly BranchCommit[],
  open: readonly ListedPull[],
  github: GitHub,
  branch: string,
): Promise<BranchCommit | undefined> {
  for (let start = 0; start < commits.length; start += commitsAtOnce) {
    const some = commits.slice(start, start + commitsAtOnce);
    const ids = some.map(({ id }) => id);
    const pulls = await listPullsOf(github, ids, branch);
    const found = some.find(
      (commit, index) => pulls[index]?.length !== 0 || open.some((pull) => isMergeOf(commit, pull)),
    );
    if (found) return found;
  }
  return undefined;
}

// GitHub reports a merge with a delay; until then only the commits show it.
function isMergeOf({ id, parents, subject }: BranchCommit, { headSha, number }: ListedPull) {
  const [, named] = /^Merge pull request #(\d+) |\(#(\d+)\)$/u.exec(subject)?.filter(Boolean) ?? [];
  return [id, ...parents.slice(1)].includes(headSha) || Number(named) === number;
}
