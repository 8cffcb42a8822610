import { contractLabel } from '../../contract/identity.ts';
import { count } from '../../core/text.ts';
import {
  type ContractPlan,
  isBreaking,
  type MissingPlan,
  type Plan,
  type UpdatePlan,
  updates,
} from '../../plan/plan.ts';
import type { Comparison } from '../../review/compare.ts';
import { comparisonBlocks } from './comparison.ts';
import { contractDiff, contractTable } from './contract.ts';
import { countRemarks, type Place, placesBelow, remarksBlock, remarksOn } from './problems.ts';
import { type Block, renderReport, type ReportOptions } from './report.ts';
import { code, collapsible } from './text.ts';
import { transitionsBlock } from './transitions.ts';

export type PlanReportOptions = ReportOptions & {
  /** The files that the pull request touches: what differs beside them is drift. */
  readonly touched?: ReadonlySet<string>;
  /** Against the plan that was reviewed. */
  readonly comparison?: Comparison;
};

/** The plan as GitHub shows it: what matters most on top, each diff at a click. */
export function renderPlanMarkdown(plan: Plan, options: PlanReportOptions): string {
  return renderReport(planVerdict(plan), planBlocks(plan, options), options);
}

/** All that a report says of a plan, its title apart. */
export function planBlocks(plan: Plan, { files, touched, comparison }: PlanReportOptions): Block[] {
  const place = placesBelow(files);
  const shown = plan.contracts.filter(needsEyes).toSorted((a, b) => rank(a) - rank(b));
  const isAsked = ({ source }: Shown): boolean => touched?.has(source.file) ?? true;
  const asked = shown.filter(isAsked);
  const drifted = shown.filter((contract) => !isAsked(contract));
  return [
    ...verdictBlocks(plan, place),
    ...(comparison ? comparisonBlocks(comparison) : []),
    ...transitionsBlock(updates(plan)),
    ...contractBlocks('### Contracts', asked, place),
    ...contractBlocks(driftTitle(drifted), drifted, place),
    ...unmanagedBlocks(plan),
    [planFooter(plan)],
  ];
}

type Shown = UpdatePlan | MissingPlan;

function needsEyes(contract: ContractPlan): contract is Shown {
  return contract.action !== 'unchanged' && contract.action !== 'unmanaged';
}

/** What is blocked stands on top, then what breaks consumers; the missing at the bottom. */
function rank(contract: Shown): number {
  const { action } = contract;
  return 2 * ['blocked', 'update', 'missing'].indexOf(action) + (isBreaking(contract) ? 0 : 1);
}

function verdictBlocks(plan: Plan, place: Place): Block[] {
  const remarks = remarksOn(plan);
  const errors = remarks.filter(({ problem }) => problem.severity === 'error');
  return [
    ...(plan.errored
      ? [[`> [!CAUTION]\n> Nothing can be applied: ${countRemarks(errors)}.`] as const]
      : []),
    ...(remarks.length > 0 ? [remarksBlock(remarks, place)] : []),
  ];
}

/** Few diffs stand open: there is room to read them all. */
const mostOpen = 3;

function contractBlocks(title: string, contracts: readonly Shown[], place: Place): Block[] {
  if (contracts.length === 0) return [];
  const changing = contracts.filter((contract) => contract.action !== 'missing');
  const open = changing.length <= mostOpen;
  return [
    [title],
    contractTable(contracts, place),
    ...changing.map((contract) => contractDiff(contract, { open })),
  ];
}

function driftTitle({ length }: readonly Shown[]): string {
  const subject = count(length, 'contract differs', 'contracts differ');
  return `### Drift\n\n${subject} from files that this pull request does not touch: the catalog was edited, or an earlier change was not applied. An apply brings the catalog back to the files.`;
}

const mostUnmanaged = 200;

function unmanagedBlocks({ contracts, summary }: Plan): Block[] {
  if (summary.unmanaged === 0 || summary.unmanaged > mostUnmanaged) return [];
  const names = contracts
    .filter(({ action }) => action === 'unmanaged')
    .map((contract) => `- ${code(contractLabel(contract))}`);
  if (names.length === 0) return [];
  const title = count(names.length, 'live contract has no file', 'live contracts have no file');
  return [[collapsible(title, names.join('\n')), '']];
}

/** What the plan comes to, in a few words: `3 to update, 2 status transitions, 1 blocked`. */
export function planVerdict({ planHash, summary }: Plan): string {
  if (planHash === undefined) return 'no plan could be made';
  const { update, blocked, missing, transitions, breaking } = summary;
  const parts = [
    ...(update > 0 ? [`${update} to update`] : []),
    ...(transitions > 0 ? [count(transitions, 'status transition', 'status transitions')] : []),
    ...(breaking > 0 ? [`${breaking} breaking`] : []),
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
  ];
  if (update > 0 || blocked > 0) return parts.join(', ');
  return ['no changes', ...parts].join(', ');
}

/** The counts that need no action, and what the plan is known by. */
function planFooter({ planHash, summary, selection }: Plan): string {
  const { unchanged, unmanaged } = summary;
  const counts = [
    `${unchanged} unchanged`,
    ...(unmanaged > 0
      ? [`${count(unmanaged, 'live contract', 'live contracts')} without a file, left alone`]
      : []),
    ...(selection && selection.leftOut.length > 0
      ? [`${count(selection.leftOut.length, 'contract', 'contracts')} left out of this plan`]
      : []),
  ];
  const hash = planHash === undefined ? [] : [`plan hash \`${planHash}\``];
  return `<sub>${[...counts, ...hash].join(' · ')}</sub>`;
}
