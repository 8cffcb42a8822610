/** What there is to say of a plan, and in what order. */

import { contractLabel } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import { changeCount, isIncomplete, type Plan } from '../plan/plan.ts';
import type { Comparison } from '../review/compare.ts';
import {
  type Block,
  type BlockOf,
  type ContractReport,
  type Fact,
  note,
  type Report,
  type ReportedProblem,
  type TableRow,
} from './blocks.ts';
import { alone, type ContractsView, describeContracts, gatherAlike, isGrave } from './contract.ts';
import { comparisonBlock, driftBlocks } from './lists.ts';
import type { Palette } from './palette.ts';
import {
  countProblems,
  isTold,
  joinTotals,
  ofSeverity,
  sortByGravity,
  type Total,
  total,
  totalWords,
} from './problems.ts';
import { renderText } from './text.ts';

/** How much is shown of a plan, and what it is seen against. */
export type PlanView = ContractsView & {
  /** The files that the pull request touches: what differs beside them is drift. */
  readonly touched?: ReadonlySet<string> | undefined;
  /** Against the plan that was reviewed. */
  readonly comparison?: Comparison | undefined;
  /** For a page without a limit: names what is only counted elsewhere. */
  readonly isWhole?: boolean;
};

type PlanReport = {
  readonly plan: Plan;
  /** What needs eyes, by name. */
  readonly contracts: readonly ContractReport[];
  /** What is wrong with the whole of it, by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** All that is wrong: what stops the plan first, then what breaks consumers. */
  readonly problems: readonly ReportedProblem[];
  /** What an apply would do, or why there can be none: `An apply updates 3 contracts: 1 breaking.` */
  readonly lead: Required<Total>;
};

export function describePlan(plan: Plan, view: ContractsView = {}): PlanReport {
  const diagnostics = plan.diagnostics.filter((problem) => view.all || isTold(problem));
  const contracts = describeContracts(plan.contracts, view);
  const ofContracts = contracts.flatMap(({ problems }) => problems);
  const problems = sortByGravity([...diagnostics, ...ofContracts]);
  const obstacle = `Nothing can be applied: ${countProblems(ofSeverity(problems, 'error'))}.`;
  const lead = plan.errored ? ({ words: obstacle, gravity: 'error' } as const) : leadOf(plan);
  return { plan, contracts, diagnostics, problems, lead };
}

function leadOf({ summary }: Plan): PlanReport['lead'] {
  const { create = 0, update, transitions, breaking } = summary;
  if (create + update === 0) return { words: 'An apply changes nothing.', gravity: 'good' };
  const deeds = [
    ...total(create, `creates ${count(create, 'contract', 'contracts')}`),
    ...total(update, `updates ${count(update, 'contract', 'contracts')}`),
  ].map(({ words }) => words);
  const notable = [
    ...total(breaking, `${breaking} breaking`),
    ...total(transitions, inTransitions(transitions)),
  ];
  const end = notable.length > 0 ? `: ${joinTotals(notable)}.` : '.';
  const gravity = breaking > 0 ? 'warning' : 'good';
  return { words: `An apply ${deeds.join(' and ')}${end}`, gravity };
}

/** The plan as a page: what matters most on top. */
export function planPage(plan: Plan, view: PlanView = {}): Report {
  const report = describePlan(plan, view);
  return {
    title: { words: planVerdict(plan), gravity: report.lead.gravity },
    blocks: [...environmentNotes(plan), ...leadNotes(report), ...planBlocks(report, view)],
  };
}

/** The environment is what is mixed up most easily. */
export function environmentNotes({ environment: text }: Plan): Block[] {
  return text === undefined ? [] : [note(['Environment ', { text, as: 'strong' }])];
}

export function leadNotes({ lead: { words, gravity }, plan }: PlanReport): Block[] {
  return hasChanges(plan) || plan.errored ? [note({ text: words, as: 'own' }, gravity)] : [];
}

