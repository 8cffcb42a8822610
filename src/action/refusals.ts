/** Problems of changes that are not sent because nobody has reviewed them. */

import { type Diagnostic, sortDiagnostics } from '../core/diagnostic.ts';
import { planHash } from '../plan/change.ts';
import { type ContractPlan, type Plan, plannedChanges } from '../plan/plan.ts';
import type { RefusedChange } from '../review/decide.ts';
import { applyWorkflowBeside } from './event.ts';
import { mostMerged, type ReviewRecords, whyNotApproved } from './records.ts';
import { type Approval, isByHash } from './review.ts';
import type { Step } from './step.ts';

export function withRefusals(approval: Approval, records: ReviewRecords, step: Step) {
  const { fresh, refused, comparison } = approval;
  const unsent = refused.flatMap((each) => (each.kind === 'not-reviewed' ? [each.change] : []));
  const way = wayOut(step, step.inputs.command === 'apply' ? unsent : fresh.contracts);
  const whole = fresh.diagnostics.map((problem) =>
    problem.code === 'plan-changed' ? { ...problem, hint: wayOut(step, fresh.contracts) } : problem,
  );
  const reason =
    isByHash(step) || step.inputs.autoApprove ? undefined : whyNothingApproves(records, step);
  const problems = [
    ...refusalProblems(refused, reason, way),
    ...(isByHash(step) ? [] : [...otherPaths(records, fresh), ...unknownMerges(records, way)]),
  ];
  const diagnostics = sortDiagnostics([...whole, ...problems]);
  return { plan: { ...fresh, diagnostics }, comparison };
}

function refusalProblems(
  refused: readonly RefusedChange[],
  reason: string | undefined,
  way: string,
): Diagnostic[] {
  const problem = (
    code: string,
    words: string,
    hint: string,
    isMeant: (refusal: RefusedChange) => boolean,
  ): Diagnostic[] => {
    const meant = refused.filter(isMeant);
    if (meant.length === 0) return [];
    return [{ code, severity: 'error', message: `${words}: ${namesOf(meant)}.`, hint }];
  };
  const nobody = reason === undefined ? 'Nobody' : `${reason} So nobody`;
  return [
    ...problem(
      'plan-changed',
      'The plan is not the one that was reviewed',
      way,
      (refusal) => refusal.kind === 'not-reviewed' && refusal.isKnown,
    ),
    ...problem(
      'plan-not-reviewed',
      `${nobody} has reviewed these changes`,
      way,
      (refusal) => refusal.kind === 'not-reviewed' && !refusal.isKnown,
    ),
    ...problem(
      'plan-not-found',
      "Changes of the reviewed plan can't be found now",
      `Check what the token can see, the inputs \`paths\` and \`working-directory\`, and whether the contract was deleted. If you mean it: ${way}`,
      ({ kind }) => kind === 'not-found',
    ),
  ];
}

const mostNames = 5;

function namesOf(refused: readonly RefusedChange[]): string {
  const names = refused.slice(0, mostNames).map(({ change }) => {
    const id = 'id' in change ? change.id : undefined;
    return change.fullyQualifiedName ?? id ?? `the change ${change.fingerprint}`;
  });
  const rest = refused.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

// Undefined where a comment approves.
function whyNothingApproves({ own }: ReviewRecords, { run, github }: Step): string | undefined {
  if (!github) return "Without `github-token`, the reviewed plan can't be read.";
  return own ? whyNotApproved(own) : `No merged pull request made the commit ${run.sha}.`;
}

// Without this, a run that reads none of the planned files would succeed and do nothing.
function otherPaths({ own }: ReviewRecords, fresh: Plan): Diagnostic[] {
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

// A review too old to be found can't be told from a missing one.
function unknownMerges({ isWhole }: ReviewRecords, way: string): Diagnostic[] {
  if (isWhole) return [];
  const message = `More pull requests were merged since the last complete apply than the ${mostMerged} that can be looked at.`;
  const hint = `Check the plan in the summary: it may lack what the others ask for. ${way}`;
  return [{ code: 'plan-not-found', severity: 'error', message, hint }];
}

function wayOut({ run, inputs }: Step, contracts: readonly ContractPlan[]): string {
  const workflow = inputs.command === 'apply' ? run.workflow : applyWorkflowBeside(run.workflow);
  const drift = inputs.drift === undefined ? '' : ` -f drift=${inputs.drift}`;
  const command = `gh workflow run ${workflow}${drift} -f expect-hash=${planHash(contracts, inputs.environment)}`;
  return `To apply the plan as it is now, run \`${command}\`.`;
}
