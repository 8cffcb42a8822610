/** What a plan goes by: the base, the merges that wait for their apply, the policy. */

import { join, relative } from 'node:path';
import { planNow } from '../commands/plan.ts';
import { withSlashes } from '../config/file.ts';
import { type BasePolicy, type PolicyChange, readBasePolicy } from '../config/policy.ts';
import { defaultInclude, resolveFileSettings } from '../config/settings.ts';
import { idKey } from '../contract/identity.ts';
import { ConfigError, type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { canonicalJson, defined, isArray, type JsonValue } from '../core/json.ts';
import { selectNames } from '../files/find/find.ts';
import {
  findCommit,
  isInHistory,
  openRepository,
  readCommit,
  type Repository,
  whyGitFails,
} from '../files/git/repository.ts';
import { foldersUpwards } from '../files/git/run-git.ts';
import type { Plan } from '../plan/plan.ts';
import type { ConfiguredRules } from '../plan/rules.ts';
import { planVerdict } from '../report/problems.ts';
import { clip } from '../core/text.ts';
import { isInVersions } from '../review/landed.ts';
import type { BaseRevision, PendingAt } from '../session.ts';
import type { Inputs } from './inputs.ts';
import { marksOf, pendingChanges, shortFingerprint } from './record/comment.ts';
import {
  approvingRecords,
  isForOther,
  isSettled,
  type OurRecord,
  readMerged,
  type ReviewRecords,
} from './record/find.ts';
import { openCatalog, type Step } from './step.ts';

/** Without a revision, every difference counts as a change of the files. */
type PlanBase = {
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
    const isMerge = pullRequest && findCommit('HEAD^2', repository) === pullRequest.headSha;
    const parent = isMerge ? findCommit('HEAD^1', repository) : undefined;
    const known = parent ?? findCommit(pull.baseSha, repository);
    const revision = known ?? (queued && findCommit('HEAD^1', repository));
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
async function readPending(step: Step): Promise<PendingAt> {
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

/** Rules are undefined where they are those of the checked-out files. */
export type PlanPolicy = {
  readonly rules?: ConfiguredRules | undefined;
  readonly problem?: Diagnostic;
  /** Absent where the base, or its policy, can't be read. */
  readonly base?: BasePolicy;
  /** The other of two policies that differ, by which a plan is made too. */
  readonly other?: { readonly rules: ConfiguredRules | undefined };
};

/** Plans by the policy that judges; where the pull request changes it, by the other one too. */
export async function planByPolicy(step: Step, base: PlanBase) {
  const policy = choosePolicy(step, base);
  let waiting: Promise<PendingAt> | undefined;
  // Read once, so that an apply meanwhile can't make the two plans differ.
  const compared = { ...base, readPending: async () => (waiting ??= readPending(step)) };
  const session = await openCatalog(step, { ...compared, rules: policy.rules });
  const planned = await planNow(session);
  if (!policy.problem || !policy.other) return { session, planned, policy };
  const other = await openCatalog(step, { ...compared, ...policy.other, earlier: session });
  const byOther = await planNow(other);
  const problem = comparePolicies(policy.problem, step.inputs.policy, planned, byOther);
  return { session, planned, policy: { ...policy, problem } };
}

function choosePolicy(step: Step, { revision, problem }: PlanBase): PlanPolicy {
  const { inputs, run } = step;
  if (!run.pullRequest && !run.queued) return {};
  if (revision === undefined) {
    if (inputs.policy !== 'base') return {};
    const message = "The policy of the base can't be used: this clone doesn't have the base.";
    throw new ConfigError('no-such-revision', message, { hint: problem?.hint });
  }
  const base = readPolicy(step, revision);
  if ('problem' in base) return base;
  const isOwn = inputs.policy === 'head';
  const rules = isOwn ? undefined : base.rules;
  if (base.changed.length === 0) return { rules, base };
  const changed = changedPolicy(base);
  if (inputs.policy === undefined && isFirst(step, base)) {
    const hint = 'It judges this plan, since the base has neither a policy nor contracts.';
    return { problem: { ...changed, hint }, base };
  }
  return { rules, problem: changed, base, other: { rules: isOwn ? base.rules : undefined } };
}

function isFirst(step: Step, { commit, hasFile }: BasePolicy): boolean {
  if (hasFile) return false;
  const { folder, root, paths, inputs } = step;
  const { config, environment: env } = inputs;
  const { include, exclude } = resolveFileSettings({ config, env }, {}, root);
  const now = { root, include, exclude, named: paths };
  const top = foldersUpwards(folder).at(-1) ?? folder;
  // Its own `contracts` could leave out what the base has.
  const before = { root: folder, include: defaultInclude, exclude: [], named: inputs.paths };
  const selections = [now, before].map((selection) => {
    const isContract = selectNames(selection);
    return (file: string) => isContract(withSlashes(relative(selection.root, join(top, file))));
  });
  const isSelected = ({ file }: { readonly file: string }) => selections.some((has) => has(file));
  return readCommit(commit, openRepository(top), isSelected).length === 0;
}

// Returns a problem where it can, so that a change that repairs the policy can be planned.
function readPolicy(step: Step, revision: string): BasePolicy | { readonly problem: Diagnostic } {
  const { folder, root, repository, inputs } = step;
  const { config, environment: env } = inputs;
  try {
    return readBasePolicy(revision, { folder, root, repository, config, env });
  } catch (error) {
    if (inputs.policy === 'base' || !(error instanceof SyncError)) throw error;
    const message = `Whether this pull request changes the policy that judges it is unknown: the policy of the base can't be read: ${error.message}`;
    return { problem: { code: 'policy-unknown', severity: 'warning', message } };
  }
}

function changedPolicy({ changed, source }: BasePolicy): Diagnostic {
  const looser = changed.filter(({ loosens }) => loosens).map(changeText);
  const others = changed.filter(({ loosens }) => !loosens).map(changeText);
  const sentences = [
    ...(looser.length > 0 ? [`loosens its own checks: ${looser.join(', ')}`] : []),
    ...(others.length > 0 ? [`changes the policy: ${others.join(', ')}`] : []),
  ];
  return {
    code: 'policy-changed',
    severity: 'warning',
    message: `This pull request ${sentences.join('. It also ')}.`,
    ...defined({ source }),
  };
}

export function changeText({ setting, before, after }: PolicyChange): string {
  return `\`${setting}\` ${valueText(before)} → ${valueText(after)}`;
}

// UTF-16 code units.
const longestValue = 80;

function valueText(value: JsonValue | undefined): string {
  if (value === undefined || (isArray(value) && value.length === 0)) return 'none';
  if (isArray(value)) return clip(value.map(valueText).join(', '), longestValue);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function comparePolicies(
  { source, ...problem }: Diagnostic,
  judge: Inputs['policy'],
  plan: Plan,
  byOther: Plan,
): Diagnostic {
  const other = planVerdict(byOther);
  if (judge === 'head') {
    const hint = `The changed policy judges this plan. By that of the base, it is "${other}". To be judged by it, set the input \`policy: base\`.`;
    return { ...problem, hint, ...defined({ source }) };
  }
  const isSame =
    plan.planHash === byOther.planHash &&
    plan.errored === byOther.errored &&
    planVerdict(plan) === other;
  if (isSame) {
    const hint = 'The policy of the base judges this plan; by the changed one it is the same.';
    return { ...problem, hint, ...defined({ source }) };
  }
  // The apply after the merge goes by the changed policy, so both must give the same plan.
  const hint = `The policy of the base judges this plan; by the changed one, which the apply goes by, it is another, "${other}". Make two pull requests of this one: merge the policy first for what it allows, last for what it forbids.`;
  return { ...problem, severity: 'error', hint };
}
