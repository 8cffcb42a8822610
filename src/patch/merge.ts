/** A three-way merge: a base, and what a desired and a live document have made of it. */

import {
  canonicalJson,
  isArray,
  isObject,
  isScalar,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import {
  candidateKeys,
  type DiffOptions,
  elementToken,
  equalInAnyOrder,
  type KeyPath,
  uniqueKeys,
} from './identity.ts';
import { childAt } from './pointer.ts';

export type LivePlace = { readonly path: KeyPath; readonly of: 'value' | 'order' };

export type ApartPlace = LivePlace & { readonly isAsked: boolean };

type MergeOptions = DiffOptions & {
  /**
   * Who wins where both have changed a place differently. Where live does, nothing is guessed: a
   * list whose elements have no key is one place, and so is what the base lacks.
   */
  readonly winner?: 'desired' | 'live';
  readonly isBehind?: (place: LivePlace) => boolean;
  /** Whether live keeps a value of the base that desired has changed. */
  readonly isKept?: (path: KeyPath) => boolean;
};

type Versions<Value = JsonValue | undefined> = {
  readonly base: Value;
  readonly desired: Value;
  readonly live: Value;
};

type At = {
  readonly path: KeyPath;
  readonly name: string;
  readonly apart: ApartPlace[];
  readonly options: MergeOptions;
};

/** The live document, with what only desired has changed since the base. */
export function merge(
  base: JsonObject,
  desired: JsonObject,
  live: JsonObject,
  options: MergeOptions = {},
): { readonly merged: JsonObject; readonly apart: readonly ApartPlace[] } {
  const apart: ApartPlace[] = [];
  const merged = mergeMembers({ base, desired, live }, { path: [], name: '', apart, options });
  return { merged, apart };
}

function mergeValue(versions: Versions, at: At): JsonValue | undefined {
  const { base, desired, live } = versions;
  const { isKept } = at.options;
  if (isSame(desired, live, at)) return live;
  const isUntouched = isSame(base, live, at);
  if (isUntouched && !isKept) return desired;
  const merged = mergeParts(versions, at);
  if (merged) return merged;
  if (isUntouched && !isKept?.(at.path)) return desired;
  return winsApart('value', !isSame(base, desired, at), at) ? desired : live;
}

function mergeParts(versions: Versions, at: At): JsonObject | JsonArray | undefined {
  const { base, desired, live } = versions;
  const hasBase = isObject(live) ? isObject(base) : isArray(base);
  if (!hasBase && at.options.winner === 'live') return undefined;
  if (isObject(desired) && isObject(live))
    return mergeMembers({ base: isObject(base) ? base : {}, desired, live }, at);
  const elements = identify(versions, at);
  return elements && mergeElements(elements, at);
}

function winsApart(of: LivePlace['of'], isAsked: boolean, { path, apart, options }: At): boolean {
  apart.push({ path, of, isAsked });
  const { winner = 'desired', isBehind } = options;
  return (isAsked && winner === 'desired') || (isBehind?.({ path, of }) ?? false);
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined, { name, options }: At) {
  if (a === undefined || b === undefined) return a === b;
  return equalInAnyOrder(a, b, options.unordered ?? [], name);
}

function mergeMembers({ base, desired, live }: Versions<JsonObject>, at: At): JsonObject {
  const names = new Set([...Object.keys(live), ...Object.keys(desired)]);
  const members = [...names].flatMap((name): [string, JsonValue][] => {
    const versions = {
      base: childAt(base, name),
      desired: childAt(desired, name),
      live: childAt(live, name),
    };
    const value = mergeValue(versions, { ...at, path: [...at.path, name], name });
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

type Elements = ReadonlyMap<string, JsonValue>;

function identify(
  { base: known, desired: wanted, live: current }: Versions,
  { name, options }: At,
): Versions<Elements> | undefined {
  if (!isArray(wanted) || !isArray(current)) return undefined;
  for (const key of [...candidateKeys(name, options.keys), 'value' as const]) {
    const base = elementsBy(key, isArray(known) ? known : [], options);
    const desired = elementsBy(key, wanted, options);
    const live = elementsBy(key, current, options);
    if (base && desired && live) return { base, desired, live };
  }
  return undefined;
}

/** Undefined unless the key, or else the value, tells each element from all others. */
function elementsBy(
  key: readonly string[] | 'value',
  array: JsonArray,
  { winner }: MergeOptions,
): Elements | undefined {
  if (key === 'value' && winner === 'live' && !array.every(isScalar)) return undefined;
  const identities = key === 'value' ? array.map(canonicalJson) : uniqueKeys(array, key);
  if (!identities) return undefined;
  const elements = new Map(identities.map((each, index) => [each, array[index] ?? null]));
  return elements.size === array.length ? elements : undefined;
}

function mergeElements(versions: Versions<Elements>, at: At): JsonArray {
  const { base, desired, live } = versions;
  const merged = new Map<string, JsonValue>();
  for (const identity of new Set([...live.keys(), ...desired.keys()])) {
    const elements = live.has(identity) ? live : desired;
    const index = [...elements.keys()].indexOf(identity);
    const token = elementToken([...elements.values()], index, at.name, at.options);
    const path = [...at.path, token === String(index) ? '-' : token];
    const own = {
      base: base.get(identity),
      desired: desired.get(identity),
      live: live.get(identity),
    };
    const element = mergeValue(own, { ...at, path, name: '' });
    if (element !== undefined) merged.set(identity, element);
  }
  return mergeOrder(versions, at)
    .filter((identity) => merged.has(identity))
    .map((identity) => merged.get(identity) ?? null);
}

// The order of the side that has rearranged the shared elements; the other's own elements join it.
function mergeOrder({ base, desired, live }: Versions<Elements>, at: At): readonly string[] {
  const wanted = [...desired.keys()];
  const current = [...live.keys()];
  if (at.options.unordered?.includes(at.name)) return weave(current, wanted);
  const orderOf = (elements: Elements): string =>
    JSON.stringify(
      [...elements.keys()].filter((each) => base.has(each) && desired.has(each) && live.has(each)),
    );
  const isAsked = orderOf(base) !== orderOf(desired);
  const isApart = ![orderOf(base), orderOf(desired)].includes(orderOf(live));
  const isDesired = isApart ? winsApart('order', isAsked, at) : isAsked;
  return isDesired ? weave(wanted, current) : weave(current, wanted);
}

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