/** All that a page says of a plan, its title and its first sentence apart. */
export function planBlocks(report: PlanReport, view: PlanView): Block[] {
  const { plan, contracts, problems } = report;
  const { touched, comparison, isWhole = false } = view;
  const differing = contracts
    .filter(({ verdict }) => verdict !== 'unchanged')
    .toSorted((a, b) => rank(a) - rank(b));
  const isAsked = ({ source }: ContractReport): boolean => touched?.has(source.file) ?? true;
  const drifted = differing.filter((contract) => !isAsked(contract));
  const unchanged = contracts.filter(({ verdict }) => verdict === 'unchanged');
  return [
    ...(isWhole ? [note(totalWords(totalsOf(plan)))] : []),
    { kind: 'problems', problems },
    ...(comparison ? [comparisonBlock(comparison)] : []),
    {
      kind: 'contracts',
      title: 'Blocked and breaking',
      overview: [],
      details: gatherAlike(differing.filter(isShownAbove)),
      isOpen: true,
    },
    transitionTable(contracts),
    groupBlock('Contracts', differing.filter(isAsked)),
    { ...groupBlock('Drift', drifted), note: driftNote(drifted.length) },
    ...driftBlocks(plan, view.now),
    ...(isWhole ? [groupBlock('Unchanged', unchanged)] : []),
    ...nameBlocks(plan).filter(({ most }) => most > 0 || isWhole),
    { kind: 'facts', facts: [...atRest(plan), ...subjectOf(plan)] },
  ];
}

/** What is blocked stands on top, then what breaks consumers; the missing at the bottom. */
function rank({ verdict, breaking }: ContractReport): number {
  return 2 * ['blocked', 'create', 'update', 'missing'].indexOf(verdict) + (breaking ? 0 : 1);
}

function isChanging({ changes }: ContractReport): boolean {
  return changes.length > 0;
}

function isShownAbove(contract: ContractReport): boolean {
  return isGrave(contract) && isChanging(contract);
}

/** Few diffs stand open: there is room to read them all. */
const mostOpen = 3;

function groupBlock(title: string, overview: readonly ContractReport[]): BlockOf<'contracts'> {
  const details = gatherAlike(overview.filter((contract) => !isShownAbove(contract)));
  const isOpen = gatherAlike(overview.filter(isChanging)).length <= mostOpen;
  return { kind: 'contracts', title, overview, details, isOpen };
}

function driftNote(amount: number): string {
  const subject = count(amount, 'contract differs', 'contracts differ');
  return `${subject} from files that this pull request does not touch: the catalog was edited, or an earlier change was not applied. An apply brings the catalog back to the files.`;
}

/** The changes of status: what a consumer of a contract notices first. */
function transitionTable(contracts: readonly ContractReport[]): Block {
  const moving = transitionsOf(contracts);
  const moves = Map.groupBy(moving, ({ move: { from, to } }) => JSON.stringify([from, to]));
  return {
    kind: 'table',
    title: 'Status transitions',
    columns: ['Status', 'Contract'],
    rows: moving.map(({ move, label: text }) => ({
      cells: [[{ move }], [{ text, as: 'contract' }]],
    })),
    counts: [...moves.values()].map((same): TableRow => ({
      cells: [same.slice(0, 1), [count(same.length, 'contract', 'contracts')]],
    })),
  };
}

/** What is blocked moves nowhere. */
function transitionsOf(contracts: readonly ContractReport[]) {
  return contracts.flatMap(({ verdict, label, transition: move }) =>
    (verdict === 'update' || verdict === 'create') && move ? [{ label, move }] : [],
  );
}

/** How many contracts without changes a terminal names before the rest is only counted. */
const mostNames = 10;

function nameBlocks({ contracts, selection }: Plan): BlockOf<'names'>[] {
  const unmanaged = contracts.filter((contract) => contract.action === 'unmanaged');
  const live = count(unmanaged.length, 'live contract has', 'live contracts have');
  const { only = [], exclude = [], paths = [], changedSince, leftOut = [] } = selection ?? {};
  const flags = [
    ...paths,
    ...only.map((pattern) => `--only ${pattern}`),
    ...exclude.map((pattern) => `--exclude ${pattern}`),
    ...(changedSince === undefined ? [] : [`--changed-since ${changedSince}`]),
  ].join(' ');
  const without = count(leftOut.length, 'contract was', 'contracts were');
  return [
    {
      kind: 'names',
      title: `${live} no file`,
      aside: ' (left alone)',
      names: unmanaged.map(({ hadFile, ...contract }) => ({
        label: contractLabel(contract),
        ...(hadFile && { note: `had a file until ${hadFile.until}: ${hadFile.file}` }),
      })),
      most: mostNames,
    },
    {
      kind: 'names',
      title: `${without} left out`,
      aside: ` by ${flags}`,
      names: leftOut.map((label) => ({ label })),
      most: 0,
    },
  ];
}

