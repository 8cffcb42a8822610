import type { Outcome, OutcomeResult, Outcomes } from '../apply/outcome.ts';
import { contractLabel } from '../contract/identity.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import { contractProblems, type Plan } from '../plan/plan.ts';
import {
  type Block,
  type BlockOf,
  type Gravity,
  note,
  type Palette,
  type Phrase,
  type Report,
  type TableRow,
  type Words,
} from './blocks.ts';
import { groupAlike } from './problems.ts';
import { describePlan, environmentNotes, leadOf, planBlocks, type PlanView } from './plan.ts';
import { renderText } from './text.ts';
import type { TextOptions } from './text-contract.ts';

/** Outcomes that need a person come first, then the plan itself. */
export function outcomesPage(plan: Plan, applied: Outcomes, view: PlanView = {}): Report {
  const { merge, ...planView } = view;
  const planned = describePlan(plan, view);
  const lead = leadOf(planned);
  const rows = rowsOf(applied.outcomes).toSorted(
    ({ state: a }, { state: b }) => need(a.word) - need(b.word),
  );
  const gravity = rows[0]?.state.gravity ?? lead.gravity;
  const ending = merge && appliedWords(tallyOf(applied), merge.hasFailed, leftOut(plan).length);
  return {
    title: { words: ending ? ending.deed + ending.rest : outcomesVerdict(applied), gravity },
    blocks: [
      ...(ending
        ? [note([`${ending.deed} to `, { text: merge.into, as: 'strong' }, `${ending.rest}.`])]
        : environmentNotes(plan)),
      { kind: 'problems', problems: applied.diagnostics },
      { ...tableOf(rows), title: view.isWhole ? 'Outcomes' : undefined },
      ...liftedNotes(applied),
      ...(plan.errored ? [note(lead.words, lead.gravity)] : []),
      ...planBlocks(planned, planView),
    ],
  };
}

/** For a terminal, in the plan's order; ends with a line break. */
export function renderOutcomesText(
  applied: Outcomes,
  options: { readonly palette: Palette },
): string {
  const counts = Object.entries(applied.summary).filter(
    ([result, of]) => result === 'applied' || of > 0,
  );
  const end = note([{ text: 'Apply:', as: 'strong' }, ` ${inWords(counts)}.`]);
  const rows = rowsOf(applied.outcomes);
  return renderText({ blocks: [tableOf(rows), end, ...liftedNotes(applied)] }, options);
}

export function outcomeLines(outcome: Outcome, options: TextOptions): string[] {
  const blocks = [tableOf([rowOf(outcome, [outcome])])];
  return renderText({ blocks }, options).slice(0, -1).split('\n');
}

function tableOf(rows: readonly TableRow[]): BlockOf<'table'> {
  return { kind: 'table', columns: ['Contract', 'Version', 'Reason'], rows };
}

// Failures that differ only in the contract are one row, below the others.
function rowsOf(outcomes: readonly Outcome[]) {
  const alike = groupAlike(
    outcomes.filter(({ error }) => error !== null),
    ({ result, error }) =>
      JSON.stringify([result, error?.code, withoutCircumstances(error?.message), error?.hint]),
  );
  const isFirst = (outcome: Outcome) => alike.get(outcome)?.[0] === outcome;
  return [
    ...outcomes.filter((each) => !alike.has(each)).map((each) => rowOf(each, [each])),
    ...outcomes.filter(isFirst).map((each) => rowOf(each, alike.get(each) ?? [each])),
  ];
}

function withoutCircumstances(message: string | undefined): string | undefined {
  return message?.replace(/ \((?:GET|PATCH|POST) https?:[^)]*\)/gu, '');
}

function rowOf(first: Outcome, alike: readonly Outcome[]) {
  const { result, versionBefore, versionAfter, note: remark, error } = first;
  const isAlone = alike.length === 1;
  const versions = [versionBefore, versionAfter].flatMap((text): Phrase[] =>
    text === undefined ? [] : [{ text, as: 'code' }],
  );
  const message = isAlone ? error?.message : withoutCircumstances(error?.message);
  return {
    state: { word: result, gravity: gravities[result], isLeft: result === 'left' },
    cells: [
      isAlone
        ? [{ text: contractLabel(first), as: 'contract' }]
        : [{ contracts: alike.map(contractLabel) }],
      isAlone ? versions.flatMap((each, index) => (index === 0 ? [each] : [' → ', each])) : [],
    ] satisfies Words[],
    below: [
      ...lineOf('sentence', isAlone ? remark : undefined),
      ...lineOf('sentence', message),
      ...lineOf('hint', error?.hint),
    ],
  };
}

function lineOf(as: 'sentence' | 'hint', text: string | undefined): Words[] {
  return text === undefined ? [] : [[{ text, as }]];
}

function liftedNotes({ overrides = [] }: Outcomes): Block[] {
  return overrides.map(({ reason, ...lifted }) => {
    if ('limit' in lifted) return note(`Allowed beyond limits.${lifted.limit}: ${reason}`);
    const breaking = `although it breaks consumers (${lifted.rule})`;
    const isMove = lifted.rule === 'transition-blocked';
    return note(`Allowed ${isMove ? 'against the lifecycle' : breaking}: ${reason}`);
  });
}

/** `✅ Applied 2 of 2 changes` and `, 1 contract left`; `left` are what the plan can't change. */
export function appliedWords({ landed, all }: Tally, hasFailed: boolean, left: number) {
  const isGood = !hasFailed && (left === 0 || (landed > 0 && landed === all));
  if (landed === 0 && isGood) return { isGood, deed: '✅ Nothing to apply', rest: '' };
  const deed =
    all === 0 ? 'Nothing applied' : `Applied ${landed} of ${count(all, 'change', 'changes')}`;
  return {
    isGood,
    deed: `${isGood ? '✅' : '❌'} ${deed}`,
    rest: isGood && left > 0 ? `, ${count(left, 'contract', 'contracts')} left` : '',
  };
}

/** Blocked and missing contracts, beside which the others are applied. */
export function leftOut({ contracts }: Plan) {
  return contracts.filter((contract) => hasErrors(contractProblems(contract)));
}

type Tally = { readonly landed: number; readonly all: number };

export function tallyOf({ summary, outcomes }: Outcomes): Tally {
  const { applied, unchanged, overlapped, left } = summary;
  return { landed: applied + unchanged + overlapped, all: outcomes.length - left };
}

export function outcomesVerdict({ summary, planHash }: Outcomes): string {
  const counts = Object.entries(summary).filter(([, of]) => of > 0);
  if (counts.length > 0) return inWords(counts.toSorted(([a], [b]) => need(a) - need(b)));
  return planHash === undefined ? 'nothing was applied' : 'nothing to apply';
}

function inWords(counts: readonly (readonly [result: string, of: number])[]): string {
  return counts.map(([result, of]) => `${of} ${result}`).join(', ');
}

const gravities: Readonly<Record<OutcomeResult, Gravity>> = {
  failed: 'error',
  'landed-in-part': 'error',
  'not-found': 'error',
  'not-reviewed': 'error',
  overlapped: 'warning',
  held: 'warning',
  unverified: 'warning',
  stale: 'warning',
  skipped: 'warning',
  applied: 'good',
  unchanged: 'good',
  left: 'good',
};

function need(result: string): number {
  return Object.keys(gravities).indexOf(result);
}
