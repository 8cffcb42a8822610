/** What there is to say of a plan, in what order and how grave: decided here for every medium. */

import type { Diagnostic, Problem } from '../../core/diagnostic.ts';
import { count } from '../../core/text.ts';
import { changeCount, isIncomplete, type Plan, type SelectionSummary } from '../../plan/plan.ts';
import type { Comparison } from '../../review/compare.ts';
import {
  type ContractReport,
  type ContractsReport,
  type ContractTransition,
  describeContracts,
} from './contracts.ts';
import { describeDrift, type DriftReport } from './drift.ts';
import { type ContractSinceReview, describeComparison } from './outcomes.ts';
import {
  countProblems,
  isTold,
  joinTotals,
  ofSeverity,
  type ReportedProblem,
  sortByGravity,
  type Total,
  total,
} from './problems.ts';

/** How much is shown of a plan, and what it is seen against. */
export type PlanView = {
  /** Names the unchanged too, and tells what harms nobody. */
  readonly all?: boolean;
  /** Epoch milliseconds: then ages are told, and days where nobody knows when it is read. */
  readonly now?: number;
  /** The files that the pull request touches: what differs beside them is drift. */
  readonly touched?: ReadonlySet<string> | undefined;
  /** Against the plan that was reviewed. */
  readonly comparison?: Comparison | undefined;
};

export type PlanReport = ContractsReport & {
  /** In a few words: `3 to update, 2 status transitions, 1 blocked`. */
  readonly verdict: string;
  /** In one sentence, what an apply would do: `An apply updates 3 contracts: 1 breaking.` */
  readonly lead: Total;
  /** What it is about: the catalog, the environment, the dialect, the commit. */
  readonly subject: readonly Fact[];
  /** Absent where no plan could be made. */
  readonly planHash?: string;
  /** Why nothing of it can be applied. */
  readonly obstacle?: string;
  /** What is wrong with the whole of it, by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** All that is wrong: what stops the plan first, then what breaks consumers. */
  readonly problems: readonly ReportedProblem[];
  readonly sinceReview: readonly ContractSinceReview[];
  /** What differs from its file: what is asked for, then drift. */
  readonly groups: readonly ContractGroup[];
  /** Edits of the catalog that no file asks for, and that stay. */
  readonly drift: readonly DriftReport[];
  /** The contracts that flags have kept out of the plan, by name. */
  readonly leftOut: { readonly flags: string; readonly names: readonly string[] };
  readonly hasChanges: boolean;
  /** How much there is of what; what is to be done first. */
  readonly totals: readonly Total[];
  /** How much there is that asks for nothing. */
  readonly atRest: readonly string[];
};

/** What is blocked stands on top, then what breaks consumers; the missing at the bottom. */
export type ContractGroup = {
  readonly title: string;
  /** Whether the files ask for it, or the catalog has moved away from them. */
  readonly cause: 'file' | 'drift';
  readonly note?: string;
  readonly contracts: readonly ContractReport[];
};

export function describePlan(plan: Plan, view: PlanView = {}): PlanReport {
  const { planHash, errored, selection } = plan;
  const diagnostics = plan.diagnostics.filter((problem) => view.all || isTold(problem));
  const report = describeContracts(plan, view);
  const ofContracts = report.contracts.flatMap(({ problems }) => problems);
  const problems = sortByGravity([...diagnostics, ...ofContracts]);
  const obstacle = errored ? describeObstacle(problems) : undefined;
  return {
    ...report,
    verdict: planVerdict(plan),
    lead: obstacle === undefined ? describeLead(plan) : { words: obstacle, gravity: 'error' },
    subject: describeSubject(plan),
    ...(planHash !== undefined && { planHash }),
    ...(obstacle !== undefined && { obstacle }),
    diagnostics,
    problems,
    drift: describeDrift(plan, view.now),
    groups: groupContracts(report.contracts, view.touched),
    sinceReview: view.comparison ? describeComparison(view.comparison) : [],
    leftOut: describeSelection(selection),
    hasChanges: hasChanges(plan),
    totals: totalsOf(plan),
    atRest: atRest(plan),
  };
}

/** One thing that a plan is about, and what it is called. */
type Fact = {
  readonly name: (typeof factNames)[number];
  readonly value: string;
};