/** Digits of a commit that tell it from all others of a large repository. */
const shortCommit = 12;

function subjectOf(plan: Plan): Fact[] {
  const { catalogUrl, environment = '', dialect, commit = '', base = '', defaultBase = '' } = plan;
  const release = dialect?.release === undefined ? '' : `, release ${dialect.release}`;
  const changed = plan.uncommitted ? ', with uncommitted changes' : '';
  const shared = `, the last commit shared with ${defaultBase} (--no-base plans without)`;
  const facts: readonly Fact[] = [
    { name: 'catalog', value: catalogUrl, as: 'code' },
    { name: 'environment', value: environment, as: 'strong' },
    { name: 'dialect', value: dialect === undefined ? '' : `${dialect.name}${release}` },
    { name: 'commit', value: commit && `${commit.slice(0, shortCommit)}${changed}` },
    { name: 'base', value: defaultBase && `${base.slice(0, shortCommit)}${shared}` },
  ];
  return facts.filter(({ value }) => value !== '');
}

/** How much there is that asks for nothing, and the hash of the rest. */
function atRest({ summary: { unchanged, unmanaged }, selection, planHash = '' }: Plan): Fact[] {
  const leftOut = selection?.leftOut.length ?? 0;
  const live = count(unmanaged, 'live contract', 'live contracts');
  const counts = [
    { words: `${unchanged} unchanged` },
    ...total(unmanaged, `${live} without a file, left alone`),
    ...total(leftOut, `${count(leftOut, 'contract', 'contracts')} left out of this plan`),
  ];
  const hash: Fact = { name: 'plan hash', value: planHash, as: 'code' };
  return [...counts.map(({ words: value }) => ({ value })), ...(planHash === '' ? [] : [hash])];
}

export type PlanTextOptions = {
  readonly palette: Palette;
  /** `all` names the unchanged and every unmanaged contract too, `totals` none at all. */
  readonly detail: 'all' | 'changes' | 'totals';
  /** What the reader can ask for to see all: a flag. Without it nothing is said of how. */
  readonly more?: string | undefined;
  /** Epoch milliseconds: with it ages are told, and days without. */
  readonly now?: number | undefined;
  /** Explains the signs, for those who see them on a terminal. */
  readonly legend?: boolean | undefined;
  /** The command that applies the plan, where the reader has still to run it. */
  readonly next?: string | undefined;
};

/** The plan for a terminal or a log, whose reader begins at the end; ends with a line break. */
export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  const { detail, now, legend, next } = options;
  const all = detail === 'all';
  const isBrief = detail === 'totals';
  const report = describePlan(plan, { all, now });
  const { contracts, diagnostics, problems } = report;
  const details = all ? contracts.map(alone) : gatherAlike(contracts);
  const isLong = !isBrief && contracts.length > mostAtAGlance;
  const recap = isLong ? problems : problems.filter(({ contract }) => contract !== undefined);
  const errors = isLong || isBrief ? ofSeverity(recap, 'error') : [];
  const content: readonly Block[] = [
    ...(legend && hasChanges(plan) ? [note({ text: signLegend, as: 'faint' })] : []),
    { kind: 'contracts', overview: [], details, isOpen: true },
    ...driftBlocks(plan, now),
    ...nameBlocks(plan).map((block) => (all ? { ...block, most: Infinity } : block)),
  ];
  const blocks: readonly Block[] = [
    { kind: 'facts', facts: subjectOf(plan) },
    { kind: 'problems', problems: diagnostics },
    ...(isBrief ? [] : content),
    { kind: 'problems', problems: errors, most: mostAtAGlance },
    ...closing(report, isBrief),
    { kind: 'facts', facts: isLong && next !== undefined ? nextSteps(plan, next) : [] },
  ];
  return renderText({ blocks }, options);
}

/** With more contracts than these the top of the plan is out of sight when its end is read. */
const mostAtAGlance = 10;

