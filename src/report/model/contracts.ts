/** What there is to say of each contract of a plan, and in what order. */

import { contractLabel } from '../../contract/identity.ts';
import type { Problem, Severity, SourcePosition } from '../../core/diagnostic.ts';
import {
  type Change,
  type ContractPlan,
  type CreatePlan,
  isBreaking,
  type Plan,
  type Transition,
  type UnmanagedPlan,
  type UpdatePlan,
} from '../../plan/plan.ts';
import { blameWords, type ChangeReport, changeSigns, reportChange } from './change.ts';
import { type Gravity, isTold, type ReportedProblem } from './problems.ts';

export type ContractsReport = {
  /** What needs eyes, by name. */
  readonly contracts: readonly ContractReport[];
  /** What an apply does to the status of contracts, by name, and how many make the same move. */
  readonly transitions: readonly ContractTransition[];
  readonly moves: readonly Move[];
  /** The live contracts without a file, which are left alone, by name. */
  readonly unmanaged: readonly UnmanagedReport[];
};

/** A live contract without a file: `had a file until main: contracts/orders.yaml`. */
export type UnmanagedReport = { readonly label: string; readonly note?: string };

export type ContractTransition = Required<Pick<ContractReport, 'label' | 'transition'>>;

export type Move = Transition & { readonly of: number };

type FiledPlan = Exclude<ContractPlan, { readonly action: 'unmanaged' }>;

/** A contract that has a file. */
export type ContractReport = {
  readonly label: string;
  readonly verdict: FiledPlan['action'];
  /** Whether it breaks consumers, blocked or allowed. */
  readonly breaking: boolean;
  /** Of the worst that is to be said of it beside its verdict. */
  readonly gravity: Gravity;
  readonly source: SourcePosition;
  /** With the place that asks for it. */
  readonly transition?: Transition & {
    readonly source?: SourcePosition;
    readonly blame?: string;
  };
  /** What was planned against, and what to expect: `0.2 or 1.0`. */
  readonly versions?: { readonly before: string; readonly expected?: string };
  /** All changes, the transition first. */
  readonly changes: readonly ChangeReport[];
  /** What changes beside the status. */
  readonly fields: readonly FieldReport[];
  readonly problems: readonly ReportedProblem[];
  /** Problems that say no more than the verdict does. */
  readonly reasons: readonly Problem[];
};

type FieldReport = {
  readonly field: string;
  readonly changes: readonly ChangeReport[];
  /** How many of its elements come, go and change. */
  readonly elements: readonly { readonly sign: ChangeReport['sign']; readonly of: number }[];
};

type ContractsView = {
  readonly all?: boolean | undefined;
  /** Epoch milliseconds, for those who read at once. */
  readonly now?: number | undefined;
};

/** With `all` the unchanged are named too, and what harms nobody is told. */
export function describeContracts(plan: Plan, view: ContractsView = {}): ContractsReport {
  const { all = false } = view;
  const contracts = plan.contracts
    .filter((contract) => contract.action !== 'unmanaged')
    .filter((contract) => all || needsEyes(contract))
    .map((contract) => describeContract(contract, view));
  const transitions = findTransitions(contracts);
  return {
    contracts,
    transitions,
    moves: countMoves(transitions),
    unmanaged: plan.contracts
      .filter((contract) => contract.action === 'unmanaged')
      .map(describeUnmanaged),
  };
}

function describeUnmanaged(contract: UnmanagedPlan): UnmanagedReport {
  const { hadFile } = contract;
  const label = contractLabel(contract);
  return hadFile
    ? { label, note: `had a file until ${hadFile.until}: ${hadFile.file}` }
    : { label };
}

/** What matches and what is not this repository's is only counted. */
export function needsEyes(contract: ContractPlan): boolean {
  if (contract.action === 'unmanaged')
    return contract.hadFile !== undefined || (contract.inScope ?? false);
  return contract.action !== 'unchanged' || contract.problems.length > 0;
}

