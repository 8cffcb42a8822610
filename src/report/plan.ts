import type { Diagnostic } from '../core/diagnostic.ts';
import { compareNames } from '../core/json.ts';
import { count } from '../core/text.ts';
import { contractProblems, heldChanges, type Plan } from '../plan/plan.ts';
import { sealPlan, withPatches } from '../plan/seal.ts';
import type { Comparison } from '../review/compare.ts';
import {
  type Block,
  type BlockOf,
  type ContractReport,
  type Fact,
  type Merge,
  note,
  type Palette,
  type Phrase,
  placeText,
  type Report,
  type ReportedProblem,
  type Words,
} from './blocks.ts';
import {
  exceptionsFor,
  countProblems,
  deedsOf,
  foldAlike,
  foldRemarks,
  hasChanges,
  isShown,
  needsEyes,
  ofSeverity,
  overwriting,
  planTotals,
  planVerdict,
  sortByGravity,
  total,
  totalWords,
} from './problems.ts';
import { agreementBlocks } from './agreement.ts';
import { alone, type ContractsView, describeContracts, gatherAlike } from './contract.ts';
import { failureOf, formatDocument } from './json.ts';
import { comparisonBlock, driftBlocks, type DriftView, nameBlocks } from './lists.ts';
import { renderText } from './text.ts';

export type PlanView = ContractsView &
  DriftView & {
    readonly comparison?: Comparison | undefined;
    readonly isWhole?: boolean;
    /** The Action's comment, whose first lines hold the commit of the pull request and the hash. */
    readonly isComment?: boolean;
    readonly wayOut?: BlockOf<'command'> | undefined;
    /** Entries of `allow` that the pull request already has. */
    readonly covered?: readonly string[] | undefined;
  };

type PlanReport = {
  readonly plan: Plan;
  readonly contracts: readonly ContractReport[];
  /** Problems of the whole plan. */
  readonly diagnostics: readonly Diagnostic[];
  readonly problems: readonly ReportedProblem[];
};

export function describePlan(plan: Plan, view: ContractsView = {}): PlanReport {
  const diagnostics = view.all
    ? plan.diagnostics
    : foldRemarks(plan.diagnostics.filter((problem) => isShown(problem)));
  const contracts = describeContracts(plan.contracts, view);
  const ofContracts = contracts.flatMap(({ problems }) => problems);
  return {
    plan,
    contracts,
    diagnostics,
    problems: sortByGravity<ReportedProblem>([...diagnostics, ...ofContracts]),
  };
}

export function planPage(plan: Plan, view: PlanView = {}): Report {
  const report = describePlan(plan, view);
  const lead = leadOf(report, view.merge);
  const isSaid = view.merge !== undefined || hasChanges(plan) || plan.errored;
  const says = isSaid ? [note(lead.words, lead.gravity)] : [];
  const agreement = agreementBlocks(plan, { ...view, pull: view.merge && 'open' });
  // What waits for readers comes first, unless errors forbid all of it.
  const [first, second] = plan.errored ? [says, agreement] : [agreement, says];
  return {
    title: { words: planVerdict(plan), gravity: lead.gravity },
    blocks: [
      ...first,
      ...(view.merge ? [] : environmentNotes(plan)),
      ...second,
      ...planBlocks(report, view),
    ],
  };
}

export function environmentNotes({ environment: text }: Plan): Block[] {
  return text === undefined ? [] : [note(['Environment ', { text, as: 'strong' }])];
}