const signLegend =
  'Signs: + create, add  ~ update, change  - remove  > move  » status  ! blocked  ? missing';

function nextSteps(plan: Plan, next: string): Fact[] {
  const value = plan.errored ? 'fix the errors, and plan again.' : next;
  return plan.errored || changeCount(plan) > 0 ? [{ name: 'next', value, as: 'strong' }] : [];
}

function closing({ plan, problems }: PlanReport, isBrief: boolean): Block[] {
  if (plan.planHash === undefined) return [note({ text: 'No plan was made.', as: 'error' })];
  const leftOut = plan.selection?.leftOut.length ?? 0;
  const errors = ofSeverity(problems, 'error');
  const isIdle = !hasChanges(plan) && errors.length > 0;
  const totals = totalWords([
    ...totalsOf(plan).filter(({ words }) => !isIdle || words !== '0 unchanged'),
    ...(isBrief ? total(leftOut, `${leftOut} left out`) : []),
  ]);
  const hash = note({ text: `Plan hash: ${plan.planHash}`, as: 'faint' });
  if (isIdle) {
    const verdict = { text: `Nothing to apply, ${countProblems(errors)}`, as: 'error' } as const;
    return [note([verdict, totals.length > 0 ? ': ' : '', ...totals, '.']), hash];
  }
  const verdict = hasChanges(plan)
    ? ({ text: 'Plan:', as: 'strong' } as const)
    : ({ text: 'No changes.', as: 'good' } as const);
  return [note([verdict, ' ', ...totals, '.']), hash];
}

/** What to say at the lines of the files, the gravest first; a reviewer should see transitions. */
export function problemsAtLines(plan: Plan, { isApplied = false } = {}): ReportedProblem[] {
  const contracts = describeContracts(plan.contracts);
  return sortByGravity([
    ...plan.diagnostics.filter(isTold),
    ...contracts.flatMap(({ problems, reasons }) => [...problems, ...reasons]),
    ...(isApplied ? [] : transitionsOf(contracts)).flatMap(({ label, move }): Diagnostic[] => {
      const { from, to, source } = move;
      const message = `${label}: ${from ?? 'no status'} → ${to ?? 'no status'}.`;
      return source
        ? [{ code: 'status-transition', severity: 'information', message, source }]
        : [];
    }),
  ]);
}

/** What the plan comes to, in a few words: `3 to update, 2 status transitions, 1 blocked`. */
export function planVerdict(plan: Plan): string {
  if (plan.planHash === undefined) return 'no plan could be made';
  const { create = 0, update, blocked, missing, transitions, breaking } = plan.summary;
  return joinTotals([
    ...(hasChanges(plan) ? [] : [{ words: 'no changes' }]),
    ...total(create, `${create} to create`),
    ...total(update, `${update} to update`),
    ...total(transitions, inTransitions(transitions)),
    ...total(breaking, `${breaking} breaking`),
    ...total(blocked, `${blocked} blocked`),
    ...total(missing, `${missing} missing`),
  ]);
}

function hasChanges(plan: Plan): boolean {
  return changeCount(plan) > 0 || plan.summary.blocked > 0;
}

function inTransitions(amount: number): string {
  return count(amount, 'status transition', 'status transitions');
}

function totalsOf(plan: Plan): Total[] {
  const { update, unchanged, missing, unmanaged, blocked, transitions } = plan.summary;
  const { breaking, drift, create = 0, notApplied = 0, unknown = 0 } = plan.summary;
  const moves = transitions > 0 ? ` (${inTransitions(transitions)})` : '';
  return [
    ...(hasChanges(plan) ? [{ words: `${update} to update${moves}` }] : []),
    ...total(create, `${create} to create`),
    ...total(blocked, `${blocked} blocked`, 'error'),
    ...total(breaking, `${breaking} breaking`, 'warning'),
    { words: `${unchanged} unchanged` },
    ...total(missing, `${missing} missing`, isIncomplete(plan) ? 'error' : undefined),
    ...total(unmanaged, `${unmanaged} unmanaged`),
    ...total(drift, `${drift} edited in the catalog`, 'warning'),
    ...total(notApplied, `${notApplied} merged and not applied yet`),
    ...total(unknown, `${unknown} edited or not applied yet`, 'warning'),
  ];
}