/** Digits of a commit that tell it from all others of a large repository. */
const shortCommit = 12;

function describeSubject(plan: Plan): Fact[] {
  const { catalogUrl, environment, dialect, commit, uncommitted, base = '', defaultBase } = plan;
  const { name: spoken, release } = dialect ?? {};
  const changed = uncommitted ? ', with uncommitted changes' : '';
  const facts = {
    catalog: catalogUrl,
    environment,
    dialect: release === undefined ? spoken : `${spoken}, release ${release}`,
    commit: commit === undefined ? undefined : `${commit.slice(0, shortCommit)}${changed}`,
    base:
      defaultBase === undefined
        ? undefined
        : `${base.slice(0, shortCommit)}, the last commit shared with ${defaultBase} (--no-base plans without)`,
  };
  return factNames.flatMap((name) => {
    const value = facts[name];
    return value ? [{ name, value }] : [];
  });
}

const factNames = ['catalog', 'environment', 'dialect', 'commit', 'base'] as const;

function describeObstacle(problems: readonly Problem[]): string {
  return `Nothing can be applied: ${countProblems(ofSeverity(problems, 'error'))}.`;
}

function describeLead(plan: Plan): Total {
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

/** What to say at the lines of the files, the gravest first; a reviewer should see transitions. */
export function problemsAtLines(plan: Plan, { isApplied = false } = {}): Problem[] {
  const { contracts, transitions } = describeContracts(plan);
  return sortByGravity([
    ...plan.diagnostics.filter(isTold),
    ...contracts.flatMap(({ problems, reasons }) => [...problems, ...reasons]),
    ...(isApplied ? [] : transitions.flatMap(transitionNotice)),
  ]);
}

function transitionNotice({ label, transition }: ContractTransition): Diagnostic[] {
  const { from, to, source } = transition;
  const message = `${label}: ${from ?? 'no status'} → ${to ?? 'no status'}.`;
  return source ? [{ code: 'status-transition', severity: 'information', message, source }] : [];
}

function groupContracts(
  contracts: readonly ContractReport[],
  touched: PlanView['touched'],
): ContractGroup[] {
  const differing = contracts
    .filter(({ verdict }) => verdict !== 'unchanged')
    .toSorted((a, b) => rank(a) - rank(b));
  const isAsked = ({ source }: ContractReport): boolean => touched?.has(source.file) ?? true;
  const drifted = differing.filter((contract) => !isAsked(contract));
  const groups: ContractGroup[] = [
    { title: 'Contracts', cause: 'file', contracts: differing.filter(isAsked) },
    { title: 'Drift', cause: 'drift', note: driftNote(drifted.length), contracts: drifted },
  ];
  return groups.filter((group) => group.contracts.length > 0);
}

function rank({ verdict, breaking }: ContractReport): number {
  return 2 * ['blocked', 'create', 'update', 'missing'].indexOf(verdict) + (breaking ? 0 : 1);
}

function driftNote(amount: number): string {
  const subject = count(amount, 'contract differs', 'contracts differ');
  return `${subject} from files that this pull request does not touch: the catalog was edited, or an earlier change was not applied. An apply brings the catalog back to the files.`;
}

function describeSelection(selection: SelectionSummary = { only: [], exclude: [], leftOut: [] }) {
  const { only, exclude, paths = [], changedSince, leftOut } = selection;
  const flags = [
    ...paths,
    ...only.map((pattern) => `--only ${pattern}`),
    ...exclude.map((pattern) => `--exclude ${pattern}`),
    ...(changedSince === undefined ? [] : [`--changed-since ${changedSince}`]),
  ];
  return { flags: flags.join(' '), names: leftOut };
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

function atRest({ summary: { unchanged, unmanaged }, selection }: Plan): string[] {
  const leftOut = selection?.leftOut.length ?? 0;
  const live = count(unmanaged, 'live contract', 'live contracts');
  return [
    `${unchanged} unchanged`,
    ...(unmanaged > 0 ? [`${live} without a file, left alone`] : []),
    ...(leftOut > 0 ? [`${count(leftOut, 'contract', 'contracts')} left out of this plan`] : []),
  ];
}
