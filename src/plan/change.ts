/** The changes of a plan: how they read, and what follows from them and is not written down. */

import { hash } from 'node:crypto';
import type { DesiredContract } from '../contract/contract.ts';
import type { Conventions } from '../contract/conventions.ts';
import { idKey } from '../contract/identity.ts';
import type { SourcePosition } from '../core/diagnostic.ts';
import {
  canonicalJson,
  compareCodeUnits,
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { diffByPlace, type Difference } from '../patch/difference.ts';
import { evaluate, PatchError } from '../patch/evaluate.ts';
import { describeOperation, type Sides } from '../patch/describe.ts';
import type { DiffOptions, Edit } from '../patch/operation.ts';
import {
  formatPointer,
  parseIndex,
  parsePointer,
  type Pointer,
  valueAt,
} from '../patch/pointer.ts';
import type { Change, ContractPlan, CreatePlan, Plan, UpdatePlan } from './plan.ts';

/** An edit as a reviewer reads it: the values on both sides and the line that asks for it. */
export function describeEdit(
  edit: Edit,
  sides: Sides,
  desired: DesiredContract,
  {
    arrays,
    conventions,
  }: {
    readonly arrays: DiffOptions;
    readonly conventions: Pick<Conventions, 'asWritten'>;
  },
): Change {
  const described = describeOperation(edit, sides, arrays);
  return {
    ...described,
    ...inWordsOfFiles(edit.desired ?? edit.live ?? [], described, conventions),
    source: edit.desired ? desired.locate(edit.desired) : locateRemoved(edit.live ?? [], desired),
  };
}

/** Whole fields as a file writes them, where the catalog writes them otherwise. */
export function inWordsOfFiles(
  [field = '', ...deeper]: Pointer,
  { before, after }: Pick<Change, 'before' | 'after'>,
  { asWritten }: Pick<Conventions, 'asWritten'>,
): Pick<Change, 'inWords'> {
  if (deeper.length > 0) return {};
  const words = {
    ...(before !== undefined && { before: asWritten(field, before) }),
    ...(after !== undefined && { after: asWritten(field, after) }),
  };
  const isOther = !deepEqual(words.before, before) || !deepEqual(words.after, after);
  return isOther ? { inWords: words } : {};
}

/** A removed member is mostly not in the file, unless it is null there: then its parent's line counts. */
function locateRemoved(pointer: Pointer, desired: DesiredContract): SourcePosition {
  // Elements of arrays have other places in a file than in the catalog.
  const isNull =
    !pointer.some((token) => parseIndex(token) !== undefined) &&
    valueAt(desired.managed, pointer) === null;
  if (isNull) return desired.locate(pointer);
  return desired.locate(pointer, true);
}

/** The RFC 6902 patch of a contract's changes, in their order; of a creation, from nothing. */
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
 * The fields that an update touches: its target, and that taken back change by change. Throws a
 * PatchError where the changes do not lead to the target. A creation has nothing before.
 */
export function sidesOf(contract: Pick<UpdatePlan, 'changes' | 'target'> | CreatePlan): Sides {
  const { changes } = contract;
  if (!('target' in contract)) {
    const target = evaluate({}, patchOf(changes));
    return { live: {}, target: isObject(target) ? target : {} };
  }
  const target = Object.fromEntries(
    Object.entries(contract.target).filter(([, value]) => value !== null),
  );
  const live = changes.reduceRight<JsonValue>(
    (document, change) => evaluate(document, [takenBack(change, document)]),
    target,
  );
  if (!isObject(live) || !deepEqual(evaluate(live, patchOf(changes)), target))
    throw new PatchError(-1, 'The patch leads to another target.');
  return { live, target };
}

function takenBack({ kind, path, from = '', before = null }: Change, document: JsonValue) {
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

/** Once something was added at the end, `-`, it is the last element (RFC 6901 §4). */
export function lastElement(path: string, document: JsonValue): string {
  const pointer = parsePointer(path) ?? [];
  const array = valueAt(document, pointer.slice(0, -1));
  if (pointer.at(-1) !== '-' || !isArray(array)) return path;
  return formatPointer([...pointer.slice(0, -1), String(array.length - 1)]);
}

/** What becomes what at which place, whatever operations bring it about; of a creation, by field. */
export function differencesOf(
  contract: UpdatePlan | CreatePlan,
  arrays: DiffOptions = {},
): readonly Difference[] {
  const { live, target } = sidesOf(contract);
  if (contract.action !== 'create') return diffByPlace(live, target, arrays);
  return Object.entries(target).map(([field, after]) => ({ place: formatPointer([field]), after }));
}

/**
 * What a reviewer approves of one contract: SHA-256 of the canonical JSON (RFC 8785) of its id and
 * of what becomes what at which place. Never of indices, versions, operations or clocks.
 */
export function fingerprintOf(id: string, differences: readonly Difference[]): string {
  const places = differences.map(tupleOf).map(canonicalJson).toSorted(compareCodeUnits);
  return hashOf(`[${JSON.stringify(idKey(id))},[${places.join(',')}]]`);
}

/** An absent value is an empty list, so that it is no `null`. */
function tupleOf({ place, before, after, behind }: Difference): JsonValue {
  const sides = [before, after].map((value) => (value === undefined ? [] : [value]));
  return [place, ...sides, ...(behind === undefined ? [] : [behind])];
}

/** What a reviewer approves of a creation: its name and request, by the same hash. */
export function fingerprintOfCreation(name: string, body: JsonObject): string {
  return hashOf(canonicalJson(['create', name, body]));
}

/**
 * What a reviewer approves of a plan: SHA-256 of the sorted fingerprints of its changes, and of the
 * environment where one was chosen: copies of a catalog have the same ids.
 */
export function planHash(contracts: readonly ContractPlan[], environment?: string): string {
  const fingerprints = contracts.flatMap((contract) =>
    contract.action === 'update' || contract.action === 'create' ? [contract.fingerprint] : [],
  );
  return hashOfChanges(fingerprints, environment);
}

/** What a reviewer approves of changes with these fingerprints. */
export function hashOfChanges(fingerprints: readonly string[], environment?: string): string {
  const sorted = fingerprints.toSorted(compareCodeUnits);
  return hashOf(canonicalJson(environment === undefined ? sorted : [environment, sorted]));
}

/** A plan as it is written: the checksum is over all of it, the plan hash over what is approved. */
export type SavedPlan = Plan & { readonly checksum: string };

export function sealPlan(plan: Plan): SavedPlan {
  return { ...plan, checksum: checksumOf(plan) };
}

/** SHA-256 of the canonical JSON (RFC 8785): white space and the order of members do not count. */
export function checksumOf(plan: JsonValue): string {
  return hashOf(canonicalJson(plan));
}

function hashOf(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}
