/** Describes operations of a patch, with places by key, and guards them by `test` operations. */

import {
  canonicalJson,
  compareCodeUnits,
  deepEqual,
  defined,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import {
  type DiffOptions,
  elementToken,
  identify,
  type KeyPath,
  keyPathOf,
  keysOf,
  pointerOf,
} from './identity.ts';
import type { LivePlace } from './merge.ts';
import type { Edit } from './diff.ts';
import type { Patch } from './evaluate.ts';
import { formatPointer, parseIndex, parsePointer, type Pointer, valueAt } from './pointer.ts';
import { heaviestChain, pairUp } from './align.ts';

/** The top-level fields of a contract before and after its change; what is gone is absent. */
export type Sides = { readonly live: JsonObject; readonly target: JsonObject };

export type DescribedOperation = {
  readonly kind: Edit['operation']['op'];
  /** The operation's own path: indices as they are when it is applied. */
  readonly path: string;
  /** By key in the live contract: `/schema/{name=amount}/dataType`; `-` is added and has no key. */
  readonly place: string;
  /** The path with the keys of array elements beside their index: `schema[3 amount].dataType`. */
  readonly label: string;
  readonly from?: string;
  /** Absent where there is none, and of a move. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

export function describeOperation(edit: Edit, { live, target }: Sides, arrays: DiffOptions) {
  const { operation } = edit;
  const isMove = operation.op === 'move';
  const before = edit.live && !isMove ? valueAt(live, edit.live) : undefined;
  const after = edit.desired && !isMove ? valueAt(target, edit.desired) : undefined;
  return {
    kind: operation.op,
    path: operation.path,
    place: formatPointer(placeOf(edit, { live, target }, arrays)),
    label: edit.desired
      ? labelPointer(edit.desired, target, arrays)
      : labelPointer(edit.live ?? [], live, arrays),
    ...('from' in operation && { from: operation.from }),
    ...defined({ before, after }),
  };
}

// An added element goes by the key that it will have, or `-`; its parent is live already.
function placeOf(
  { live: removed, desired = [], operation }: Edit,
  { live, target }: Sides,
  arrays: DiffOptions,
): KeyPath {
  if (removed) return keyPathOf(removed, live, arrays);
  const token = keyPathOf(desired, target, arrays).at(-1) ?? '';
  const isKeyless =
    isArray(valueAt(target, desired.slice(0, -1))) && parseIndex(token) !== undefined;
  const parent = (parsePointer(operation.path) ?? []).slice(0, -1);
  return [...keyPathOf(parent, live, arrays), isKeyless ? '-' : token];
}

export function labelPointer(pointer: Pointer, document: JsonValue, arrays: DiffOptions): string {
  let label = '';
  let parent: JsonValue | undefined = document;
  let arrayName = '';
  for (const token of pointer) {
    const child: JsonValue | undefined = valueAt(parent ?? null, [token]);
    if (isArray(parent)) {
      const [key = []] = child === undefined ? [] : keysOf(child, arrayName, arrays);
      label += `[${[token, ...key.map(({ value }) => value)].join(' ')}]`;
    } else {
      label += label === '' ? token : `.${token}`;
      arrayName = token;
    }
    parent = isArray(child) || isObject(child) ? child : undefined;
  }
  return label;
}

// Scalars tested in one value: of a long list, its beginning.
const mostLeaves = 32;

// Characters: a longer text would be sent twice, so `updatedAt` alone guards it.
const longestText = 10_000;

/**
 * `test` operations on the document as planned against: the key of each element that a change
 * reaches by index, and each scalar that is replaced or removed. A catalog may restore the time
 * and version of a contract that has changed; it cannot restore these.
 */
export function guardOf(
  changes: readonly Pick<DescribedOperation, 'kind' | 'place'>[],
  live: JsonObject,
  arrays: DiffOptions,
  isTestable: (field: string) => boolean,
): Patch {
  const tests = new Map<string, JsonValue>();
  for (const { kind, place } of changes) {
    const path = parsePointer(place) ?? [];
    if (!isTestable(path[0] ?? '')) continue;
    // An added value has no place yet, but its parent has.
    const pointer = pointerOf(kind === 'add' ? path.slice(0, -1) : path, live) ?? [];
    const isGone = kind === 'replace' || kind === 'remove';
    const premises = [
      ...elementsOnTheWay(pointer, live, arrays),
      ...(isGone ? leavesOf(valueAt(live, pointer), pointer) : []),
    ];
    for (const [at, value] of premises) {
      const isLong = typeof value === 'string' && value.length > longestText;
      if (!isLong) tests.set(formatPointer(at), value);
    }
  }
  return [...tests].map(([path, value]) => ({ op: 'test', path, value }));
}

type Premise = readonly [place: Pointer, value: JsonValue];

// The keys of the elements through which a pointer leads.
function elementsOnTheWay(pointer: Pointer, live: JsonObject, arrays: DiffOptions): Premise[] {
  return pointer.flatMap((_, depth): Premise[] => {
    const parent = pointer.slice(0, depth);
    if (!isArray(valueAt(live, parent))) return [];
    const place = pointer.slice(0, depth + 1);
    const element = valueAt(live, place);
    const [key] = element === undefined ? [] : keysOf(element, parent.at(-1) ?? '', arrays);
    return key
      ? key.map(({ member, value }) => [[...place, member], value])
      : leavesOf(element, place);
  });
}

function leavesOf(value: JsonValue | undefined, place: Pointer): Premise[] {
  return value === undefined ? [] : scalarsIn(value, place).take(mostLeaves).toArray();
}

function* scalarsIn(value: JsonValue, place: Pointer): Generator<Premise> {
  if (!isArray(value) && !isObject(value)) return yield [place, value];
  for (const [token, child] of Object.entries(value)) yield* scalarsIn(child, [...place, token]);
}

/** One place at which two documents differ: by values and keys, whatever patch is sent. */
export type Difference = {
  /** A pointer by key, `/schema/{name=amount}/dataType`; `-` is an element without a key. */
  readonly place: string;
  /** Absent where something is added or moved. */
  readonly before?: JsonValue;
  /** Absent where something is removed or moved. */
  readonly after?: JsonValue;
  /** The key of the preceding element, if any; of one added or moved where order counts. */
  readonly behind?: string;
};

/** Sorted by place; equal documents have none. */
export function diffByPlace(live: JsonValue, target: JsonValue, options: DiffOptions = {}) {
  return compare(live, target, { path: [], name: '', options })
    .map((difference) => ({ difference, text: canonicalJson(difference) }))
    .toSorted(
      (a, b) =>
        compareCodeUnits(a.difference.place, b.difference.place) ||
        compareCodeUnits(a.text, b.text),
    )
    .map(({ difference }) => difference);
}

/** A difference without values is a move, and belongs to its array's order. */
export function livePlaceOf({ place, before, after }: Difference): LivePlace {
  const path = parsePointer(place) ?? [];
  const isMoved = before === undefined && after === undefined;
  return isMoved ? { path: path.slice(0, -1), of: 'order' } : { path, of: 'value' };
}

type At = { readonly path: KeyPath; readonly name: string; readonly options: DiffOptions };

function compare(live: JsonValue, target: JsonValue, at: At): readonly Difference[] {
  if (isArray(live) && isArray(target)) return compareElements(live, target, at);
  if (deepEqual(live, target)) return [];
  if (isObject(live) && isObject(target)) return compareMembers(live, target, at);
  return [{ place: formatPointer(at.path), before: live, after: target }];
}

function compareMembers(live: JsonObject, target: JsonObject, at: At): Difference[] {
  const members = new Set([...Object.keys(live), ...Object.keys(target)]);
  return [...members].flatMap((member) => {
    const before = Object.hasOwn(live, member) ? live[member] : undefined;
    const after = Object.hasOwn(target, member) ? target[member] : undefined;
    const path = [...at.path, member];
    if (before !== undefined && after !== undefined)
      return before === after ? [] : compare(before, after, { ...at, path, name: member });
    const place = formatPointer(path);
    return [before === undefined ? { place, after: after ?? null } : { place, before }];
  });
}

function compareElements(live: JsonArray, target: JsonArray, at: At): readonly Difference[] {
  if (deepEqual(live, target)) return [];
  const { name, options } = at;
  const { shared, removed, added } = pairUp(identify({ live, desired: target, name }, options));
  const isUnordered = options.unordered?.includes(name) ?? false;
  // Undefined where only its index identifies an element.
  const tokenOf = (array: JsonArray, index: number): string | undefined => {
    const token = elementToken(array, index, name, options);
    return token === String(index) ? undefined : token;
  };
  const pathIn = (array: JsonArray, index: number) => [...at.path, tokenOf(array, index) ?? '-'];
  const placeIn = (array: JsonArray, index: number) => formatPointer(pathIn(array, index));
  const behind = (index: number) => {
    if (isUnordered || index === 0) return {};
    return { behind: tokenOf(target, index - 1) ?? canonicalJson(target[index - 1] ?? null) };
  };
  // The fewest moves put the others in order.
  const points = shared.map((pair) => ({ ...pair, weight: 1 }));
  const kept = new Set(heaviestChain(points));
  const moved = isUnordered ? [] : points.filter((pair) => !kept.has(pair));
  return [
    ...shared.flatMap((pair) => {
      const before = live[pair.live] ?? null;
      const after = target[pair.desired] ?? null;
      if (deepEqual(before, after)) return [];
      return compare(before, after, { ...at, path: pathIn(live, pair.live), name: '' });
    }),
    ...removed.map((index) => ({ place: placeIn(live, index), before: live[index] ?? null })),
    ...added.map((index) => ({
      place: placeIn(target, index),
      after: target[index] ?? null,
      ...behind(index),
    })),
    ...moved.map(({ desired }) => ({ place: placeIn(target, desired), ...behind(desired) })),
  ];
}
