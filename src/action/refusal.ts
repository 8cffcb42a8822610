/** What the review refuses: why, in whose words, and the command that applies it all the same. */

import { hasLanded, type Outcome, type Outcomes } from '../apply/outcome.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostic.ts';
import { canonicalJson, defined } from '../core/json.ts';
import { clip, listFirst } from '../core/text.ts';
import type { Difference } from '../patch/describe.ts';
import { planHash } from '../plan/seal.ts';
import { heldChanges, type Plan, plannedChanges } from '../plan/plan.ts';
import type { DriftRule } from '../plan/rules.ts';
import type { BlockOf } from '../report/blocks.ts';
import { labelOfPlace } from '../report/lists.ts';
import { wayToLift } from '../review/agreement.ts';
import type { Comparison, ContractComparison, RefusedChange } from '../review/compare.ts';
import { applyWorkflowBeside, commandToApply } from './event.ts';
import { marksOf, pendingChanges } from './record/comment.ts';
import { mostMerged, type ReviewRecords } from './record/find.ts';
import { isOfReview, keyOf } from './result.ts';
import { type Approval, isByHash } from './review.ts';
import type { Step } from './step.ts';

/** The plan with what the review says of it. */
export function withRefusals(approval: Approval, records: ReviewRecords, step: Step): Plan {
  const { fresh, refused } = approval;
  const { own, isWhole } = records;
  const isFree = isByHash(step) || step.inputs.autoApprove;
  const reason = isFree ? undefined : whyNothingApproves(refused, records, step);
  const problems = refusalProblems(refused, reason, own?.other !== undefined);
  const notFound = { code: 'not-found', severity: 'error', scope: 'plan' } as const;
  // Otherwise a run that reads none of the planned files would succeed and do nothing.
  const isOfOtherPaths =
    own?.other?.differing.join() === 'paths' &&
    pendingChanges(own.other.header.changes).length > 0 &&
    plannedChanges(fresh).length === 0;
  if (isOfOtherPaths && !isByHash(step)) {
    const message = `${own.refusal} Nothing of it is found here.`;
    const hint =
      'Give `plan` and `apply` the same `paths`; two steps of one folder need a `config` each.';
    problems.push({ ...notFound, message, hint });
  }
  // A review too old to be found can't be told from a missing one.
  if (!isWhole && !isByHash(step)) {
    const message = `More pull requests were merged since the last complete apply than the ${mostMerged} that can be looked at.`;
    const hint = 'Check the plan in the summary: it may lack what the others ask for.';
    problems.push({ ...notFound, message, hint });
  }
  return { ...fresh, diagnostics: sortDiagnostics([...fresh.diagnostics, ...problems]) };
}

function refusalProblems(
  refused: readonly RefusedChange[],
  reason: string | undefined,
  isOfOtherInputs: boolean,
): Diagnostic[] {
  const groups = Map.groupBy(refused, (refusal) => {
    if (refusal.kind === 'not-found') return 'not-found';
    return refusal.isKnown ? 'changed' : 'not-reviewed';
  });
  return [...groups].map(([kind, group]): Diagnostic => {
    const all = group.map(({ change }) => {
      const id = 'id' in change ? change.id : undefined;
      return change.fullyQualifiedName ?? id ?? `the change ${change.fingerprint}`;
    });
    const names = listFirst(all, mostNames);
    const problem = { severity: 'error', scope: 'plan' } as const;
    switch (kind) {
      case 'changed':
        return { ...problem, code: 'plan-changed', message: `${names} changed after the review.` };
      case 'not-reviewed': {
        const message = `No review approves these changes: ${names}.`;
        const whole = reason === undefined ? message : `${reason} ${message}`;
        const hint = isOfOtherInputs ? sameInputs : undefined;
        return { ...problem, code: 'not-reviewed', message: whole, ...defined({ hint }) };
      }
      case 'not-found':
        return {
          ...problem,
          code: 'not-found',
          message: `Changes of the reviewed plan can't be found now: ${names}.`,
          hint: 'Check what the token can see, the inputs `paths` and `working-directory`, and whether the contract was deleted.',
        };
    }
  });
}

const sameInputs = 'Give both workflows the same: the next run then applies what was reviewed.';

const mostNames = 5;

function whyNothingApproves(
  refused: readonly RefusedChange[],
  { own, all }: ReviewRecords,
  { run, github }: Step,
): string | undefined {
  if (!github) return "Without `github-token`, the reviewed plan can't be read.";
  if (own?.refusal !== undefined) return own.refusal;
  const marks = new Set(refused.flatMap(({ change }) => marksOf(change)));
  const showing = all.find(({ comment, refusal }) => {
    if (!comment || refusal === undefined) return false;
    // A comment that is not whole may have shown any of them.
    if (comment.header.parts > 1) return true;
    return pendingChanges(comment.changes).some(({ contract }) => marks.has(contract));
  });
  if (showing || own) return showing?.refusal;
  return `GitHub knows of no merged pull request for the commit ${run.sha.slice(0, 7)}.`;
}

