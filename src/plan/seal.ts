/** Joins plans of contracts into one ordered plan, with the fingerprints and hashes of its changes. */

import { hash } from 'node:crypto';
import { contractLabel, idKey } from '../contract/identity.ts';
import type { Conventions } from '../contract/conventions.ts';
import { hasErrors, sortDiagnostics, type Diagnostic } from '../core/diagnostic.ts';
import {
  compareCodeUnits,
  defined,
  sortKey,
  canonicalJson,
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import type { DiffOptions } from '../patch/identity.ts';
import {
  type Action,
  type ContractPlan,
  contractProblems,
  type DriftedPlace,
  isBreaking,
  type Plan,
  type PlannedDialect,
  type PlanSubject,
  plannedChanges,
  type PlanSummary,
  type SelectionSummary,
  type Change,
  type CreatePlan,
  type UpdatePlan,
} from './plan.ts';
import { diffByPlace, type Difference, type Sides } from '../patch/describe.ts';
import { evaluate, PatchError } from '../patch/evaluate.ts';
import type { Edit } from '../patch/diff.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../patch/pointer.ts';
import { withoutAdditions } from '../patch/preserve.ts';

type PlanHead = {
  readonly dialect?: PlannedDialect | undefined;
  readonly environment?: string | undefined;
  readonly base?: string | undefined;
  readonly defaultBase?: string | undefined;
  readonly arrays?: DiffOptions | undefined;
  readonly selection?: SelectionSummary | undefined;
};

/** Deterministic: the order of the contracts given has no effect. */
export function makePlan(
  catalogUrl: string,
  contracts: readonly ContractPlan[],
  diagnostics: readonly Diagnostic[],
  { dialect, environment, base, defaultBase, arrays, selection }: PlanHead = {},
): Plan {
  // By name for people, then by id and file, as names are not unique.
  const sorted = contracts
    .map((contract) => ({
      contract,
      label: sortKey(contractLabel(contract)),
      tie: sortKey(keyOfPlan(contract)),
    }))
    .toSorted((a, b) => compareCodeUnits(a.label, b.label) || compareCodeUnits(a.tie, b.tie))
    .map(({ contract }) => contract);
  return {
    formatVersion: '1.0',
    catalogUrl,
    ...defined({ dialect, environment, base, defaultBase }),
    planHash: planHash(sorted, environment),
    errored:
      hasErrors(diagnostics) ||
      sorted.some((contract) =>
        contractProblems(contract).some(
          ({ severity, scope, isDrift }) =>
            severity === 'error' && !isDrift && scope !== 'contract',
        ),
      ),
    summary: summarize(sorted),
    contracts: sorted,
    ...defined({ arrays }),
    diagnostics: sortDiagnostics(withoutTold(diagnostics, sorted)),
    ...defined({ selection }),
  };
}

// A slip of a file may be an error of its contract.
function withoutTold(diagnostics: readonly Diagnostic[], contracts: readonly ContractPlan[]) {
  const errors = contracts
    .flatMap(contractProblems)
    .filter(({ severity, source }) => severity === 'error' && source !== undefined);
  const told = new Set(errors.map(codeAtPlace));
  return diagnostics.filter((each) => each.severity !== 'warning' || !told.has(codeAtPlace(each)));
}

function codeAtPlace({ code, source }: Diagnostic): string {
  return JSON.stringify([code, source]);
}

// The id of a live contract; the place of a file that has none. Places sort by file, then line.
function keyOfPlan(contract: ContractPlan): string {
  if (contract.action !== 'missing' && contract.action !== 'create') return contract.id;
  const { file, line, column } = contract.source;
  return [file, String(line).padStart(10, '0'), column].join(':');
}

export function erroredPlan(
  { catalogUrl, environment }: PlanSubject,
  diagnostics: readonly Diagnostic[],
): Plan {
  const { planHash: _, ...plan } = makePlan(catalogUrl, [], diagnostics, { environment });
  return { ...plan, errored: true };
}

function summarize(contracts: readonly ContractPlan[]): PlanSummary {
  const amount = (of: Action): number => contracts.filter(({ action }) => action === of).length;
  const create = amount('create');
  const changed = contracts.filter(({ action }) => action === 'update' || action === 'create');
  const { edited = 0, notApplied = 0, unknown = 0 } = countReasons(contracts);
  return {
    update: amount('update'),
    unchanged: amount('unchanged'),
    missing: amount('missing'),
    unmanaged: amount('unmanaged'),
    blocked: amount('blocked'),
    ...(create > 0 && { create }),
    transitions: changed.filter((contract) => 'transition' in contract).length,
    breaking: contracts.filter(isBreaking).length,
    drift: edited,
    ...(notApplied > 0 && { notApplied }),
    ...(unknown > 0 && { unknown }),
  };
}

export const leftReasons = ['edited', 'notApplied', 'unknown'] as const;
export type LeftReason = (typeof leftReasons)[number];

function countReasons(contracts: readonly ContractPlan[]): { [kind in LeftReason]?: number } {
  const counts: { [kind in LeftReason]?: number } = {};
  for (const contract of contracts) {
    const { action } = contract;
    // A saved plan may hold members that its actions don't have.
    if (action !== 'update' && action !== 'blocked' && action !== 'unchanged') continue;
    const left = (contract.drift?.differences ?? []).map(leftReason);
    const changes = action === 'unchanged' ? [] : contract.changes;
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

type Values = { readonly before?: JsonValue; readonly after?: JsonValue };

/** What is removed is shown without the members that the server has added. */
export function inWordsOfFiles(
  pointer: Pointer,
  { before, after }: Values,
  { asWritten, equivalence }: Conventions,
): { readonly inWords?: Values } {
  const [field = '', ...deeper] = pointer;
  const written = (value: JsonValue): JsonValue =>
    deeper.length === 0 ? asWritten(field, value) : value;
  const words: Values = {
    ...(before !== undefined && {
      before:
        after === undefined
          ? withoutAdditions(written(before), pointer, equivalence)
          : written(before),
    }),
    ...(after !== undefined && { after: written(after) }),
  };
  const isOther = !deepEqual(words.before, before) || !deepEqual(words.after, after);
  return isOther ? { inWords: words } : {};
}

/** The RFC 6902 patch of a contract's changes; of a creation, from an empty document. */
export function patchOf(changes: readonly Change[]): readonly Edit['operation'][] {
  return changes.map(({ kind, path, from = '', after = null }) => {
    switch (kind) {
      case 'add':
      case 'replace':
        return { op: kind, path, value: after };
      case 'remove':
        return { op: kind, path };
      case 'move':
        return { op: kind, from, path };
    }
  });
}

/**
 * The fields that an update touches, before and after: the target, and the target with each change
 * reverted. Throws a PatchError where the changes do not lead to the target.
 */
export function sidesOf(contract: UpdatePlan | CreatePlan): Sides {
  const { changes } = contract;
  const patch = patchOf(changes);
  if (contract.action === 'create') {
    const target = evaluate({}, patch);
    return { live: {}, target: isObject(target) ? target : {} };
  }
  const target = Object.fromEntries(
    Object.entries(contract.target).filter(([, value]) => value !== null),
  );
  const live = changes.reduceRight<JsonValue>(
    (document, change) => evaluate(document, [inverse(change, document)]),
    target,
  );
  if (!isObject(live) || !deepEqual(evaluate(live, patch), target))
    throw new PatchError(-1, 'The patch leads to another target.');
  return { live, target };
}

function inverse({ kind, path, from = '', before = null }: Change, document: JsonValue) {
  switch (kind) {
    case 'add':
      return { op: 'remove', path: lastElement(path, document) } as const;
    case 'remove':
      return { op: 'add', path, value: before } as const;
    case 'replace':
      return { op: kind, path, value: before } as const;
    case 'move':
      return { op: kind, from: path, path: from } as const;
  }
}

/** After an element was added at `-`, it is the last one (RFC 6901 §4). */
export function lastElement(path: string, document: JsonValue): string {
  const pointer = parsePointer(path) ?? [];
  const array = valueAt(document, pointer.slice(0, -1));
  if (pointer.at(-1) !== '-' || !isArray(array)) return path;
  return formatPointer([...pointer.slice(0, -1), String(array.length - 1)]);
}

export function differencesOf(contract: UpdatePlan | CreatePlan, arrays: DiffOptions = {}) {
  const { live, target } = sidesOf(contract);
  if (contract.action !== 'create') return diffByPlace(live, target, arrays);
  return Object.entries(target).map(([field, after]) => ({ place: formatPointer([field]), after }));
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of the contract's id and its differences. Excludes
 * indices, versions, operations and clocks, so that approval survives them.
 */
export function fingerprintOf(id: string, differences: readonly Difference[]): string {
  const places = differences.map(({ place, before, after, behind }) => {
    // An absent value is an empty list, which differs from `null`.
    const sides = [before, after].map((value) => (value === undefined ? [] : [value]));
    return canonicalJson([place, ...sides, ...(behind === undefined ? [] : [behind])]);
  });
  return hashOf(`[${JSON.stringify(idKey(id))},[${places.toSorted(compareCodeUnits).join(',')}]]`);
}

export function fingerprintOfCreation(name: string, document: JsonObject): string {
  return checksumOf(['create', name, document]);
}

// Characters of 6 bits: two names share as many only by chance.
const markLength = 8;

/** Stands for an id or a name in the record of a comment. */
export function markOf(name: string): string {
  return hash('sha256', idKey(name), 'base64url').slice(0, markLength);
}

export function planHash(contracts: readonly ContractPlan[], environment?: string): string {
  return hashOfChanges(
    plannedChanges({ contracts }).map(({ fingerprint }) => fingerprint),
    environment,
  );
}

/** Includes the environment, if one was chosen: copies of a catalog have the same ids. */
export function hashOfChanges(fingerprints: readonly string[], environment?: string): string {
  const sorted = fingerprints.toSorted(compareCodeUnits);
  return checksumOf(environment === undefined ? sorted : [environment, sorted]);
}

/** Documents show the patch of each update beside its changes. */
export function withPatches(plan: Plan): Plan {
  const contracts = plan.contracts.map((contract) => {
    if (contract.action !== 'update') return contract;
    const { changes, target, problems, ...about } = contract;
    return { ...about, patch: patchOf(changes), changes, target, problems };
  });
  return { ...plan, contracts };
}

/** The checksum covers the whole document, the plan hash only what is approved. */
export type SavedPlan = Plan & { readonly checksum: string };

export function sealPlan(plan: Plan): SavedPlan {
  return { ...plan, checksum: checksumOf(plan) };
}

/** SHA-256 of the canonical JSON (RFC 8785): white space and the order of members do not count. */
export function checksumOf(value: JsonValue): string {
  return hashOf(canonicalJson(value));
}

function hashOf(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}
