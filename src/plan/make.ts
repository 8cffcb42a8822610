import { hasErrors, sortDiagnostics, type Diagnostic } from '../core/diagnostic.ts';
import { contractLabel } from '../contract/identity.ts';
import { compareCodeUnits } from '../core/json.ts';
import { planHash } from './fingerprint.ts';
import {
  contractProblems,
  forbidsApply,
  isBreaking,
  type Action,
  type ContractPlan,
  type DriftedPlace,
  type Plan,
  type PlanSubject,
  type PlanSummary,
} from './plan.ts';

type Given = {
  readonly [
    member in 'dialect' | 'environment' | 'base' | 'defaultBase' | 'arrays' | 'selection'
  ]?: Plan[member] | undefined;
};

/** The ordered whole: the same contracts give the same plan, in whatever order they come. */
export function makePlan(
  catalogUrl: string,
  contracts: readonly ContractPlan[],
  diagnostics: readonly Diagnostic[],
  given: Given = {},
): Plan {
  const { dialect, environment, base, defaultBase, arrays, selection } = given;
  const sorted = sortContracts(contracts);
  return {
    formatVersion: '3.0',
    catalogUrl,
    ...(dialect && { dialect }),
    ...(environment !== undefined && { environment }),
    ...(base !== undefined && { base }),
    ...(defaultBase !== undefined && { defaultBase }),
    planHash: planHash(sorted, environment),
    errored:
      hasErrors(diagnostics) ||
      sorted.some((contract) => contractProblems(contract).some(forbidsApply)),
    summary: summarize(sorted),
    contracts: sorted,
    ...(arrays && { arrays }),
    diagnostics: sortDiagnostics(diagnostics),
    ...(selection && { selection }),
  };
}

/** What stands in place of a plan that could not be made. */
export function erroredPlan(
  { catalogUrl, environment }: PlanSubject,
  diagnostics: readonly Diagnostic[],
): Plan {
  return {
    formatVersion: '3.0',
    catalogUrl,
    ...(environment !== undefined && { environment }),
    errored: true,
    summary: summarize([]),
    contracts: [],
    diagnostics: sortDiagnostics(diagnostics),
  };
}

/** By name for people, then by id and file: names are not unique. */
function sortContracts(contracts: readonly ContractPlan[]): ContractPlan[] {
  return contracts
    .map((contract) => ({ contract, label: contractLabel(contract), tie: tieBreaker(contract) }))
    .toSorted((a, b) => compareCodeUnits(a.label, b.label) || compareCodeUnits(a.tie, b.tie))
    .map(({ contract }) => contract);
}

function tieBreaker(contract: ContractPlan): string {
  if (contract.action !== 'missing' && contract.action !== 'create') return contract.id;
  const { file, line } = contract.source;
  return `${file}:${String(line).padStart(10, '0')}`;
}

function summarize(contracts: readonly ContractPlan[]): PlanSummary {
  const counts: Record<Action, number> = {
    update: 0,
    unchanged: 0,
    missing: 0,
    unmanaged: 0,
    blocked: 0,
    create: 0,
  };
  for (const { action } of contracts) counts[action] += 1;
  const { create, ...others } = counts;
  const changed = contracts.filter(({ action }) => action === 'update' || action === 'create');
  const { edited = 0, notApplied = 0, unknown = 0 } = countReasons(contracts);
  return {
    ...others,
    ...(create > 0 && { create }),
    transitions: changed.filter((contract) => 'transition' in contract).length,
    breaking: contracts.filter(isBreaking).length,
    drift: edited,
    ...(notApplied > 0 && { notApplied }),
    ...(unknown > 0 && { unknown }),
  };
}

/** Why a place differs from the base. */
export type LeftReason = (typeof leftReasons)[number];

export const leftReasons = ['edited', 'notApplied', 'unknown'] as const;

/** How many contracts differ from the base for each reason. */
function countReasons(contracts: readonly ContractPlan[]): { [kind in LeftReason]?: number } {
  const counts: { [kind in LeftReason]?: number } = {};
  for (const contract of contracts) {
    const left = 'drift' in contract ? contract.drift.differences.map(leftReason) : [];
    const changes = 'changes' in contract ? contract.changes : [];
    const isPlanned = changes.some(({ cause }) => cause === 'not-applied');
    for (const kind of new Set([...left, ...(isPlanned ? (['notApplied'] as const) : [])]))
      counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

export function leftReason({ mergedIn, unknown }: DriftedPlace): LeftReason {
  if (mergedIn !== undefined) return 'notApplied';
  return unknown === undefined ? 'edited' : 'unknown';
}