function describeContract(contract: FiledPlan, { all, now }: ContractsView): ContractReport {
  const { action, source } = contract;
  const label = contractLabel(contract);
  const told = contract.problems
    .filter((problem) => all || isTold(problem))
    .map((problem) => ({ ...problem, contract: label, breaking: problem.impact === 'breaking' }));
  const isReason = ({ severity }: Problem): boolean => action === 'missing' && severity !== 'error';
  const problems = told.filter((problem) => !isReason(problem));
  return {
    label,
    verdict: action,
    breaking: isBreaking(contract),
    gravity: contractGravity(action, problems),
    source,
    problems,
    reasons: told.filter(isReason),
    ...('changes' in contract ? describeUpdate(contract, now) : { changes: [], fields: [] }),
  };
}

function contractGravity(action: FiledPlan['action'], problems: readonly Problem[]): Gravity {
  const has = (wanted: Severity): boolean => problems.some(({ severity }) => severity === wanted);
  if (action === 'blocked' || has('error')) return 'error';
  return has('warning') ? 'warning' : 'good';
}

/** What a reviewer has to read before all else. */
export function isGrave({ verdict, breaking }: ContractReport): boolean {
  return verdict === 'blocked' || breaking;
}

function describeUpdate(contract: UpdatePlan | CreatePlan, now: number | undefined) {
  const { transition, changes } = contract;
  const { liveVersion, predictedVersions } = contract.action === 'create' ? notThere : contract;
  const move = changes.find(isTransition);
  const source = move?.source;
  const expected = describeExpected(liveVersion, predictedVersions);
  return {
    ...(transition && {
      transition: {
        ...transition,
        ...(source && { source }),
        ...(move?.blame && { blame: blameWords(move.blame, now) }),
      },
    }),
    ...(liveVersion !== undefined && {
      versions: { before: liveVersion, ...(expected !== '' && { expected }) },
    }),
    changes: changes.flatMap((change) => reportChange(change, now)),
    fields: describeFields(
      changes.filter((change) => !isTransition(change)),
      now,
    ),
  };
}

/** A change may be counted together with an earlier one: then the version stays. */
function describeExpected(before: string | undefined, predicted: readonly string[]): string {
  const next = predicted.filter((version) => version !== before).join(' or ');
  return next.length > 0 && next !== predicted.join(' or ') ? `${next}, or still ${before}` : next;
}

/** What is to be created has no version yet. */
const notThere: Pick<UpdatePlan, 'liveVersion' | 'predictedVersions'> = { predictedVersions: [] };

function isTransition({ path }: Change): boolean {
  return path === '/entityStatus';
}

function describeFields(changes: readonly Change[], now: number | undefined): FieldReport[] {
  const fields = Map.groupBy(changes, ({ path }) => path.split('/')[1] ?? '');
  return [...fields].map(([field, edits]) => {
    const inside = edits.filter(({ path }) => path.split('/').length > 2);
    const elements = (['added', 'removed', 'changed'] as const)
      .map((sign) => ({ sign, of: inside.filter(({ kind }) => changeSigns[kind] === sign).length }))
      .filter(({ of }) => of > 0);
    return { field, changes: edits.flatMap((change) => reportChange(change, now)), elements };
  });
}

/** What is blocked moves nowhere. */
function findTransitions(contracts: readonly ContractReport[]): ContractTransition[] {
  return contracts.flatMap(({ verdict, label, transition }) =>
    (verdict === 'update' || verdict === 'create') && transition ? [{ label, transition }] : [],
  );
}

function countMoves(transitions: readonly ContractTransition[]): Move[] {
  const moves = transitions.map(({ transition: { from, to } }) => ({ from, to }));
  const groups = Map.groupBy(moves, (move) => JSON.stringify(move));
  return [...groups.values()].flatMap(([move, ...same]) =>
    move ? [{ ...move, of: 1 + same.length }] : [],
  );
}