/** `An apply updates 3 contracts: 1 breaking.`, or why it can't be applied. */
export function leadOf({ plan, problems }: PlanReport, merge?: Merge) {
  const into: Words = merge ? [{ text: merge.into, as: 'strong' }] : [];
  if (plan.errored) {
    const errors = countProblems(ofSeverity(problems, 'error'));
    const words = merge
      ? [own('If you merge this, nothing is applied to '), ...into, own(`: fix ${errors} first.`)]
      : [own(`Nothing can be applied: ${errors}.`)];
    return { words, gravity: 'error' } as const;
  }
  const { deeds, notable, isGrave } = deedsOf(plan);
  if (!merge) {
    const words = deeds === '' ? 'Nothing to apply.' : `An apply ${deeds}${notable}.`;
    return { words: [own(words)], gravity: isGrave ? 'warning' : 'good' } as const;
  }
  const { blocked } = plan.summary;
  const held = heldChanges(plan).length;
  const stay: string[] = [];
  if (blocked > 0)
    stay.push(
      `${count(blocked, 'blocked contract stays as it is', 'blocked contracts stay as they are')}.`,
    );
  if (held > 0)
    stay.push(`${count(held, 'contract waits', 'contracts wait')} until the readers agree.`);
  const subject = held > 0 ? 'If it is merged nevertheless, it' : 'Merging this pull request';
  const lead = own(`${subject} ${deeds || 'changes nothing'} in `);
  const end = own([`${notable}.`, ...stay].join(' '));
  return {
    words: [lead, ...into, end],
    gravity: isGrave || stay.length > 0 ? 'warning' : 'good',
  } as const;
}

function own(text: string): Phrase {
  return { text, as: 'own' };
}

export function planBlocks(report: PlanReport, view: PlanView): Block[] {
  const { plan, contracts, problems } = report;
  const { comparison, isWhole = false, isComment = false, wayOut } = view;
  const differing = contracts
    .filter(({ verdict }) => verdict !== 'unchanged')
    .toSorted((a, b) => rank(a) - rank(b));
  const groups = Object.groupBy(differing, ({ team, verdict, breaking }) => {
    if (team !== undefined) return 'owned';
    return verdict === 'blocked' || breaking ? 'grave' : 'asked';
  });
  const { grave = [], asked = [], owned = [] } = groups;
  const unchanged = contracts.filter(({ verdict }) => verdict === 'unchanged');
  const hidden = [
    ...(isComment ? ['commit', 'plan hash'] : []),
    // Named by the run itself, and another with each commit of its branch.
    ...(plan.defaultBase === undefined ? ['base'] : []),
  ];
  return [
    // A breaking change has its problem beside it.
    { kind: 'problems', problems: foldAlike(problems.filter(({ breaking }) => !breaking)) },
    ...(wayOut ? [wayOut] : []),
    ...(comparison ? [comparisonBlock(comparison)] : []),
    { kind: 'contracts', title: 'Blocked and breaking', details: gatherAlike(grave) },
    ...exceptionsFor(plan, view.merge && 'open', view.covered),
    { kind: 'contracts', title: 'Contracts', details: gatherAlike(asked) },
    ...ofTeams(owned),
    ...driftBlocks(plan, view),
    ...(isWhole
      ? [{ kind: 'contracts', title: 'Unchanged', details: unchanged.map(alone) } as const]
      : []),
    ...nameBlocks(plan).filter(({ most }) => most > 0 || isWhole),
    { kind: 'facts', facts: shownFacts([...factsBelow(plan), ...subjectOf(plan)], hidden) },
  ];
}

function shownFacts(facts: readonly Fact[], hidden: readonly string[]): Fact[] {
  return facts.filter(({ name = '', value }) => value !== '' && !hidden.includes(name));
}

function ofTeams(contracts: readonly ContractReport[]): Block[] {
  const teams = Map.groupBy(contracts, ({ team = '' }) => team);
  return [...teams]
    .toSorted(([a], [b]) => compareNames(a, b))
    .flatMap(([team, own]) => [
      { kind: 'heading', words: [team] },
      { kind: 'contracts', details: gatherAlike(own) },
    ]);
}

function rank({ verdict, breaking, transition }: ContractReport): number {
  const among = breaking ? 0 : transition ? 1 : 2;
  return 3 * ['blocked', 'create', 'update', 'missing'].indexOf(verdict) + among;
}

