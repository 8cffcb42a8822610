/**
 * Three versions of a document, place by place: what a file asks for, beside what others changed.
 * The file always gets its way, so elements without a key are told apart by their whole values;
 * `history/merge.ts`, which takes back a run, touches nothing that it can't tell apart.
 */

import {
  canonicalJson,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { candidateKeys, equalInAnyOrder, uniqueKeys } from './identity.ts';
import { elementToken, type KeyPath } from './key-path.ts';
import type { DiffOptions } from './operation.ts';

export type Merge = {
  /** Live, with all that differs between base and file as the file has it. */
  readonly merged: JsonObject;
  readonly apart: readonly ApartPlace[];
};

/** A place at which live is neither what the base says nor what the file says. */
export type ApartPlace = LivePlace & {
  /** Whether the file differs from the base there too. */
  readonly isAsked: boolean;
};

/** A place of a live document by key; `order`: that of an array's elements alone. */
export type LivePlace = { readonly path: KeyPath; readonly of: 'value' | 'order' };

type MergeOptions = DiffOptions & {
  /** Whether live only has not got yet what the base says. */
  readonly isBehind?: (place: LivePlace) => boolean;
};

/** One place in the three versions; absent where a version does not have it. */
type Versions<Value = JsonValue> = {
  readonly base: Value | undefined;
  readonly file: Value | undefined;
  readonly live: Value | undefined;
};

type At = {
  readonly path: KeyPath;
  /** Of the member that holds the value. */
  readonly name: string;
  readonly options: DiffOptions;
  readonly apart: ApartPlace[];
  readonly isBehind: NonNullable<MergeOptions['isBehind']>;
};

/**
 * What only one side has changed since the base is as that side has it; where both have, and not
 * alike, the file wins. It also wins where live is only behind the base: nobody has changed it there.
 */
export function merge(
  base: JsonObject,
  file: JsonObject,
  live: JsonObject,
  { isBehind = () => false, ...options }: MergeOptions = {},
): Merge {
  const apart: ApartPlace[] = [];
  const merged = mergeMembers(
    { base, file, live },
    { path: [], name: '', options, apart, isBehind },
  );
  return { merged, apart };
}

function mergeValue(versions: Versions, at: At): JsonValue | undefined {
  const { base, file, live } = versions;
  if (isSame(file, live, at)) return live;
  if (isSame(base, live, at)) return file;
  if (isObject(file) && isObject(live))
    return mergeMembers({ base: isObject(base) ? base : {}, file, live }, at);
  const arrays = identified(versions, at);
  if (arrays) return mergeElements(arrays, at);
  return winsApart('value', !isSame(base, file, at), at) ? file : live;
}

/** Whether the file wins where live is neither what it says nor what the base does. */
function winsApart(of: LivePlace['of'], isAsked: boolean, { path, apart, isBehind }: At): boolean {
  apart.push({ path, of, isAsked });
  return isAsked || isBehind({ path, of });
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined, { name, options }: At) {
  if (a === undefined || b === undefined) return a === b;
  return equalInAnyOrder(a, b, options.unordered ?? [], name);
}

type Members = { readonly base: JsonObject; readonly file: JsonObject; readonly live: JsonObject };

/** In the order of the live document, which nobody sees but a reader of the patch. */
function mergeMembers({ base, file, live }: Members, at: At): JsonObject {
  const names = new Set([...Object.keys(live), ...Object.keys(file)]);
  const members = [...names].flatMap((name): [string, JsonValue][] => {
    const versions = { base: own(base, name), file: own(file, name), live: own(live, name) };
    const value = mergeValue(versions, { ...at, path: [...at.path, name], name });
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An array whose elements are all told apart: identity → element, in the array's order. */
type Elements = ReadonlyMap<string, JsonValue>;
type ElementVersions = Readonly<Record<keyof Versions, Elements>>;

/** By the first key that tells all elements apart in each version, else by their whole values. */
function identified(
  { base = [], file, live }: Versions,
  { name, options }: At,
): ElementVersions | undefined {
  if (!isArray(file) || !isArray(live)) return undefined;
  const arrays = { base: isArray(base) ? base : [], file, live };
  for (const key of candidateKeys(name, options.keys)) {
    const found = mapVersions(arrays, (array) => uniqueKeys(array, key));
    if (found) return found;
  }
  return mapVersions(arrays, (array) => {
    const texts = array.map(canonicalJson);
    return new Set(texts).size === texts.length ? texts : undefined;
  });
}

function mapVersions(
  arrays: Readonly<Record<keyof Versions, JsonArray>>,
  identify: (array: JsonArray) => readonly string[] | undefined,
): ElementVersions | undefined {
  const [base, file, live] = [arrays.base, arrays.file, arrays.live].map((array) => {
    const identities = identify(array);
    return identities && new Map(identities.map((key, index) => [key, array[index] ?? null]));
  });
  return base && file && live ? { base, file, live } : undefined;
}

function mergeElements(versions: ElementVersions, at: At): JsonArray {
  const { base, file, live } = versions;
  const merged = new Map<string, JsonValue>();
  for (const identity of new Set([...live.keys(), ...file.keys()])) {
    const each = {
      base: base.get(identity),
      file: file.get(identity),
      live: live.get(identity),
    };
    const element = mergeValue(each, { ...at, path: pathOf(identity, versions, at), name: '' });
    if (element !== undefined) merged.set(identity, element);
  }
  return orderOf(versions, at)
    .filter((identity) => merged.has(identity))
    .map((identity) => merged.get(identity) ?? null);
}

function pathOf(identity: string, { live, file }: ElementVersions, at: At): KeyPath {
  const elements = live.has(identity) ? live : file;
  const index = [...elements.keys()].indexOf(identity);
  const token = elementToken([...elements.values()], index, at.name, at.options);
  return [...at.path, token === String(index) ? '-' : token];
}

/** Of whoever has changed it, the file where both have; what only the other has stands behind its own predecessor. */
function orderOf({ base, file, live }: ElementVersions, at: At): readonly string[] {
  const orders = { base: [...base.keys()], file: [...file.keys()], live: [...live.keys()] };
  const isUnordered = at.options.unordered?.includes(at.name) ?? false;
  const isAsked = !hasSameOrder(orders.base, orders.file);
  const isApart =
    !hasSameOrder(orders.base, orders.live) && !hasSameOrder(orders.file, orders.live);
  const isOfFile = isApart && !isUnordered ? winsApart('order', isAsked, at) : isAsked;
  return isOfFile && !isUnordered
    ? weave(orders.file, orders.live)
    : weave(orders.live, orders.file);
}

function hasSameOrder(a: readonly string[], b: readonly string[]): boolean {
  const [inA, inB] = [new Set(a), new Set(b)];
  const shared = b.filter((identity) => inA.has(identity));
  return a.filter((identity) => inB.has(identity)).every((each, index) => each === shared[index]);
}

/** The first list, with what only the second has behind the one that stands before it there. */
function weave(first: readonly string[], second: readonly string[]): readonly string[] {
  const inFirst = new Set(first);
  const behind = new Map<string | undefined, string[]>();
  let last: string | undefined;
  for (const identity of second) {
    if (inFirst.has(identity)) last = identity;
    else behind.set(last, [...(behind.get(last) ?? []), identity]);
  }
  const start = behind.get(undefined) ?? [];
  return [...start, ...first.flatMap((identity) => [identity, ...(behind.get(identity) ?? [])])];
}
