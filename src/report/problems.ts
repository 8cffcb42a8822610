import type { Diagnostic, Problem, Severity } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import type { Validation } from '../files/files.ts';
import {
  type ContractPlan,
  heldChanges,
  isBreaking,
  isHeld,
  isIncomplete,
  type Plan,
  plannedChanges,
  updates,
  contractProblems,
  creations,
} from '../plan/plan.ts';
import {
  type Gravity,
  note,
  type Phrase,
  type Report,
  type ReportedProblem,
  type Block,
} from './blocks.ts';

const severities: readonly Severity[] = ['error', 'warning', 'information'];

export function countProblems(problems: readonly Diagnostic[]): string {
  const counts = severities.flatMap((wanted) => {
    const word = wanted === 'information' ? 'remark' : wanted;
    const of = ofSeverity(problems, wanted).length;
    return total(of, count(of, word, `${word}s`));
  });
  return joinTotals(counts);
}

export function ofSeverity<Kind extends Diagnostic>(problems: readonly Kind[], wanted: Severity) {
  return problems.filter(({ severity }) => severity === wanted);
}

/**
 * False for harmless ones, which the change itself shows, for remarks on a file, which are the same
 * in each plan, and for those on the run, which standard error has.
 */
export function isShown({ impact, severity, scope }: Problem): boolean {
  const isStanding = scope === 'contract' || scope === 'run';
  return impact !== 'information' && !(severity === 'information' && isStanding);
}

export function needsEyes(contract: ContractPlan): boolean {
  if (contract.action === 'unmanaged')
    return contract.hadFile !== undefined || (contract.inScope ?? false);
  return contract.action !== 'unchanged' || contract.problems.length > 0;
}

export function sortByGravity<Kind extends Problem>(problems: readonly Kind[]): Kind[] {
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ severity, impact }: Problem): number {
  return 2 * severities.indexOf(severity) + (impact === 'breaking' ? 0 : 1);
}

const fewestAlike = 3;

export function groupAlike<Each>(all: readonly Each[], likeness: (each: Each) => string) {
  const groups = [...Map.groupBy(all, likeness).values()];
  const large = groups.filter(({ length }) => length >= fewestAlike);
  return new Map(large.flatMap((members) => members.map((each) => [each, members] as const)));
}

/** What is wrong in the same words with several contracts is said once, with their number. */
export function foldAlike(problems: readonly ReportedProblem[]): ReportedProblem[] {
  const ofContracts = problems.filter(({ contract }) => contract !== undefined);
  const alike = groupAlike(ofContracts, ({ code, severity, message, hint }) =>
    JSON.stringify([code, severity, message, hint]),
  );
  const groups = [...new Set(alike.values())];
  const amounts = new Map(
    groups.map((same) => [same, new Set(same.map(({ contract }) => contract)).size]),
  );
  return problems.flatMap((problem) => {
    const same = alike.get(problem);
    const amount = (same && amounts.get(same)) ?? 0;
    if (!same || amount < fewestAlike) return [problem];
    if (same[0] !== problem) return [];
    const { contract: _contract, source: _source, message, ...others } = problem;
    // A finding about a change says what happens: `Column fax_number is removed.`
    const words = problem.impact
      ? `${message.replace(/\.$/u, '')} in ${amount} contracts.`
      : `${amount} contracts: ${message}`;
    return [{ ...others, message: words }];
  });
}

// Characters: a remark is read in passing, and its end is as telling as its start.
const longestRemark = 199;
const restOfRemark = 70;

/** A remark without its middle where it is long; an error and a warning are whole. */
export function messageOf({ severity, message }: Problem): string {
  if (severity !== 'information' || message.length <= longestRemark) return message;
  const start = message.slice(0, longestRemark - restOfRemark - 1).toWellFormed();
  return `${start}…${message.slice(-restOfRemark).toWellFormed()}`;
}

// Of one slip in many files.
const manyAlike = 10;

/** A hint that many problems have stands once, in front of all; that of a few at the last in a row. */
export function gatherHints(problems: readonly ReportedProblem[]): ReportedProblem[] {
  const leading: ReportedProblem[] = [];
  const repeated = new Set<ReportedProblem>();
  for (const alike of Map.groupBy(problems, ({ code, hint }) => `${code} ${hint}`).values()) {
    const [first] = alike;
    if (first?.hint === undefined || alike.length < manyAlike) continue;
    for (const problem of alike) repeated.add(problem);
    const { code, severity, hint } = first;
    leading.push({ code, severity, message: `${alike.length} problems have one hint:`, hint });
  }
  const others = problems.map((problem, index): ReportedProblem => {
    const { hint, ...rest } = problem;
    return hint === problems[index + 1]?.hint || repeated.has(problem) ? rest : problem;
  });
  return [...leading, ...others];
}