// Digits of a commit, unique in a large repository.
const shortCommit = 12;

function subjectOf(plan: Plan): Fact[] {
  const { catalogUrl, environment = '', dialect, commit = '' } = plan;
  const release = dialect?.release === undefined ? '' : `, release ${dialect.release}`;
  const changed = plan.uncommitted ? ', with uncommitted changes' : '';
  return [
    { name: 'catalog', value: catalogUrl, as: 'code' },
    { name: 'environment', value: environment, as: 'strong' },
    { name: 'dialect', value: dialect === undefined ? '' : `${dialect.name}${release}` },
    { name: 'commit', value: commit && `${commit.slice(0, shortCommit)}${changed}` },
    { name: 'base', value: baseOf(plan) },
  ];
}

function baseOf({ commit, base, defaultBase, summary }: Plan): string {
  if (base !== undefined) {
    const short = base.slice(0, shortCommit);
    if (defaultBase === undefined) return short;
    return `${short}, the last commit shared with ${defaultBase} (--no-base plans without)`;
  }
  // Outside of git nobody expects one.
  if (commit === undefined || summary.update === 0) return '';
  return 'none (--base REF tells edits of the catalog apart)';
}

function factsBelow({ summary: { unchanged, unmanaged }, selection, planHash = '' }: Plan): Fact[] {
  const leftOut = selection?.leftOut.length ?? 0;
  const live = count(unmanaged, 'live contract', 'live contracts');
  const without = `${count(leftOut, 'contract', 'contracts')} left out of this plan`;
  return [
    { value: `${unchanged} unchanged` },
    { value: unmanaged > 0 ? `${live} without a file, left alone` : '' },
    { value: leftOut > 0 ? without : '' },
    { name: 'plan hash', value: planHash, as: 'code' },
  ];
}

/** Written out, as programs see it. */
export type PlanTextOptions = {
  readonly palette: Palette;
  /** Columns of the screen; other media get whole lines. */
  readonly width?: number | undefined;
  /** The flag that shows all, named where something is left out; without it no hint is given. */
  readonly more?: string | undefined;
  /** Epoch milliseconds: shows ages; without it days. */
  readonly now?: number | undefined;
  /** `all` names unchanged and unmanaged contracts too, `totals` none at all. */
  readonly detail: 'all' | 'changes' | 'totals';
  /** Shows patches and documents. */
  readonly verbose?: boolean | undefined;
  /** The pull request whose reviews count: none on the command line. */
  readonly pull?: 'open' | 'merged' | undefined;
  readonly covered?: readonly string[] | undefined;
};

/** For a terminal or a log, which is read from its end; ends with a line break. */
export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  const { detail, now, width, verbose, pull, covered } = options;
  const isOnScreen = width !== undefined;
  const all = detail === 'all';
  const isBrief = detail === 'totals';
  const report = describePlan(plan, { all, now, verbose });
  const { contracts, diagnostics, problems } = report;
  const details = all ? contracts.map(alone) : gatherAlike(contracts);
  const isLong = !isBrief && Math.max(contracts.length, diagnostics.length) > mostAtAGlance;
  const errors: ReportedProblem[] = [];
  // Those of the whole run, which the top has, first: they are few, and the rest may hang on them.
  if (isLong) errors.push(...ofSeverity(diagnostics, 'error'));
  if (isLong || isBrief) errors.push(...foldAlike(problems.filter(explainsBlock)));
  const content: readonly Block[] = [
    ...(isOnScreen && hasChanges(plan) ? [note({ text: signLegend, as: 'faint' })] : []),
    { kind: 'contracts', details },
    ...agreementBlocks(plan, { now, pull }),
    ...driftBlocks(plan, { now }),
    ...exceptionsFor(plan, pull, covered),
    ...nameBlocks(plan).map((block) => (all ? { ...block, most: Infinity } : block)),
  ];
  const blocks: readonly Block[] = [
    { kind: 'facts', facts: shownFacts(subjectOf(plan), []) },
    { kind: 'problems', problems: diagnostics },
    ...(isBrief ? [] : content),
    { kind: 'problems', problems: errors, most: mostAtAGlance },
    ...closing(report, isBrief),
    ...(isLong && errors[0] ? [firstError(errors[0])] : []),
  ];
  return renderText({ blocks }, options);
}

