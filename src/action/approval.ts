/** What of a fresh plan was reviewed, change by change. */

import type { Diagnostic } from '../core/diagnostic.ts';
import { hasChangedSince } from '../files/find/history.ts';
import { fingerprintOf, planHash } from '../plan/fingerprint.ts';
import { makePlan } from '../plan/make.ts';
import {
  type ContractPlan,
  type CreatePlan,
  type Plan,
  plannedChanges,
  type UpdatePlan,
  updates,
} from '../plan/plan.ts';
import { type Comparison, comparePlans } from '../review/compare.ts';
import {
  decideChanges,
  type Decision,
  type RefusedChange,
  type ReviewedChange,
} from '../review/decide.ts';
import { contractMark } from './comment-header.ts';
import { unpackPlan } from './packed-plan.ts';
import {
  type ApprovingRecord,
  approvingHeaders,
  pendingChanges,
  type ReviewRecords,
  whyNotApproved,
} from './records.ts';
import type { Step } from './step.ts';

/** What may be sent, and how the rest differs from what was reviewed. */
export type Approval = Decision & { readonly comparison?: Comparison };

/** Holds a plan against the comments that have not been applied yet. */
export function decideByComments(fresh: Plan, records: ReviewRecords, step: Step): Approval {
  const approvals = approvingHeaders(records).map((record) => readApproval(record, fresh));
  const reviewed = approvals.flatMap(({ changes }) => changes);
  const decision = decideChanges(fresh, [...reviewed, ...together(approvals)]);
  const refused = decision.refused.filter((refusal) => !isSuperseded(refusal, approvals, step));
  const comparison = compareRefused(refused, approvals, fresh);
  return { ...decision, refused, ...(comparison && { comparison }) };
}

/** A comment's approval, with the names of contracts where they are known. */
type CommentApproval = {
  readonly record: ApprovingRecord;
  readonly changes: readonly ReviewedChange[];
  /** The changes of its plan that are not spent, where there was room for them. */
  readonly plan?: Plan;
};

function readApproval(record: ApprovingRecord, fresh: Plan): CommentApproval {
  const { header } = record;
  const { planHash: hash = '', plan: packed, changes } = header;
  const plan = packed === undefined ? undefined : unpackPlan(packed, fresh.catalogUrl, hash);
  if (!changes) return { record, changes: approveByHash(record, fresh) };
  const pending = pendingChanges(header);
  const shown = plan && plannedChanges(plan);
  const named = marksOf(fresh);
  const reviewed = pending.map(({ fingerprint, contract }): ReviewedChange => {
    const known = shown?.find((change) => change.fingerprint.startsWith(fingerprint));
    return { fingerprint, ...nameOf(known ?? named.get(contract)) };
  });
  const isPending = (change: { readonly fingerprint: string }) =>
    pending.some(({ fingerprint }) => change.fingerprint.startsWith(fingerprint));
  return {
    record,
    changes: reviewed,
    ...(shown && { plan: makePlan(fresh.catalogUrl, shown.filter(isPending), []) }),
  };
}

/** A plan too large to be recorded change by change is the same as a whole, or not reviewed. */
function approveByHash({ header }: ApprovingRecord, fresh: Plan): readonly ReviewedChange[] {
  const { planHash: hash = '', applied } = header;
  if (hash === fresh.planHash) return plannedChanges(fresh);
  return applied === undefined && hash !== planHash([]) ? [{ fingerprint: hash }] : [];
}

type Named = { readonly id?: string; readonly fullyQualifiedName?: string };

function nameOf({ id, fullyQualifiedName }: Named = {}): Named {
  return {
    ...(id !== undefined && { id }),
    ...(fullyQualifiedName !== undefined && { fullyQualifiedName }),
  };
}

function marksOf({ contracts }: Plan): ReadonlyMap<string, Named> {
  const named: readonly Named[] = contracts;
  return new Map(
    named.flatMap((contract) =>
      [contract.id, contract.fullyQualifiedName]
        .filter((name) => name !== undefined)
        .map((name) => [contractMark(name), contract] as const),
    ),
  );
}

/** Two pull requests that touch one contract at different places have both been reviewed. */
function together(approvals: readonly CommentApproval[]): ReviewedChange[] {
  const shown = approvals.flatMap(({ plan }) => (plan ? updates(plan) : []));
  return [...Map.groupBy(shown, ({ id }) => id)].flatMap(([id, changes]) => {
    const differences = changes.flatMap((change) => change.differences);
    const places = new Set(differences.map(({ place }) => place));
    if (changes.length < 2 || places.size < differences.length) return [];
    return [{ ...nameOf(changes[0]), fingerprint: fingerprintOf(id, differences) }];
  });
}

