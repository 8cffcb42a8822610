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
import { identify } from './identity.ts';
import { elementToken, type KeyPath } from './key-path.ts';
import type { DiffOptions } from './operation.ts';
import { formatPointer } from './pointer.ts';

/** One place at which two documents differ. */
export type Difference = {
  /** A pointer by key, `/schema/{name=amount}/dataType`; `-` stands for an element without a key. */
  readonly place: string;
  /** Absent where something is added or moved. */
  readonly before?: JsonValue;
  /** Absent where something is removed or moved. */
  readonly after?: JsonValue;
  /** Of an element that is added or moved where order counts: the key of the one before it, if any. */
  readonly behind?: string;
};

/** As fine as can be, and by place: equal documents have none. */
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

type At = { readonly path: KeyPath; readonly name: string; readonly options: DiffOptions };

function compare(live: JsonValue, target: JsonValue, at: At): readonly Difference[] {
  if (live === target) return none;
  if (isObject(live) && isObject(target)) return compareMembers(live, target, at);
  if (isArray(live) && isArray(target)) return compareElements(live, target, at);
  if (deepEqual(live, target)) return none;
  return [{ place: formatPointer(at.path), before: live, after: target }];
}

const none: readonly Difference[] = [];

function compareMembers(live: JsonObject, target: JsonObject, at: At): Difference[] {
  const members = new Set([...Object.keys(live), ...Object.keys(target)]);
  return [...members].flatMap((member) => {
    const before = Object.hasOwn(live, member) ? live[member] : undefined;
    const after = Object.hasOwn(target, member) ? target[member] : undefined;
    const path = [...at.path, member];
    if (before !== undefined && after !== undefined)
      return compare(before, after, { ...at, path, name: member });
    return [
      {
        place: formatPointer(path),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      },
    ];
  });
}

function compareElements(live: JsonArray, target: JsonArray, at: At): readonly Difference[] {
  if (deepEqual(live, target)) return none;
  const { name, options } = at;
  const identities = identify({ live, desired: target, name }, options);
  const { shared, removed, added } = pairUp(identities);
  const pathIn = (array: JsonArray, index: number): KeyPath => [
    ...at.path,
    tokenOf(array, index, at) ?? '-',
  ];
  const behind = (index: number) =>
    isUnordered(at) || index === 0 ? {} : { behind: keyOf(target, index - 1, at) };
  return [
    ...shared.flatMap((pair) => compareShared(pair, { live, target }, pathIn, at)),
    ...removed.map((index) => ({
      place: formatPointer(pathIn(live, index)),
      before: live[index] ?? null,
    })),
    ...added.map((index) => ({
      place: formatPointer(pathIn(target, index)),
      after: target[index] ?? null,
      ...behind(index),
    })),
    ...movedAmong(shared, at).map((index) => ({
      place: formatPointer(pathIn(target, index)),
      ...behind(index),
    })),
  ];
}

type Arrays = { readonly live: JsonArray; readonly target: JsonArray };

function compareShared(
  pair: IndexPair,
  { live, target }: Arrays,
  pathIn: (array: JsonArray, index: number) => KeyPath,
  at: At,
): readonly Difference[] {
  const before = live[pair.live] ?? null;
  const after = target[pair.desired] ?? null;
  // The key of an element is found by a walk of its array: only where something differs.
  if (deepEqual(before, after)) return none;
  return compare(before, after, { ...at, path: pathIn(live, pair.live), name: '' });
}

function isUnordered({ name, options }: At): boolean {
  return options.unordered?.includes(name) ?? false;
}

/** As few as put the others in order, by their index in the target. */
function movedAmong(shared: readonly IndexPair[], at: At): number[] {
  if (isUnordered(at)) return [];
  const kept = new Set(heaviestChain(shared.map((pair) => ({ ...pair, weight: 1 }))).map(byTarget));
  return shared.map(byTarget).filter((index) => !kept.has(index));
}

function byTarget({ desired }: IndexPair): number {
  return desired;
}

/** Undefined where nothing but its index tells an element from its neighbours. */
function tokenOf(array: JsonArray, index: number, { name, options }: At): string | undefined {
  const token = elementToken(array, index, name, options);
  return token === String(index) ? undefined : token;
}

function keyOf(array: JsonArray, index: number, at: At): string {
  return tokenOf(array, index, at) ?? canonicalJson(array[index] ?? null);
}