const mostRemarks = 10;

/** Of many remarks of one kind, each on its own file, the first ones stand for all. */
export function foldRemarks(problems: readonly Diagnostic[]): Diagnostic[] {
  const remarks = ofSeverity(problems, 'information');
  const many = [...Map.groupBy(remarks, ({ code }) => code)].filter(
    ([, { length }]) => length > mostRemarks,
  );
  const left = new Set(many.flatMap(([, alike]) => alike.slice(fewestAlike)));
  const rests = many.map(([code, { length }]): Diagnostic => {
    const message = `${length - fewestAlike} more are as these.`;
    return { code, severity: 'information', message, hint: '`--all` lists them.' };
  });
  return [...problems.filter((each) => !left.has(each)), ...rests];
}

export type Total = { readonly words: string; readonly gravity?: Gravity };

export function total(amount: number, words: string, gravity?: Gravity): Total[] {
  return amount > 0 ? [{ words, ...(gravity && { gravity }) }] : [];
}

export function joinTotals(totals: readonly Total[]): string {
  return totals.map(({ words }) => words).join(', ');
}

export function totalWords(totals: readonly Total[]): Phrase[] {
  return totals.flatMap(({ words: text, gravity: as = 'own' as const }, index): Phrase[] => [
    index === 0 ? '' : ', ',
    { text, as },
  ]);
}

export function planVerdict(plan: Plan): string {
  if (plan.planHash === undefined) return 'no plan could be made';
  const { create = 0, update, blocked, missing, transitions, breaking } = plan.summary;
  const held = heldChanges(plan).length;
  const left = [
    ...total(held, `${held} held`),
    ...total(blocked, `${blocked} blocked`),
    ...total(missing, `${missing} missing`),
  ];
  const errors = ofSeverity(plan.diagnostics, 'error').length;
  const causes = joinTotals([...total(errors, count(errors, 'error', 'errors')), ...left]);
  if (plan.errored || (create + update === 0 && blocked > 0))
    return `nothing: ${causes || 'the plan has errors'}`;
  return joinTotals([
    ...(hasChanges(plan) ? [] : [{ words: 'no changes' }]),
    ...total(create, `${create} to create`),
    ...total(update, `${update} to update`),
    ...total(transitions, inTransitions(transitions)),
    ...total(breaking, `${breaking} breaking`),
    ...overwriting(plan),
    ...left,
  ]);
}

