/** What is to be said of changes that are not sent, since nobody has reviewed them. */

import type { Diagnostic } from '../core/diagnostic.ts';
import { planHash } from '../plan/fingerprint.ts';
import {
  type ContractPlan,
  type CreatePlan,
  type Plan,
  plannedChanges,
  type UpdatePlan,
} from '../plan/plan.ts';
import type { RefusedChange } from '../review/decide.ts';
import type { ReviewedChange } from '../review/reviewed.ts';
import { applyWorkflowBeside } from './event.ts';
import { type ReviewRecords, whyNotApproved } from './records.ts';
import type { Step } from './step.ts';

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
      "Changes of the reviewed plan can't be found now",
      `Check what the token can see, the inputs \`paths\` and \`working-directory\`, and whether the contract was deleted. If you mean it: ${wayOut}`,
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

function labelOf(change: ReviewedChange): string {
  return change.fullyQualifiedName ?? change.id ?? `the change ${change.fingerprint}`;
}

/** Why nothing approves the changes of this run; undefined where a comment does. */
export function whyNothingApproves(
  { own }: ReviewRecords,
  { run, github }: Step,
): string | undefined {
  if (!github) return "Without `github-token`, the reviewed plan can't be read.";
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
  const workflow = inputs.command === 'apply' ? run.workflow : applyWorkflowBeside(run.workflow);
  const drift = inputs.drift === undefined ? '' : ` -f drift=${inputs.drift}`;
  const command = `gh workflow run ${workflow}${drift} -f expect-hash=${planHash(contracts, inputs.environment)}`;
  return `To apply the plan as it is now, run \`${command}\`.`;
}
