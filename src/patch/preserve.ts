import {
  deepEqual,
  isArray,
  isEmpty,
  isNothing,
  isObject,
  isScalar,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { heaviestChain, type IndexPair, pairUp, type Point, zip } from './align.ts';
import { type DiffOptions, identify, isKey } from './identity.ts';
import {
  childAt,
  type Matching,
  type Pattern,
  type Pointer,
  startMatching,
  valueAt,
} from './pointer.ts';

/**
 * Stays live's: `ignore` in any case, `fill` where desired has no such member. What is in `fill` and
 * `defaults` is restated in a new element if it differs from its default.
 */
export type Preserved = {
  readonly ignore?: readonly Pattern[];
  readonly fill?: readonly Pattern[];
  /** The meaning of an absent member, in live and in desired. */
  readonly defaults?: readonly DefaultValue[];
  /** Whether an absent member, `null` and `[]` are the same: then live's form of it stays. */
  readonly emptyIsAbsent?: boolean;
};

export type DefaultValue = { readonly pattern: Pattern; readonly value: JsonValue };

type Patterns = {
  readonly ignore: Matching;
  readonly fill: Matching;
  readonly defaults: readonly DefaultMatching[];
  readonly emptyIsAbsent: boolean;
};

/** At a value: `name` is that of its member, or of the array that holds it. */
type Completion = Patterns & { readonly name: string; readonly options: DiffOptions };

/**
 * Completes desired with live's values at the patterns, so that a diff neither shows them nor loses
 * them where a parent is replaced whole. What desired removes stays removed, with its content.
 * Arrays are aligned as `diff` aligns them.
 */
export function preserve(
  live: JsonValue,
  desired: JsonValue,
  preserved: Preserved,
  options: DiffOptions = {},
): JsonValue {
  return complete(live, desired, startCompletion(preserved, options));
}

type DefaultMatching = { readonly matching: Matching; readonly value: JsonValue };

// Thousands of documents are completed by the same patterns.
const started = new WeakMap<Preserved, Patterns>();

function startCompletion(preserved: Preserved, options: DiffOptions): Completion {
  const { ignore = [], fill = [], defaults = [], emptyIsAbsent = false } = preserved;
  const start = started.get(preserved) ?? {
    ignore: startMatching(ignore),
    fill: startMatching(fill),
    defaults: defaults.map(({ pattern, value }) => ({ matching: startMatching([pattern]), value })),
    emptyIsAbsent,
  };
  started.set(preserved, start);
  return { ...start, name: '', options };
}

function defaultAt(defaults: readonly DefaultMatching[], member: string): JsonValue | undefined {
  return defaults.find(({ matching }) => matching.below(member).isMatch)?.value;
}

function complete(live: JsonValue | undefined, desired: JsonValue, at: Completion): JsonValue {
  if (live === desired || !reaches(at)) return desired;
  if (isObject(desired)) {
    // In a new object an explicit default stays.
    return isObject(live)
      ? completeObject(live, desired, at)
      : completeObject({}, desired, { ...at, defaults: [] });
  }
  if (isArray(desired)) return completeArray(isArray(live) ? live : [], desired, at);
  return desired;
}

function reaches({ ignore, fill, defaults, emptyIsAbsent }: Patterns): boolean {
  return emptyIsAbsent || ignore.goesOn || fill.goesOn || defaults.length > 0;
}

// Returns either side itself where the result equals it: comparing an object with itself is quick.
function completeObject(live: JsonObject, desired: JsonObject, at: Completion): JsonObject {
  const members: (readonly [string, JsonValue])[] = [];
  let isLive = true;
  let isDesired = true;
  for (const member of Object.keys(desired)) {
    const value = completeMember(live, desired, at, member);
    isLive &&= value === live[member] && Object.hasOwn(live, member);
    isDesired &&= value === desired[member];
    if (value !== undefined) members.push([member, value]);
  }
  for (const member of Object.keys(live)) {
    if (Object.hasOwn(desired, member)) continue;
    const value = keptMember(live[member] ?? null, member, at);
    isLive &&= value === live[member];
    isDesired &&= value === undefined;
    if (value !== undefined) members.push([member, value]);
  }
  if (isLive) return live;
  return isDesired ? desired : Object.fromEntries(members);
}

function keptMember(value: JsonValue, member: string, at: Completion): JsonValue | undefined {
  if (at.emptyIsAbsent && isEmpty(value)) return value;
  if (at.ignore.below(member).isMatch || at.fill.below(member).isMatch) return value;
  return defaultAt(at.defaults, member);
}

function completeMember(live: JsonObject, desired: JsonObject, at: Completion, member: string) {
  const before = childAt(live, member);
  const wanted = desired[member] ?? null;
  if (before === wanted || at.ignore.below(member).isMatch) return before;
  if (at.emptyIsAbsent && isEmpty(before) && isEmpty(wanted)) return before;
  const usual = defaultAt(at.defaults, member);
  const isUsual = (value: JsonValue | undefined) =>
    usual !== undefined && (isNothing(value) || deepEqual(value, usual));
  if (isUsual(before) && isUsual(wanted)) return before;
  if (isScalar(wanted)) return wanted ?? usual ?? null;
  return complete(before, wanted, below(at, member));
}

function below(at: Completion, member?: string): Completion {
  // Elements have no names of their own here: `*` and `**` alone match them.
  const token = member ?? '';
  return {
    ...at,
    ignore: at.ignore.below(token),
    fill: at.fill.below(token),
    defaults: at.defaults.flatMap(({ matching, value }) => {
      const next = matching.below(token);
      return next.goesOn ? [{ matching: next, value }] : [];
    }),
    name: member ?? at.name,
  };
}

function completeArray(live: JsonArray, desired: JsonArray, at: Completion): JsonArray {
  const element = below(at);
  if (element.ignore.isMatch) return live;
  if (!reaches(element) || desired.every(isScalar)) return desired;
  const partners = findPartners(live, desired, at);
  const completed = desired.map((value, index) =>
    complete(live[partners[index] ?? -1], value, element),
  );
  const isLive = completed.every((value, index) => value === live[index]);
  return isLive && completed.length === live.length ? live : completed;
}

// With more pairs, elements without a key are paired by their whole values.
const closeLooks = 2 ** 16;

// The live index for each desired one. By key; without one, by what the element would be once
// completed.
function findPartners(live: JsonArray, desired: JsonArray, at: Completion) {
  const identities = identify({ live, desired, name: at.name }, at.options);
  const isInStep = identities.live.every((each, index) => each === identities.desired[index]);
  if (isInStep) return live.map((_, index) => index);
  let { shared: pairs } = pairUp(identities);
  const keyless = withoutKey(identities.live);
  const others = withoutKey(identities.desired);
  const looks = keyless.length * others.length;
  if (looks > 0 && looks <= closeLooks) {
    const keyed = pairs.filter((pair) => isKey(identities.live[pair.live] ?? ''));
    pairs = [...keyed, ...pairWithoutKey(keyless, others, live, desired, below(at))];
  }
  const partners = new Map(pairs.map((pair) => [pair.desired, pair.live]));
  return desired.map((_, index) => partners.get(index));
}

function withoutKey(identities: readonly string[]): number[] {
  return [...identities.keys()].filter((index) => !isKey(identities[index] ?? ''));
}

// Pairs elements that agree, first in order, then anywhere. The rest, if as long on both sides, was
// edited in place and is paired by position.
function pairWithoutKey(
  keyless: readonly number[],
  others: readonly number[],
  live: JsonArray,
  desired: JsonArray,
  element: Completion,
): IndexPair[] {
  const backwards = others.toReversed();
  const points: Point[] = [];
  for (const from of keyless) {
    for (const to of backwards) {
      const before = live[from] ?? null;
      const after = desired[to] ?? null;
      if (!deepEqual(complete(before, after, element), before)) continue;
      // One pair more outweighs any number of pairs that are equal as they stand.
      const weight = closeLooks + (deepEqual(before, after) ? 1 : 0);
      points.push({ live: from, desired: to, weight });
    }
  }
  const freeLive = new Set(keyless);
  const freeDesired = new Set(others);
  const agreeing = [...heaviestChain(points), ...points].filter((pair) => {
    if (!freeLive.has(pair.live) || !freeDesired.has(pair.desired)) return false;
    return freeLive.delete(pair.live) && freeDesired.delete(pair.desired);
  });
  if (freeLive.size !== freeDesired.size) return agreeing;
  return [...agreeing, ...zip([...freeLive], [...freeDesired])];
}

/**
 * The reverse of `preserve`: the smallest change of desired that it completes to live. The server's
 * additions stay out; desired's values at ignored places stay.
 */
export function restate(
  live: JsonObject,
  desired: JsonObject,
  preserved: Preserved,
  options: DiffOptions = {},
): JsonObject {
  return restateObject(live, desired, startCompletion(preserved, options));
}

/** The value at a place, without what is filled, usual or empty. */
export function withoutAdditions(value: JsonValue, place: Pointer, preserved: Preserved) {
  const whole = place.reduceRight<JsonValue>((inner, token) => ({ [token]: inner }), value);
  const restated = restateObject(isObject(whole) ? whole : {}, {}, startCompletion(preserved, {}));
  return valueAt(restated, place) ?? value;
}

function restateValue(live: JsonValue, desired: JsonValue | undefined, at: Completion): JsonValue {
  if (desired !== undefined && deepEqual(complete(live, desired, at), live)) return desired;
  if (isObject(live))
    return restateObject(live, isObject(desired) ? desired : {}, at, desired === undefined);
  if (isArray(live)) return restateArray(live, isArray(desired) ? desired : [], at);
  return live;
}

function restateObject(
  live: JsonObject,
  desired: JsonObject,
  at: Completion,
  isNew = false,
): JsonObject {
  const kept = Object.keys(desired).flatMap((member) => keepMember(live, desired, at, member));
  const added = Object.keys(live)
    .filter((member) => !Object.hasOwn(desired, member))
    .flatMap((member) => {
      const value = live[member] ?? null;
      const usual = isNew ? defaultAt(at.defaults, member) : undefined;
      if (deepEqual(usual ?? keptMember(value, member, at), value)) return [];
      return [[member, restateValue(value, undefined, below(at, member))] as const];
    });
  return Object.fromEntries([...kept, ...added]);
}

function keepMember(live: JsonObject, desired: JsonObject, at: Completion, member: string) {
  const wanted = desired[member] ?? null;
  const current = childAt(live, member);
  if (deepEqual(completeMember(live, desired, at, member), current))
    return [[member, wanted] as const];
  if (current === undefined) return [];
  return [[member, restateValue(current, wanted, below(at, member))] as const];
}

function restateArray(live: JsonArray, desired: JsonArray, at: Completion): JsonArray {
  const element = below(at);
  if (element.ignore.isMatch) return desired;
  const partners = findPartners(live, desired, at);
  const written = new Map(partners.map((before, after) => [before, desired[after]]));
  return live.map((value, index) => restateValue(value, written.get(index), element));
}