/** Whether a later commit has changed or removed the file of what can't be found. */
function isSuperseded(
  { kind, change }: RefusedChange,
  approvals: readonly CommentApproval[],
  { root }: Step,
): boolean {
  if (kind !== 'not-found') return false;
  return approvals.some(({ plan, record }) => {
    const shown = plan && plannedChanges(plan).find((one) => isSame(one, change));
    const { mergeSha } = record.pull;
    if (!shown || mergeSha === undefined) return false;
    return hasChangedSince(mergeSha, shown.source.file, root);
  });
}

function isSame(one: Named, other: Named): boolean {
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  return one.fullyQualifiedName === other.fullyQualifiedName;
}

/** Place by place, for the contracts that are not sent. */
function compareRefused(
  refused: readonly RefusedChange[],
  approvals: readonly CommentApproval[],
  fresh: Plan,
): Comparison | undefined {
  const shown = approvals.flatMap(({ plan }) => (plan ? updates(plan) : []));
  const wanted = new Set(refused.map(({ change }) => ('id' in change ? change.id : undefined)));
  const isWanted = ({ id }: UpdatePlan) => wanted.has(id);
  const [before, after] = [shown, updates(fresh)].map((changes) =>
    makePlan(fresh.catalogUrl, changes.filter(isWanted), []),
  );
  if (!before || !after || refused.length === 0 || shown.length === 0) return undefined;
  return comparePlans(before, after);
}

type RefusalOptions = {
  /** Why nothing was found that approves, if so. */
  readonly reason: string | undefined;
  /** What lets the refused changes be applied after all. */
  readonly wayOut: string;
};

/** What is to be said of changes that are not sent. */
export function refusalProblems(
  refused: readonly RefusedChange[],
  { reason, wayOut }: RefusalOptions,
): Diagnostic[] {
  const named = (wanted: (refusal: RefusedChange) => boolean): string | undefined =>
    namesOf(refused.filter(wanted));
  const changed = named((refusal) => refusal.kind === 'not-reviewed' && refusal.isKnown);
  const unseen = named((refusal) => refusal.kind === 'not-reviewed' && !refusal.isKnown);
  const lost = named(({ kind }) => kind === 'not-found');
  const said = reason === undefined ? '' : `${reason} So nobody`;
  return [
    ...problem(changed, 'plan-changed', 'The plan is not the one that was reviewed', wayOut),
    ...problem(
      unseen,
      'plan-not-reviewed',
      `${said || 'Nobody'} has reviewed these changes`,
      wayOut,
    ),
    ...problem(
      lost,
      'plan-not-found',
      "The reviewed plan changes what can't be found now",
      `Look at what the token may see, at the inputs \`paths\` and \`working-directory\`, and whether the contract was deleted. If that is meant: ${wayOut}`,
    ),
  ];
}

function problem(
  names: string | undefined,
  code: string,
  words: string,
  hint: string,
): Diagnostic[] {
  if (names === undefined) return [];
  return [{ code, severity: 'error', message: `${words}: ${names}.`, hint }];
}

const mostNames = 5;

function namesOf(refused: readonly RefusedChange[]): string | undefined {
  if (refused.length === 0) return undefined;
  const names = refused.slice(0, mostNames).map(({ change }) => labelOf(change));
  const rest = refused.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

function labelOf(change: Named & { readonly fingerprint: string }): string {
  return change.fullyQualifiedName ?? change.id ?? `the change ${change.fingerprint}`;
}

/** Why nothing approves the changes of this run; undefined where a comment does. */
export function whyNothingApproves(
  { own }: ReviewRecords,
  { run, github }: Step,
): string | undefined {
  if (!github) return 'There is no `github-token` to read the reviewed plan with.';
  return own ? whyNotApproved(own) : `No merged pull request made the commit ${run.sha}.`;
}

/** A pull request with changes that this run reads no files of: it would be green, and nothing done. */
export function otherPaths({ own }: ReviewRecords, fresh: Plan): Diagnostic[] {
  if (!own?.besides || own.comment || plannedChanges(fresh).length > 0) return [];
  return [
    {
      code: 'plan-not-found',
      severity: 'error',
      message: `The plan of pull request ${own.pull.number} was made with other \`paths\`, so nothing of it is found here.`,
      hint: 'Give `plan` and `apply` the same `paths`; two steps of one folder need a `config` each.',
    },
  ];
}

/** The changes that nobody has reviewed. */
export function changesOf(refused: readonly RefusedChange[]): (UpdatePlan | CreatePlan)[] {
  return refused.flatMap((refusal) => (refusal.kind === 'not-reviewed' ? [refusal.change] : []));
}

/** The command that applies changes which were reviewed in the log or the summary. */
export function wayOut({ run, inputs }: Step, contracts: readonly ContractPlan[]): string {
  const workflow = inputs.command === 'apply' ? run.workflow : 'apply.yml';
  const drift = inputs.drift === undefined ? '' : ` -f drift=${inputs.drift}`;
  const command = `gh workflow run ${workflow}${drift} -f expect-hash=${planHash(contracts)}`;
  return `To apply the plan as it is now, run \`${command}\`.`;
}