export function planTotals(plan: Plan): Total[] {
  const { update, unchanged, missing, unmanaged, blocked, transitions } = plan.summary;
  const { breaking, drift, create = 0, notApplied = 0, unknown = 0 } = plan.summary;
  const held = heldChanges(plan).length;
  const begun = creations(plan).filter(({ transition }) => transition !== undefined).length;
  return [
    ...(hasChanges(plan)
      ? [{ words: `${update} to update${inBrackets(transitions - begun)}` }]
      : []),
    ...total(create, `${create} to create${inBrackets(begun)}`),
    ...total(held, `${held} held`, 'error'),
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

export function hasChanges({ summary: { create = 0, update, blocked } }: Plan): boolean {
  return create + update + blocked > 0;
}

function inBrackets(transitions: number): string {
  return transitions > 0 ? ` (${inTransitions(transitions)})` : '';
}

function inTransitions(amount: number): string {
  return count(amount, 'status transition', 'status transitions');
}

/** `updates 3 contracts`, and what of that is worth a look: `1 breaking`. */
export function deedsOf(plan: Plan) {
  const sent = plannedChanges(plan).filter((change) => !isHeld(change));
  const { create = 0 } = plan.summary;
  const update = sent.length - create;
  const transitions = sent.filter(({ transition }) => transition).length;
  // The summary also counts what is blocked.
  const breaking = sent.filter(isBreaking).length;
  const deeds = [
    ...total(create, `creates ${count(create, 'contract', 'contracts')}`),
    ...total(update, `updates ${count(update, 'contract', 'contracts')}`),
  ].map(({ words }) => words);
  const grave = [...total(breaking, `${breaking} breaking`), ...overwriting(plan)];
  const totals = [...grave, ...total(transitions, inTransitions(transitions))];
  const notable = deeds.length > 0 && totals.length > 0 ? `: ${joinTotals(totals)}` : '';
  return { deeds: deeds.join(' and '), notable, isGrave: grave.length > 0 };
}

/** Updates by which an edit of the catalog is lost. */
export function overwriting(plan: Plan): Total[] {
  const amount = updates(plan).filter(
    (change) =>
      !isHeld(change) &&
      change.changes.some(
        ({ cause, unknown }) =>
          cause === 'conflict' || (cause === 'drift' && unknown === undefined),
      ),
  ).length;
  return total(amount, count(amount, 'overwrites an edit', 'overwrite edits'));
}

export function inFiles(contracts: number, files: number): string {
  return `${count(contracts, 'contract', 'contracts')} in ${count(files, 'file', 'files')}`;
}

export function validationVerdict({ summary }: Validation): string {
  const { contracts, files } = summary;
  return joinTotals([{ words: inFiles(contracts, files) }, ...totalsOf(summary)]);
}

export function validationScreen(validation: Validation): Report {
  const { diagnostics: problems, summary } = validation;
  const { contracts, files } = summary;
  const totals = totalsOf(summary);
  const good = `; ${count(contracts, 'contract', 'contracts')} without errors`;
  const end = `${contracts > 0 ? good : ''}.`;
  // An unusable configuration ends the run before files are looked for.
  const read = files > 0 ? [`${count(files, 'file', 'files')}, `] : [];
  const words: readonly Phrase[] =
    totals.length > 0
      ? [...read, ...totalWords(totals), end]
      : [{ text: 'No problems:', as: 'good' }, ` ${validationVerdict(validation)}.`];
  return { blocks: [{ kind: 'problems', problems }, note(words)] };
}

function totalsOf({ errors, warnings }: Validation['summary']): Total[] {
  return [
    ...total(errors, count(errors, 'error', 'errors'), 'error'),
    ...total(warnings, count(warnings, 'warning', 'warnings'), 'warning'),
  ];
}

const mostEntries = 20;

/** The entries of `allow` that would let a plan's changes through; true for those of blocked ones. */
export function neededExceptions({ contracts, rollback }: Plan): ReadonlyMap<string, boolean> {
  const needed = new Map<string, boolean>();
  for (const contract of contracts) {
    const { fullyQualifiedName: name } = contract;
    if (name === undefined) continue;
    // A rollback is allowed by its reason, unless its readers have to agree.
    const blocked = (rollback ? [] : contractProblems(contract))
      .filter(({ severity, impact }) => severity === 'error' && impact === 'breaking')
      .map(({ code: rule, place }) => ({ rule, place }));
    const held = contract.action === 'update' && isHeld(contract) ? contract.agreement?.losses : [];
    for (const { rule, place } of [...blocked, ...(held ?? [])]) {
      const named = place === undefined ? '' : `, place: ${spell(place)}`;
      const end = 'reason: "…", until: YYYY-MM-DD }';
      needed.set(
        `  - { contract: ${spell(name)}, rule: ${rule}${named}, ${end}`,
        blocked.length > 0,
      );
    }
  }
  return needed;
}

/** `covered`: those that the configuration of an open pull request already has. */
export function exceptionsFor(
  plan: Plan,
  pull: 'open' | 'merged' | undefined,
  covered: readonly string[] = [],
): Block[] {
  const needed = [...neededExceptions(plan)].filter(([entry]) => !covered.includes(entry));
  if (needed.length === 0) return [];
  const rest = needed.length - mostEntries;
  const more =
    rest > 0 ? [`  # and ${rest} more; a pattern, as warehouse.sales.*, covers many`] : [];
  const entries = needed.slice(0, mostEntries).map(([entry]) => entry);
  const purpose = needed.some(([, isBlocked]) => isBlocked)
    ? 'To allow what breaks consumers, once they agree'
    : 'To apply it without the agreement of its readers';
  const where = pull === 'open' ? ', in a pull request of its own, merged before this one' : '';
  const lead = `${purpose}, add to contract-sync.yaml with a reason and a last day${where}:`;
  const command = ['allow:', ...entries, ...more].join('\n');
  return [{ kind: 'command', lead, command, language: 'yaml' }];
}

function spell(name: string): string {
  return /^[\w.-]+$/u.test(name) ? name : JSON.stringify(name);
}
