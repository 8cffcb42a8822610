/** What differs between two documents, place by place: by values and keys, whatever patch is sent. */

import {
  canonicalJson,
  compareCodeUnits,
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { heaviestChain, type IndexPair, pairUp } from './align.ts';
import { elementToken, identify, type KeyPath } from './identity.ts';
import type { DiffOptions } from './operation.ts';
import { formatPointer } from './pointer.ts';

/** One place at which two documents differ. */
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
export function diffByPlace(
  live: JsonValue,
  target: JsonValue,
  options: DiffOptions = {},
): readonly Difference[] {
  return compare(live, target, { path: [], name: '', options })
    .map((difference) => ({ difference, text: canonicalJson(difference) }))
    .toSorted(
      (a, b) =>
        compareCodeUnits(a.difference.place, b.difference.place) ||
        compareCodeUnits(a.text, b.text),
    )
    .map(({ difference }) => difference);
}

type At = {
  readonly path: KeyPath;
  readonly name: string;
  readonly options: DiffOptions;
};

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
    const sides = {
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
    return [{ place: formatPointer(path), ...sides }];
  });
}

function compareElements(live: JsonArray, target: JsonArray, at: At): readonly Difference[] {
  if (deepEqual(live, target)) return [];
  const { name, options } = at;
  const { shared, removed, added } = pairUp(identify({ live, desired: target, name }, options));
  const isUnordered = options.unordered?.includes(name) ?? false;
  // Undefined where nothing but its index tells an element from its neighbours.
  const tokenOf = (array: JsonArray, index: number): string | undefined => {
    const token = elementToken(array, index, name, options);
    return token === String(index) ? undefined : token;
  };
  const pathIn = (array: JsonArray, index: number): KeyPath => [
    ...at.path,
    tokenOf(array, index) ?? '-',
  ];
  const behind = (index: number) => {
    if (isUnordered || index === 0) return {};
    return { behind: tokenOf(target, index - 1) ?? canonicalJson(target[index - 1] ?? null) };
  };
  // The fewest moves put the others in order.
  const kept = new Set(heaviestChain(shared.map((pair) => ({ ...pair, weight: 1 }))).map(byTarget));
  const moved = isUnordered ? [] : shared.map(byTarget).filter((index) => !kept.has(index));
  return [
    ...shared.flatMap((pair) => {
      const before = live[pair.live] ?? null;
      const after = target[pair.desired] ?? null;
      if (deepEqual(before, after)) return [];
      return compare(before, after, { ...at, path: pathIn(live, pair.live), name: '' });
    }),
    ...removed.map((index) => ({
      place: formatPointer(pathIn(live, index)),
      before: live[index] ?? null,
    })),
    ...added.map((index) => ({
      place: formatPointer(pathIn(target, index)),
      after: target[index] ?? null,
      ...behind(index),
    })),
    ...moved.map((index) => ({ place: formatPointer(pathIn(target, index)), ...behind(index) })),
  ];
}

function byTarget({ desired }: IndexPair): number {
  return desired;
}
