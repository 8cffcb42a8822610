/** Which git revision the files are compared with, and which merges wait for their apply. */

import { idKey } from '../contract/identity.ts';
import { ConfigError, type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { canonicalJson, type JsonValue } from '../core/json.ts';
import {
  findCommit,
  isInHistory,
  parentsOfHead,
  type Repository,
  whyGitFails,
} from '../files/git/repository.ts';
import { isInVersions } from '../review/landed.ts';
import type { BaseRevision, PendingAt } from '../session.ts';
import { marksOf, pendingChanges, shortFingerprint } from './record/comment.ts';
import {
  approvingRecords,
  isForOther,
  isSettled,
  type OurRecord,
  readMerged,
  type ReviewRecords,
} from './record/find.ts';
import type { Step } from './step.ts';

/** Without a revision, every difference counts as a change of the files. */
export type PlanBase = {
  readonly revision?: string;
  readonly problem?: Diagnostic;
  readonly laterBases?: readonly BaseRevision[];
};

export function choosePlanBase(step: Step): PlanBase {
  const { inputs, run, repository } = step;
  if (inputs.base !== undefined) return { revision: inputs.base };
  const { pullRequest, queued } = run;
  const pull = queued ?? pullRequest;
  if (pull) {
    // A pull request is checked out as its merge commit, whose first parent is the base.
    const [parent, merged] = parentsOfHead(repository);
    const isMerge = pullRequest && merged === pullRequest.headSha;
    const known = isMerge ? parent : findCommit(pull.baseSha, repository);
    const revision = known ?? (queued && parent);
    return revision === undefined ? { problem: unknownBase(2, repository) } : { revision };
  }
  if (inputs.driftIssue) return { revision: 'HEAD' };
  if (inputs.drift === undefined) return {};
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
  const { inputs, repository } = step;
  if (inputs.base !== undefined) return { revision: inputs.base };
  const approving = approvingRecords(records.all);
  // A plan without a base overwrites edits of the catalog, so its apply has none either.
  const pending = approving.filter(({ comment }) => pendingChanges(comment.changes).length > 0);
  if (pending.some(({ comment }) => comment.header.base === '')) return {};
  const settled = records.all.find(isSettled);
  const revision = settled
    ? settledCommit(settled, repository)
    : (oldestBase(records, step) ?? (records.own && 'HEAD^1'));
  if (revision === undefined) return {};
  if (findCommit(revision, repository) === undefined)
    return { problem: unknownBase(0, repository) };
  const laterBases: BaseRevision[] = [];
  for (const { pull, comment } of approving.toReversed()) {
    const { mergeSha = '' } = pull;
    const landed = comment.changes.filter(({ hasLanded }) => hasLanded);
    const marks = new Set(landed.map(({ contract }) => contract));
    if (marks.size === 0 || isInHistory(mergeSha, repository) !== true) continue;
    const appliesTo: BaseRevision['appliesTo'] = (contract) =>
      marksOf(contract).some((mark) => marks.has(mark));
    laterBases.push({ revision: mergeSha, appliesTo });
  }
  return { revision, laterBases };
}

function settledCommit({ pull, comment }: OurRecord, repository: Repository): string {
  const { applied = '' } = comment.header;
  return isInHistory(applied, repository) === true ? applied : (pull.mergeSha ?? '');
}

// Before the first apply: the base of the oldest merge with a comment, whether or not that comment
// approves anything.
function oldestBase({ all }: ReviewRecords, { run, repository }: Step): string | undefined {
  for (const { comment, pull } of all.toReversed()) {
    if (!comment) continue;
    const { header, isEdited } = comment;
    if (!isEdited && !isForOther(header, run.branch) && header.base !== '') return header.base;
    const parent = pull.mergeSha && findCommit(`${pull.mergeSha}^1`, repository);
    if (parent) return parent;
  }
  return undefined;
}

// `depth` is the `fetch-depth` that the checkout needs; 0 is the whole history.
function unknownBase(depth: 0 | 2, repository: Repository): Diagnostic {
  const judge = depth === 2 ? " The pull request's own policy judges this plan." : '';
  const reason = whyGitFails(repository);
  if (reason !== undefined) {
    return {
      code: 'git-fails',
      severity: 'warning',
      message: `Can't tell edits in the catalog from changes in the files: ${reason.replace(/\.?$/u, '.')}${judge}`,
      hint: 'In a container, run `git config --global --add safe.directory "$GITHUB_WORKSPACE"` before this step.',
    };
  }
  return {
    code: 'no-such-revision',
    severity: 'warning',
    message: `This clone doesn't have the base, so can't tell edits in the catalog from changes in the files.${judge}`,
    hint: `Set \`fetch-depth: ${depth}\` in actions/checkout.`,
  };
}

// Asks GitHub, so it is for plans in which a contract is not as its base says.
export async function readPending(step: Step): Promise<PendingAt> {
  const { github, run, log } = step;
  if (!github || run.branch === undefined) return () => undefined;
  try {
    const { all } = await readMerged(step, github, run.branch);
    // The later of two merges that change one place stays.
    const waiting = new Map(approvingRecords(all).toReversed().flatMap(placesOf));
    return (live, replaced, versions, rules) => {
      const { change, merge } = waiting.get(keyOf(live.id, replaced.place, replaced.before)) ?? {};
      // A change that was applied and is gone again waits for nothing, whatever the comment records.
      return change && isInVersions(versions, live, change, rules) ? undefined : merge;
    };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    log.text(`Can't read which merges wait for their apply. ${error.message}`);
    return () => undefined;
  }
}

function placesOf({ pull, comment }: OurRecord) {
  const { shown = [] } = comment;
  const pending = new Set(pendingChanges(comment.changes).map(({ fingerprint }) => fingerprint));
  const merge = { waitsFor: pull.number, commit: pull.mergeSha ?? '' };
  return shown
    .filter((change) => pending.has(shortFingerprint(change.fingerprint)))
    .flatMap((change) =>
      (change.differences ?? []).map((difference) => {
        const key = keyOf(change.id ?? '', difference.place, difference.before);
        return [key, { merge, change: { ...change, differences: [difference] } }] as const;
      }),
    );
}

// Has the live value that was reviewed: where another one is found, it was set since.
function keyOf(id: string, place: string, before: JsonValue | undefined): string {
  return canonicalJson([idKey(id), place, before === undefined ? [] : [before]]);
}
