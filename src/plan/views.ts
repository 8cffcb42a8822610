/** What follows from a plan's changes, and is not written into it: patch, guard, sides, differences. */

import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { type Difference, diffByPlace } from '../patch/difference.ts';
import { evaluate, PatchError } from '../patch/evaluate.ts';
import { keyMembers } from '../patch/identity.ts';
import { type KeyPath, pointerOf } from '../patch/key-path.ts';
import type { DiffOptions, Edit, Patch } from '../patch/operation.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../patch/pointer.ts';
import type { Change, CreatePlan, UpdatePlan } from './plan.ts';
import type { Rules } from './rules.ts';

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

/** The top-level fields of a contract before and after its change; what is gone is absent. */
export type Sides = { readonly live: JsonObject; readonly target: JsonObject };

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

/** So many scalars of one value are tested, the first ones: of a long list, its beginning. */
const mostLeaves = 32;

/** Characters: a longer text is left to `updatedAt`, as it would be sent twice. */
const longestText = 10_000;

/**
 * `test` operations on the document as planned against: the key of each element that a change
 * reaches by index, and each scalar that is replaced or removed. A catalog may restore the time
 * and version of a contract that has changed; it cannot restore these.
 */
export function guardOf(
  changes: readonly Pick<Change, 'kind' | 'place'>[],
  live: JsonObject,
  { arrays, conventions }: Pick<Rules, 'arrays'> & GuardRules,
): Patch {
  const tests = new Map<string, JsonValue>();
  for (const change of changes) {
    const [field = '', ...rest] = parsePointer(change.place) ?? [];
    if (change.kind !== 'add' && !conventions.isTestable(field)) continue;
    for (const [at, value] of premisesOf(change.kind, [field, ...rest], live, arrays)) {
      const isLong = typeof value === 'string' && value.length > longestText;
      if (!isLong) tests.set(formatPointer(at), value);
    }
  }
  return [...tests].map(([path, value]) => ({ op: 'test', path, value }));
}

type GuardRules = { readonly conventions: Pick<Rules['conventions'], 'isTestable'> };

type Premise = readonly [place: Pointer, value: JsonValue];

function premisesOf(
  kind: Change['kind'],
  place: KeyPath,
  live: JsonObject,
  arrays: DiffOptions,
): Premise[] {
  // What is added has no place yet, but its parent has.
  const pointer = pointerOf(kind === 'add' ? place.slice(0, -1) : place, live) ?? [];
  const elements = elementsOnTheWay(pointer, live, arrays);
  return kind === 'replace' || kind === 'remove'
    ? [...elements, ...leavesOf(valueAt(live, pointer), pointer)]
    : elements;
}

/** What tells that the elements are the ones through which a pointer leads. */
function elementsOnTheWay(pointer: Pointer, live: JsonObject, arrays: DiffOptions): Premise[] {
  return pointer.flatMap((_, depth): Premise[] => {
    const parent = pointer.slice(0, depth);
    if (!isArray(valueAt(live, parent))) return [];
    const place = pointer.slice(0, depth + 1);
    const element = valueAt(live, place);
    const key =
      element === undefined ? undefined : keyMembers(element, parent.at(-1) ?? '', arrays);
    return key
      ? key.map(([member, value]) => [[...place, member], value])
      : leavesOf(element, place);
  });
}

function leavesOf(value: JsonValue | undefined, place: Pointer): Premise[] {
  return value === undefined ? [] : scalarsIn(value, place).take(mostLeaves).toArray();
}

/** In the document's order. */
function* scalarsIn(value: JsonValue, place: Pointer): Generator<Premise> {
  if (!isArray(value) && !isObject(value)) return yield [place, value];
  for (const [token, child] of Object.entries(value)) yield* scalarsIn(child, [...place, token]);
}
