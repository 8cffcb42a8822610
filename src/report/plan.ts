/** What there is to say of a plan, and in what order. */

import type { Diagnostic } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import { contractLabel } from '../contract/identity.ts';
import { changeCount, isIncomplete, type Plan } from '../plan/plan.ts';
import type { Comparison } from '../review/compare.ts';
import type {
  Block,
  ContractReport,
  Fact,
  Gravity,
  NamesBlock,
  Report,
  ReportedProblem,
  TableRow,
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
  readonly lead: { readonly words: string; readonly gravity: Gravity };
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

function leadOf(plan: Plan): PlanReport['lead'] {
  const { create = 0, update, transitions, breaking } = plan.summary;
  if (create + update === 0) return { words: 'An apply changes nothing.', gravity: 'good' };
  const notable = [
    ...total(breaking, `${breaking} breaking`),
    ...total(transitions, countTransitions(plan)),
  ];
  const deeds = [
    ...total(create, `creates ${count(create, 'contract', 'contracts')}`),
    ...total(update, `updates ${count(update, 'contract', 'contracts')}`),
  ];
  const done = `An apply ${deeds.map(({ words }) => words).join(' and ')}`;
  const words = notable.length > 0 ? `${done}: ${joinTotals(notable)}.` : `${done}.`;
  return { words, gravity: breaking > 0 ? 'warning' : 'good' };
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
  if (text === undefined) return [];
  return [{ kind: 'note', words: ['Environment ', { text, as: 'strong' }] }];
}

export function leadNotes({ lead: { words, gravity }, plan }: PlanReport): Block[] {
  if (!hasChanges(plan) && !plan.errored) return [];
  return [{ kind: 'note', words: [{ text: words, as: 'own' }], gravity }];
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
  const grave = differing.filter(isShownAbove);
  const details = gatherAlike(grave);
  const unchanged = contracts.filter(({ verdict }) => verdict === 'unchanged');
  return [
    ...(isWhole ? [{ kind: 'note', words: totalWords(totalsOf(plan)) } as const] : []),
    { kind: 'problems', problems },
    ...(comparison && comparison.contracts.length > 0 ? [comparisonBlock(comparison)] : []),
    ...(grave.length > 0
      ? [
          heading('Blocked and breaking', grave.length),
          { kind: 'contracts', overview: [], details, isOpen: true } as const,
        ]
      : []),
    ...transitionBlocks(contracts),
    ...groupBlocks('Contracts', differing.filter(isAsked)),
    ...groupBlocks('Drift', drifted, driftNote(drifted.length)),
    ...driftBlocks(plan, view.now),
    ...(isWhole ? groupBlocks('Unchanged', unchanged) : []),
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

function groupBlocks(title: string, overview: readonly ContractReport[], note?: string): Block[] {
  if (overview.length === 0) return [];
  const details = gatherAlike(overview.filter((contract) => !isShownAbove(contract)));
  const changing = gatherAlike(overview.filter(isChanging));
  const isOpen = changing.length <= mostOpen;
  return [
    heading(
      title,
      details.reduce((sum, { members }) => sum + members.length, 0),
    ),
    ...(note === undefined ? [] : [{ kind: 'note', words: [{ text: note, as: 'own' }] } as const]),
    { kind: 'contracts', overview, details, isOpen },
  ];
}

function heading(words: string, amount: number): Block {
  return { kind: 'heading', words: [words], count: amount };
}

function driftNote(amount: number): string {
  const subject = count(amount, 'contract differs', 'contracts differ');
  return `${subject} from files that this pull request does not touch: the catalog was edited, or an earlier change was not applied. An apply brings the catalog back to the files.`;
}

/** The changes of status: what a consumer of a contract notices first. */
function transitionBlocks(contracts: readonly ContractReport[]): Block[] {
  const moving = transitionsOf(contracts);
  if (moving.length === 0) return [];
  const moves = Map.groupBy(moving, ({ move: { from, to } }) => JSON.stringify([from, to]));
  const counts = [...moves.values()].flatMap(([first, ...others]): TableRow[] =>
    first ? [{ cells: [[first], [count(others.length + 1, 'contract', 'contracts')]] }] : [],
  );
  const rows = moving.map(({ move, label: text }): TableRow => ({
    cells: [[{ move }], [{ text, as: 'contract' }]],
  }));
  return [
    heading('Status transitions', rows.length),
    { kind: 'table', columns: ['Status', 'Contract'], rows, counts },
  ];
}

/** What is blocked moves nowhere. */
function transitionsOf(contracts: readonly ContractReport[]) {
  return contracts.flatMap(({ verdict, label, transition: move }) =>
    (verdict === 'update' || verdict === 'create') && move ? [{ label, move }] : [],
  );
}

/** How many contracts without changes a terminal names before the rest is only counted. */
const mostNames = 10;

/** What stands behind the changes: names and no more. */
function nameBlocks({ contracts, selection }: Plan): NamesBlock[] {
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
  const lists: readonly NamesBlock[] = [
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
  return lists.filter(({ names }) => names.length > 0);
}

/** Digits of a commit that tell it from all others of a large repository. */
const shortCommit = 12;

function subjectOf(plan: Plan): Fact[] {
  const {
    catalogUrl,
    environment = '',
    dialect,
    commit,
    uncommitted,
    base = '',
    defaultBase,
  } = plan;
  const release = dialect?.release === undefined ? '' : `, release ${dialect.release}`;
  const changed = uncommitted ? ', with uncommitted changes' : '';
  const shared = `${base.slice(0, shortCommit)}, the last commit shared with ${defaultBase} (--no-base plans without)`;
  const facts: readonly Fact[] = [
    { name: 'catalog', value: catalogUrl, as: 'code' },
    { name: 'environment', value: environment, as: 'strong' },
    { name: 'dialect', value: dialect === undefined ? '' : `${dialect.name}${release}` },
    {
      name: 'commit',
      value: commit === undefined ? '' : `${commit.slice(0, shortCommit)}${changed}`,
    },
    { name: 'base', value: defaultBase === undefined ? '' : shared },
  ];
  return facts.filter(({ value }) => value !== '');
}

/** How much there is that asks for nothing, and the hash of the rest. */
function atRest({ summary: { unchanged, unmanaged }, selection, planHash }: Plan): Fact[] {
  const leftOut = selection?.leftOut.length ?? 0;
  const live = count(unmanaged, 'live contract', 'live contracts');
  return [
    { value: `${unchanged} unchanged` },
    ...(unmanaged > 0 ? [{ value: `${live} without a file, left alone` }] : []),
    ...(leftOut > 0
      ? [{ value: `${count(leftOut, 'contract', 'contracts')} left out of this plan` }]
      : []),
    ...(planHash === undefined
      ? []
      : [{ name: 'plan hash', value: planHash, as: 'code' } as const]),
  ];
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
  const report = describePlan(plan, { all, now });
  const { contracts, diagnostics, problems } = report;
  const details = all ? contracts.map(alone) : gatherAlike(contracts);
  const names = nameBlocks(plan).map((block) => (all ? { ...block, most: Infinity } : block));
  const isLong = detail !== 'totals' && contracts.length > mostAtAGlance;
  const recap = isLong ? problems : problems.filter(({ contract }) => contract !== undefined);
  const content: readonly Block[] = [
    ...(legend && hasChanges(plan) ? [faintNote(signLegend)] : []),
    { kind: 'contracts', overview: [], details, isOpen: true },
    ...driftBlocks(plan, now),
    ...names,
  ];
  const blocks: readonly Block[] = [
    { kind: 'facts', facts: subjectOf(plan) },
    { kind: 'problems', problems: diagnostics },
    ...(detail === 'totals' ? [] : content),
    ...(isLong || detail === 'totals' ? [errorsOf(recap)] : []),
    ...closing(report, detail),
    ...(isLong && next !== undefined ? nextSteps(plan, next) : []),
  ];
  return renderText({ blocks }, options);
}

/** With more contracts than these the top of the plan is out of sight when its end is read. */
const mostAtAGlance = 10;

const signLegend =
  'Signs: + create, add  ~ update, change  - remove  > move  » status  ! blocked  ? missing';

function faintNote(text: string): Block {
  return { kind: 'note', words: [{ text, as: 'faint' }] };
}

/** Errors on a line each, as far as they are few: at the end of a long plan, and beside totals alone. */
function errorsOf(problems: readonly ReportedProblem[]): Block {
  return { kind: 'problems', problems: ofSeverity(problems, 'error'), most: mostAtAGlance };
}

function nextSteps(plan: Plan, next: string): Block[] {
  if (!plan.errored && changeCount(plan) === 0) return [];
  const value = plan.errored ? 'fix the errors, and plan again.' : next;
  return [{ kind: 'facts', facts: [{ name: 'next', value, as: 'strong' }] }];
}

function closing({ plan, problems }: PlanReport, detail: PlanTextOptions['detail']): Block[] {
  if (plan.planHash === undefined)
    return [{ kind: 'note', words: [{ text: 'No plan was made.', as: 'error' }] }];
  const leftOut = plan.selection?.leftOut.length ?? 0;
  const errors = ofSeverity(problems, 'error');
  const isQuiet = !hasChanges(plan) && errors.length > 0;
  const totals = totalWords([
    ...totalsOf(plan).filter(({ words }) => !isQuiet || words !== '0 unchanged'),
    ...(detail === 'totals' ? total(leftOut, `${leftOut} left out`) : []),
  ]);
  const hash = faintNote(`Plan hash: ${plan.planHash}`);
  if (isQuiet) {
    const text = `Nothing to apply, ${countProblems(errors)}`;
    const words = [
      { text, as: 'error' },
      ...(totals.length > 0 ? [': ', ...totals] : []),
      '.',
    ] as const;
    return [{ kind: 'note', words }, hash];
  }
  const verdict = hasChanges(plan)
    ? ({ text: 'Plan:', as: 'strong' } as const)
    : ({ text: 'No changes.', as: 'good' } as const);
  return [{ kind: 'note', words: [verdict, ' ', ...totals, '.'] }, hash];
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
    ...total(transitions, countTransitions(plan)),
    ...total(breaking, `${breaking} breaking`),
    ...total(blocked, `${blocked} blocked`),
    ...total(missing, `${missing} missing`),
  ]);
}

function hasChanges(plan: Plan): boolean {
  return changeCount(plan) > 0 || plan.summary.blocked > 0;
}

function countTransitions({ summary }: Plan): string {
  return count(summary.transitions, 'status transition', 'status transitions');
}

/** How much there is of what; what is to be done first. */
function totalsOf(plan: Plan): Total[] {
  const { update, unchanged, missing, unmanaged, blocked, transitions } = plan.summary;
  const { breaking, drift, create = 0, notApplied = 0, unknown = 0 } = plan.summary;
  const moves = transitions > 0 ? ` (${countTransitions(plan)})` : '';
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
