import { type Diagnostic, sortDiagnostics } from '../core/diagnostic.ts';
import type { Outcome, Outcomes } from '../apply/outcome.ts';
import { contractLabel } from '../contract/identity.ts';
import { canonicalJson } from '../core/json.ts';
import { clip, listFirst } from '../core/text.ts';
import type { Difference } from '../patch/describe.ts';
import { planHash } from '../plan/change.ts';
import { type Plan, plannedChanges } from '../plan/plan.ts';
import type { DriftRule } from '../plan/rules.ts';
import type { BlockOf } from '../report/blocks.ts';
import { labelOfPlace } from '../report/lists.ts';
import type { Comparison, ContractComparison, RefusedChange } from '../review/compare.ts';
import { marksOf, pendingChanges } from './comment.ts';
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
  const isFree = isByHash(step) || step.inputs.autoApprove;
  const reason = isFree ? undefined : whyNothingApproves(refused, records, step);
  const problems = [
    ...refusalProblems(refused, reason, records.own?.other && sameInputs),
    ...(isByHash(step) ? [] : [...otherPaths(records, fresh), ...unknownMerges(records)]),
  ];
  const diagnostics = sortDiagnostics([...whole, ...problems]);
  return { plan: { ...fresh, diagnostics }, comparison };
}

const sameInputs = 'Give both workflows the same: the next run then applies what was reviewed.';

function refusalProblems(
  refused: readonly RefusedChange[],
  reason: string | undefined,
  hint: string | undefined,
) {
  const nobody = reason === undefined ? 'Nobody' : `${reason} So nobody`;
  const groups = Map.groupBy(refused, (refusal) => {
    if (refusal.kind === 'not-found') return 'not-found';
    return refusal.isKnown ? 'plan-changed' : 'not-reviewed';
  });
  return [...groups].map(([code, group]): Diagnostic => {
    const all = group.map(({ change }) => {
      const id = 'id' in change ? change.id : undefined;
      return change.fullyQualifiedName ?? id ?? `the change ${change.fingerprint}`;
    });
    const names = listFirst(all, mostNames);
    const words = {
      'plan-changed': { message: `${names} changed after the review.` },
      'not-reviewed': {
        message: `${nobody} has reviewed these changes: ${names}.`,
        ...(hint !== undefined && { hint }),
      },
      'not-found': {
        message: `Changes of the reviewed plan can't be found now: ${names}.`,
        hint: 'Check what the token can see, the inputs `paths` and `working-directory`, and whether the contract was deleted.',
      },
    }[code];
    return { code, severity: 'error', scope: 'plan', ...words };
  });
}

const mostNames = 5;

function whyNothingApproves(
  refused: readonly RefusedChange[],
  { own, all }: ReviewRecords,
  { run, github }: Step,
): string | undefined {
  if (!github) return "Without `github-token`, the reviewed plan can't be read.";
  const marks = new Set(refused.flatMap(({ change }) => marksOf(change)));
  // A comment that is not whole may have shown any of them.
  const showing = all.filter(
    ({ comment }) =>
      comment &&
      (comment.header.parts > 1 ||
        pendingChanges(comment).some(({ contract }) => marks.has(contract))),
  );
  const [reason] = [...(own ? [own] : []), ...showing].flatMap(
    (each) => whyNotApproved(each) ?? [],
  );
  if (reason !== undefined || own) return reason;
  return `GitHub knows of no merged pull request for the commit ${run.sha.slice(0, 7)}.`;
}

// Without this, a run that reads none of the planned files would succeed and do nothing.
function otherPaths({ own }: ReviewRecords, fresh: Plan): Diagnostic[] {
  const { comment, differing = [] } = own?.other ?? {};
  const isOther = differing.join() === 'paths';
  if (!own || !isOther || !comment || plannedChanges(fresh).length > 0) return [];
  if (pendingChanges(comment.header).length === 0) return [];
  const message = `${whyNotApproved(own)} Nothing of it is found here.`;
  const hint =
    'Give `plan` and `apply` the same `paths`; two steps of one folder need a `config` each.';
  return [{ code: 'not-found', severity: 'error', scope: 'plan', message, hint }];
}

// A review too old to be found can't be told from a missing one.
function unknownMerges({ isWhole }: ReviewRecords): Diagnostic[] {
  if (isWhole) return [];
  const message = `More pull requests were merged since the last complete apply than the ${mostMerged} that can be looked at.`;
  const hint = 'Check the plan in the summary: it may lack what the others ask for.';
  return [{ code: 'not-found', severity: 'error', scope: 'plan', message, hint }];
}

/**
 * A command that approves, by its hash, all that the next run would do: what was not sent and what
 * did not land. Undefined where everything was reviewed.
 */
export function findWayOut(
  step: Step,
  rule: DriftRule,
  { plan, comparison }: { readonly plan: Plan; readonly comparison?: Comparison | undefined },
  applied?: Outcomes,
): BlockOf<'command'> | undefined {
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
  if (isByHash(step) && rest.length === 0) return undefined;
  const workflow = inputs.command === 'apply' ? run.workflow : applyWorkflowBeside(run.workflow);
  const hash = planHash(rest, inputs.environment);
  // `leave` is the default, and a workflow without this input refuses it.
  const drift = inputs.drift ?? (rule === 'leave' ? undefined : rule);
  const edits = (comparison?.contracts ?? []).flatMap(editsIn).map(({ place, before }) => {
    const value = before === undefined ? '(removed)' : clip(JSON.stringify(before), longestValue);
    return `${labelOfPlace(place)} ${value}`;
  });
  const loss = edits.length === 0 ? '' : ` and overwrite ${listFirst(edits, mostNames)}`;
  return {
    kind: 'command',
    lead: `To apply it anyway${loss}:`,
    language: 'sh',
    command: commandToApply(workflow, run.branch, { drift, hash }),
  };
}

export function explainUnsent(outcomes: Outcomes, { fresh, comparison }: Approval): Outcomes {
  const compared = new Map(comparison?.contracts.map((each) => [contractLabel(each), each]));
  const planned = new Map(plannedChanges(fresh).map((each) => [contractLabel(each), each.changes]));
  const explained = outcomes.outcomes.map((outcome): Outcome => {
    const contract = compared.get(contractLabel(outcome));
    const places = contract ? editsIn(contract).map(({ place }) => place) : [];
    if (outcome.result !== 'not-reviewed' || !outcome.error || places.length === 0) return outcome;
    const changes = planned.get(contractLabel(outcome)) ?? [];
    const users = changes.flatMap(({ place, blame }) =>
      places.includes(place) && blame?.user !== undefined ? [blame.user] : [],
    );
    const names = places.map((place) => `\`${labelOfPlace(place)}\``).join(', ');
    const verb = places.length === 1 ? 'was' : 'were';
    const by = users.length > 0 ? ` (by ${[...new Set(users)].join(', ')})` : '';
    const message = `Not applied: ${names} ${verb} edited in the catalog after the review${by}.`;
    return { ...outcome, error: { ...outcome.error, message } };
  });
  return { ...outcomes, outcomes: explained };
}

// UTF-16 code units.
const longestValue = 80;

function editsIn({ differences }: ContractComparison): Difference[] {
  return differences.flatMap((each) => {
    if (each.kind !== 'changed') return [];
    const [then, now] = [each.approved, each.difference].map(({ before = null }) => before);
    return canonicalJson(then ?? null) === canonicalJson(now ?? null) ? [] : [each.difference];
  });
}