type Judged = {
  readonly plan: Plan;
  readonly comparison?: Comparison | undefined;
  readonly outcomes?: Outcomes;
};

/**
 * A command that approves, by its hash, all that the next run would do: what was not sent and what
 * did not land. Undefined where everything was reviewed, and where a plan of ours with other inputs
 * was, which is no review of this one.
 */
export function findWayOut(
  step: Step,
  rule: DriftRule,
  records: ReviewRecords,
  { plan, comparison, outcomes }: Judged,
): BlockOf<'command'> | undefined {
  const { run, inputs } = step;
  if (!plan.diagnostics.some(isOfReview) || records.own?.other?.isOurs) return undefined;
  const landed = new Set(
    (outcomes?.outcomes ?? [])
      .filter(hasLanded)
      .flatMap(({ id, fullyQualifiedName }) => [id, fullyQualifiedName]),
  );
  const rest = plannedChanges(plan).filter((change) => !landed.has(keyOf(change)));
  if (isByHash(step) && rest.length === 0) return undefined;
  const workflow = inputs.command === 'apply' ? run.workflow : applyWorkflowBeside(run.workflow);
  const hash = planHash(rest, inputs.environment);
  // `leave` is the default, and a workflow without this input refuses it.
  const drift = rule === 'leave' ? inputs.drift : rule;
  const edits = (comparison?.contracts ?? []).flatMap(editsIn).map(({ place, before }) => {
    const value = before === undefined ? '(removed)' : clip(JSON.stringify(before), longestValue);
    return `${labelOfPlace(place)} ${value}`;
  });
  const loss = edits.length === 0 ? '' : ` and overwrite ${listFirst(edits, mostNames)}`;
  return {
    kind: 'command',
    lead: `To apply it anyway${loss}:`,
    language: 'sh',
    command: commandToApply(workflow, run.branch, drift, hash),
  };
}

export function explainUnsent(
  outcomes: Outcomes,
  { fresh, comparison }: Approval,
  { own }: ReviewRecords,
): Outcomes {
  const compared = new Map(comparison?.contracts.map((each) => [keyOf(each), each]));
  const planned = new Map(plannedChanges(fresh).map((each) => [keyOf(each), each.changes]));
  const explained = outcomes.outcomes.map((outcome): Outcome => {
    const contract = compared.get(keyOf(outcome));
    const places = contract ? editsIn(contract).map(({ place }) => place) : [];
    const hint = nextStep(outcome, fresh, own?.other?.isOurs === true);
    const error = outcome.error && { ...outcome.error, ...defined({ hint }) };
    if (outcome.result !== 'not-reviewed' || !error || places.length === 0)
      return { ...outcome, ...defined({ error }) };
    const changes = planned.get(keyOf(outcome)) ?? [];
    const users = changes.flatMap(({ place, blame }) =>
      places.includes(place) && blame?.user !== undefined ? [blame.user] : [],
    );
    const names = places.map((place) => `\`${labelOfPlace(place)}\``).join(', ');
    const verb = places.length === 1 ? 'was' : 'were';
    const by = users.length > 0 ? ` (by ${[...new Set(users)].join(', ')})` : '';
    const message = `Not applied: ${names} ${verb} edited in the catalog after the review${by}.`;
    return { ...outcome, error: { ...error, message } };
  });
  return { ...outcomes, outcomes: explained };
}

// After the merge there is no new plan to review.
function nextStep(outcome: Outcome, plan: Plan, isOfOtherInputs: boolean): string | undefined {
  switch (outcome.result) {
    case 'not-reviewed':
      if (isOfOtherInputs) return sameInputs;
      return 'To apply it as it is now, run the command `gh workflow run …` that stands below.';
    case 'stale':
      // A contract that wasn't seen is gone.
      if (outcome.versionAfter === undefined) return undefined;
      return 'Run the job again: it sends what is still as the pull request showed it.';
    case 'held': {
      const held = heldChanges(plan).find((change) => keyOf(change) === keyOf(outcome));
      return held && wayToLift([held], true);
    }
    default:
      return undefined;
  }
}

// UTF-16 code units.
const longestValue = 80;

function editsIn({ differences }: ContractComparison): Difference[] {
  return differences.flatMap((each) => {
    if (each.kind !== 'changed') return [];
    const then = canonicalJson(each.approved.before ?? null);
    const now = canonicalJson(each.difference.before ?? null);
    return then === now ? [] : [each.difference];
  });
}
