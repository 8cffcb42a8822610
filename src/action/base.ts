import { ConfigError, type Diagnostic } from '../core/diagnostic.ts';
import { findCommit, isInHistory, whyGitFails } from '../files/git/repository.ts';
import type { BaseRevision } from '../session.ts';
import { marksOf, pendingChanges } from './comment.ts';
import {
  approvingRecords,
  isOurs,
  isRetargeted,
  isSettled,
  type ReviewRecord,
  type ReviewRecords,
} from './records.ts';
import type { Step } from './step.ts';

/**
 * The commits that files are compared with, to tell edits of the catalog from those of the files.
 */

/** Without a revision, every difference counts as a change of the files. */
export type PlanBase = {
  readonly revision?: string;
  readonly problem?: Diagnostic;
  readonly laterBases?: readonly BaseRevision[];
};

export function choosePlanBase(step: Step): PlanBase {
  const { inputs, run, root } = step;
  if (inputs.base !== undefined) return { revision: inputs.base };
  const { pullRequest, queued } = run;
  if (!pullRequest && !queued)
    return inputs.driftIssue ? { revision: 'HEAD' } : refuseWithoutBase(step);
  const revision = queued
    ? (findCommit(queued.baseSha, root) ?? findCommit('HEAD^1', root))
    : (firstParent(pullRequest?.headSha, root) ?? findCommit(pullRequest?.baseSha ?? '', root));
  return revision === undefined ? { problem: unknownBase(2, root) } : { revision };
}

// A pull request is checked out as its merge commit, whose first parent is the base.
function firstParent(head: string | undefined, root: string): string | undefined {
  const isMerge = head !== undefined && findCommit('HEAD^2', root) === head;
  return isMerge ? findCommit('HEAD^1', root) : undefined;
}

function refuseWithoutBase({ inputs: { drift } }: Step): PlanBase {
  if (drift === undefined) return {};
  throw new ConfigError('invalid-input', 'The input `drift` needs `base` here.', {
    hint: 'Without a pull request, name the git revision to compare the files with.',
  });
}

/**
 * The commit of the last complete apply: what was merged since then is still to be applied, also
 * where the run of a merge was dropped. Contracts that a later run has applied are compared with
 * that run's merge.
 */
export function chooseApplyBase(step: Step, records: ReviewRecords): PlanBase {
  const { inputs, root } = step;
  if (inputs.base !== undefined) return { revision: inputs.base };
  const approving = approvingRecords(records);
  const pending = approving.filter(({ comment }) => pendingChanges(comment).length > 0);
  // A plan without a base overwrites edits of the catalog, so its apply has none either.
  if (pending.some(({ comment }) => comment.header.base === '')) return {};
  const settled = records.all.find(isSettled);
  const revision = settled
    ? settledCommit(settled, root)
    : (oldestBase(records, root) ?? (records.own && 'HEAD^1'));
  if (revision === undefined) return {};
  if (findCommit(revision, root) === undefined) return { problem: unknownBase(0, root) };
  const laterBases = approving.flatMap(({ pull: { mergeSha = '' }, comment }): BaseRevision[] => {
    const landed = comment.changes.filter(({ hasLanded }) => hasLanded);
    if (landed.length === 0 || isInHistory(mergeSha, root) !== true) return [];
    const marks = new Set(landed.map(({ contract }) => contract));
    const appliesTo: BaseRevision['appliesTo'] = (contract) =>
      marksOf(contract).some((mark) => marks.has(mark));
    return [{ revision: mergeSha, appliesTo }];
  });
  return { revision, laterBases: laterBases.toReversed() };
}

function settledCommit({ pull, comment }: ReviewRecord, root: string): string {
  const { applied = '' } = comment?.header ?? {};
  return isInHistory(applied, root) === true ? applied : (pull.mergeSha ?? '');
}

// Before the first apply: the base of the oldest merge with a comment, whether or not that comment
// approves anything.
function oldestBase({ all }: ReviewRecords, root: string): string | undefined {
  return all
    .map((record) => {
      const { comment, pull } = record;
      if (!comment) return undefined;
      const isKnown = isOurs(record) && !isRetargeted(record) && comment.header.base !== '';
      if (isKnown) return comment.header.base;
      return pull.mergeSha === undefined ? undefined : findCommit(`${pull.mergeSha}^1`, root);
    })
    .findLast((base) => base !== undefined);
}

// `depth` is the `fetch-depth` that the checkout needs; 0 is the whole history.
function unknownBase(depth: 0 | 2, root: string): Diagnostic {
  const reason = whyGitFails(root);
  if (reason !== undefined) {
    return {
      code: 'git-fails',
      severity: 'warning',
      message: `Can't tell edits in the catalog from changes in the files: ${reason}`,
      hint: 'In a container, run `git config --global --add safe.directory "$GITHUB_WORKSPACE"` before this step.',
    };
  }
  return {
    code: 'no-such-revision',
    severity: 'warning',
    message:
      "This clone doesn't have the base, so can't tell edits in the catalog from changes in the files.",
    hint: `Set \`fetch-depth: ${depth}\` in actions/checkout.`,
  };
}
