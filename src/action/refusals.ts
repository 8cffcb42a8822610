/** Problems of changes that are not sent because nobody has reviewed them. */

import { type Diagnostic, sortDiagnostics } from '../core/diagnostic.ts';
import type { Outcomes } from '../apply/outcome.ts';
import { planHash } from '../plan/change.ts';
import { type Plan, plannedChanges } from '../plan/plan.ts';
import type { RefusedChange } from '../review/decide.ts';
import { applyWorkflowBeside, commandToApply } from './event.ts';
import { mostMerged, type ReviewRecords, whyNotApproved } from './records.ts';
import { type Approval, isByHash } from './review.ts';
import { isOfReview } from './result.ts';
import type { Step } from './step.ts';

export function withRefusals(approval: Approval, records: ReviewRecords, step: Step) {
  const { fresh, refused, comparison } = approval;
  const whole = fresh.diagnostics.map(({ hint, ...problem }) =>
    isOfReview(problem) || hint === undefined ? problem : { ...problem, hint },
  );
  const reason =
    isByHash(step) || step.inputs.autoApprove ? undefined : whyNothingApproves(records, step);
  const problems = [
    ...refusalProblems(refused, reason),
    ...(isByHash(step) ? [] : [...otherPaths(records, fresh), ...unknownMerges(records)]),
  ];
  const diagnostics = sortDiagnostics([...whole, ...problems]);
  return { plan: { ...fresh, diagnostics }, comparison };
}

function refusalProblems(
  refused: readonly RefusedChange[],
  reason: string | undefined,
): Diagnostic[] {
  const problem = (
    code: string,
    words: string,
    isMeant: (refusal: RefusedChange) => boolean,
    hint?: string,
  ): Diagnostic[] => {
    const meant = refused.filter(isMeant);
    if (meant.length === 0) return [];
    const message = `${words}: ${namesOf(meant)}.`;
    return [
      { code, severity: 'error', scope: 'plan', message, ...(hint !== undefined && { hint }) },
    ];
  };
  const nobody = reason === undefined ? 'Nobody' : `${reason} So nobody`;
  return [
    ...problem(
      'plan-changed',
      'The plan is not the one that was reviewed',
      (refusal) => refusal.kind === 'not-reviewed' && refusal.isKnown,
    ),
    ...problem(
      'plan-not-reviewed',
      `${nobody} has reviewed these changes`,
      (refusal) => refusal.kind === 'not-reviewed' && !refusal.isKnown,
    ),
    ...problem(
      'plan-not-found',
      "Changes of the reviewed plan can't be found now",
      ({ kind }) => kind === 'not-found',
      'Check what the token can see, the inputs `paths` and `working-directory`, and whether the contract was deleted.',
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
      scope: 'plan',
      message: `The plan of pull request ${own.pull.number} was made with other \`paths\`, so nothing of it is found here.`,
      hint: 'Give `plan` and `apply` the same `paths`; two steps of one folder need a `config` each.',
    },
  ];
}

// A review too old to be found can't be told from a missing one.
function unknownMerges({ isWhole }: ReviewRecords): Diagnostic[] {
  if (isWhole) return [];
  const message = `More pull requests were merged since the last complete apply than the ${mostMerged} that can be looked at.`;
  const hint = 'Check the plan in the summary: it may lack what the others ask for.';
  return [{ code: 'plan-not-found', severity: 'error', scope: 'plan', message, hint }];
}

/**
 * A command that approves, by its hash, all that the next run would do: what was not sent and what
 * did not land. Undefined where everything was reviewed.
 */
export function findWayOut(step: Step, plan: Plan, applied?: Outcomes): string | undefined {
  if (!plan.diagnostics.some(isOfReview)) return undefined;
  const { run, inputs } = step;
  const landed = new Set(
    (applied?.outcomes ?? [])
      .filter(({ result }) => result === 'applied' || result === 'unchanged')
      .flatMap(({ id, fullyQualifiedName }) => [id, fullyQualifiedName]),
  );
  const rest = plannedChanges(plan).filter(
    (change) => !landed.has('id' in change ? change.id : change.fullyQualifiedName),
  );
  const workflow = inputs.command === 'apply' ? run.workflow : applyWorkflowBeside(run.workflow);
  const hash = planHash(rest, inputs.environment);
  return commandToApply(workflow, run.branch, { drift: inputs.drift, hash });
}