// An error of a contract, or an exception that would have allowed it.
function explainsBlock({ contract, severity, scope }: ReportedProblem): boolean {
  if (contract === undefined) return false;
  return severity === 'error' || (severity === 'warning' && scope === 'change');
}

// With more contracts, the top of the plan is out of sight at its end.
const mostAtAGlance = 10;

const signLegend =
  'Signs: + create, add  ~ update, change  - remove  > move  » status  ! blocked  ? missing';

function firstError({ source, contract, message, code }: ReportedProblem): Block {
  const place = source ? `${placeText(source)}: ` : '';
  const value = `${place}${message} [${code}]${contract === undefined ? '' : ` ${contract}`}`;
  return { kind: 'facts', facts: [{ name: 'first error', value }] };
}

function closing({ plan, problems, contracts }: PlanReport, isBrief: boolean): Block[] {
  if (plan.planHash === undefined) return [note({ text: 'No plan was made.', as: 'error' })];
  const leftOut = plan.selection?.leftOut.length ?? 0;
  const errors = ofSeverity(problems, 'error');
  const notSelected = isBrief ? total(leftOut, `${leftOut} left out`) : [];
  const hash = note({ text: `Plan hash: ${plan.planHash}`, as: 'faint' });
  if (!hasChanges(plan) && errors.length > 0) {
    const known = planTotals(plan).filter(({ words }) => words !== '0 unchanged');
    const totals = totalWords([...known, ...notSelected]);
    const verdict: Phrase = { text: `Nothing to apply, ${countProblems(errors)}`, as: 'error' };
    return [note([verdict, totals.length > 0 ? ': ' : '', ...totals, '.']), hash];
  }
  const blocked = contracts.filter(({ verdict }) => verdict === 'blocked');
  const others = errors.filter(({ contract }) => !blocked.some(({ label }) => label === contract));
  const ofOthers = total(others.length, countProblems(others), 'error');
  const verdict: Phrase = hasChanges(plan)
    ? { text: 'Plan:', as: 'strong' }
    : { text: 'No changes.', as: 'good' };
  const totals = totalWords([
    ...planTotals(plan),
    ...overwriting(plan),
    ...notSelected,
    ...ofOthers,
  ]);
  return [note([verdict, ' ', ...totals, '.']), hash];
}

/** The gravest first. Transitions are among them, for a reviewer to see. */
export function problemsAtLines(plan: Plan, { isApplied = false } = {}): ReportedProblem[] {
  const contracts = describeContracts(plan.contracts);
  return sortByGravity([
    ...plan.diagnostics.filter(isShown),
    ...contracts.flatMap(({ problems, reasons }) => [...problems, ...reasons]),
    ...contracts.flatMap(({ verdict, label, transition }): Diagnostic[] => {
      const isPlanned = !isApplied && (verdict === 'update' || verdict === 'create');
      if (!isPlanned || !transition?.source) return [];
      const { from, to, source } = transition;
      const message = `${label}: ${from ?? 'no status'} → ${to ?? 'no status'}.`;
      return [{ code: 'status-transition', severity: 'information', message, source }];
    }),
  ]);
}

export function renderPlanJson(plan: Plan, { all }: { readonly all: boolean }): string {
  const contracts = all
    ? plan.contracts
    : plan.contracts.filter((contract) => needsEyes(contract) || 'drift' in contract);
  // Problems of the whole plan come before those of one contract.
  const failure = failureOf([...plan.diagnostics, ...plan.contracts.flatMap(contractProblems)]);
  return formatDocument(sealPlan(withPatches({ ...plan, contracts, ...failure })));
}
