import {
  deepEqual,
  isArray,
  isEmpty,
  isNothing,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { heaviestChain, type IndexPair, pairUp, type Point, zip } from './align.ts';
import { type Identities, identify, isKey, type NamedArrays } from './identity.ts';
import type { DiffOptions } from './operation.ts';
import { type Matching, type Pattern, startMatching } from './pattern.ts';

/** What stays live's: `ignore` in any case, `fill` where desired has no such member. */
export type Preserved = {
  readonly ignore?: readonly Pattern[];
  readonly fill?: readonly Pattern[];
  /** What an absent member means, be it live's or desired's. */
  readonly defaults?: readonly DefaultValue[];
  /** Whether an absent member, `null` and `[]` are the same: then live's form of it stays. */
  readonly emptyIsAbsent?: boolean;
};

/** The value of members that are absent where the pattern matches. */
export type DefaultValue = { readonly pattern: Pattern; readonly value: JsonValue };

/** How to complete what stands at one place. */
export type Completion = {
  readonly ignore: Matching;
  readonly fill: Matching;
  readonly defaults: readonly DefaultMatching[];
  readonly emptyIsAbsent: boolean;
  /** The nearest member's name. */
  readonly name: string;
  readonly options: DiffOptions;
};

/**
 * The desired document, completed with what live holds at the patterns, so that a diff neither
 * shows that nor loses it where a parent is replaced whole. What desired removes stays removed,
 * with all that is in it. Arrays are aligned as `diff` aligns them.
 */
export function preserve(
  live: JsonValue,
  desired: JsonValue,
  preserved: Preserved,
  options: DiffOptions = {},
): JsonValue {
  return complete(live, desired, startCompletion(preserved, options));
}

/** How to complete a document from its root on. */
export function startCompletion(
  { ignore = none, fill = none, defaults = [], emptyIsAbsent = false }: Preserved,
  options: DiffOptions,
): Completion {
  return {
    ignore: matchingOf(ignore),
    fill: matchingOf(fill),
    defaults: defaultsOf(defaults),
    emptyIsAbsent,
    name: '',
    options,
  };
}

const none: readonly Pattern[] = [];

/** Thousands of documents are completed by the same patterns. */
const matchings = new WeakMap<readonly Pattern[], Matching>();

function matchingOf(patterns: readonly Pattern[]): Matching {
  const matching = matchings.get(patterns) ?? startMatching(patterns);
  matchings.set(patterns, matching);
  return matching;
}

type DefaultMatching = { readonly matching: Matching; readonly value: JsonValue };

const defaultMatchings = new WeakMap<readonly DefaultValue[], readonly DefaultMatching[]>();

function defaultsOf(defaults: readonly DefaultValue[]): readonly DefaultMatching[] {
  const known = defaultMatchings.get(defaults);
  if (known) return known;
  const made = defaults.map(({ pattern, value }) => ({
    matching: startMatching([pattern]),
    value,
  }));
  defaultMatchings.set(defaults, made);
  return made;
}

function defaultsBelow(defaults: readonly DefaultMatching[], token: string): DefaultMatching[] {
  return defaults.flatMap(({ matching, value }) => {
    const below = matching.below(token);
    return below.goesOn ? [{ matching: below, value }] : [];
  });
}

/** The value that an absent member means; undefined where it means that there is none. */
function defaultAt(defaults: readonly DefaultMatching[], member: string): JsonValue | undefined {
  return defaults.find(({ matching }) => matching.below(member).isMatch)?.value;
}

/** A value as it is to be, beside what live holds at its place. */
export function complete(
  live: JsonValue | undefined,
  desired: JsonValue,
  at: Completion,
): JsonValue {
  if (live === desired || !reaches(at)) return desired;
  if (isObject(desired)) {
    // In what is new, all that desired gives is given.
    return isObject(live)
      ? completeObject(live, desired, at)
      : completeObject({}, desired, { ...at, defaults: [] });
  }
  if (isArray(desired)) return completeArray(isArray(live) ? live : [], desired, at);
  return desired;
}

/** Whether anything within may have to be completed. */
function reaches({ ignore, fill, defaults, emptyIsAbsent }: Completion): boolean {
  return emptyIsAbsent || ignore.goesOn || fill.goesOn || defaults.length > 0;
}

function completeObject(live: JsonObject, desired: JsonObject, at: Completion): JsonObject {
  const changes: Member[] = [];
  let isLive = true;
  for (const member of Object.keys(desired)) {
    const value = completeMember(live, desired, at, member);
    isLive &&= value === live[member] && Object.hasOwn(live, member);
    if (value !== desired[member]) changes.push([member, value]);
  }
  for (const member of Object.keys(live)) {
    if (Object.hasOwn(desired, member)) continue;
    const kept = keptMember(live[member] ?? null, member, at);
    isLive &&= kept === live[member];
    if (kept !== undefined) changes.push([member, kept]);
  }
  // Nearly all objects of nearly all contracts: then nobody has to compare them again.
  if (isLive) return live;
  return changes.length === 0 ? desired : withChanges(desired, changes);
}

/** What becomes of a member that only live has; undefined: desired removes it. */
export function keptMember(
  value: JsonValue,
  member: string,
  at: Completion,
): JsonValue | undefined {
  if (at.emptyIsAbsent && isEmpty(value)) return value;
  if (at.ignore.below(member).isMatch || at.fill.below(member).isMatch) return value;
  return defaultAt(at.defaults, member);
}

/** A member as it is to be; without a value it is to be absent. */
type Member = [name: string, value: JsonValue | undefined];

/** What a member that desired has is to be; undefined: absent. */
export function completeMember(
  live: JsonObject,
  desired: JsonObject,
  at: Completion,
  member: string,
): JsonValue | undefined {
  const before = Object.hasOwn(live, member) ? live[member] : undefined;
  const wanted = desired[member] ?? null;
  // Nearly all members of nearly all contracts: whatever is to be preserved, it is there.
  return before === wanted ? before : completeOther(before, wanted, at, member);
}

/** The same, where desired has another value than live. */
function completeOther(
  before: JsonValue | undefined,
  wanted: JsonValue,
  at: Completion,
  member: string,
): JsonValue | undefined {
  const ignore = at.ignore.below(member);
  if (ignore.isMatch || (at.emptyIsAbsent && isEmpty(before) && isEmpty(wanted))) return before;
  const usual = defaultAt(at.defaults, member);
  if (usual !== undefined && [before, wanted].every(hasValue(usual))) return before;
  if (isScalar(wanted)) return wanted ?? usual ?? null;
  return complete(before, wanted, belowMember(at, member));
}

/** How to complete what stands under a member. */
export function belowMember(at: Completion, member: string): Completion {
  return { ...below(at, member), name: member };
}

/** How to complete the elements of an array. */
export function belowArray(at: Completion): Completion {
  return below(at, anyIndex);
}

function below(at: Completion, token: string): Completion {
  return {
    ...at,
    ignore: at.ignore.below(token),
    fill: at.fill.below(token),
    defaults: defaultsBelow(at.defaults, token),
  };
}

/** Whether a member has its default value, or none and so has it too. */
function hasValue(usual: JsonValue): (value: JsonValue | undefined) => boolean {
  return (value) => isNothing(value) || deepEqual(value, usual);
}

function withChanges(desired: JsonObject, changes: readonly Member[]): JsonObject {
  const completed: Record<string, JsonValue> = { ...desired };
  for (const [member, value] of changes) {
    if (value === undefined) delete completed[member];
    else setMember(completed, member, value);
  }
  return completed;
}

/** Assignment would take `__proto__` for the prototype. */
function setMember(object: Record<string, JsonValue>, member: string, value: JsonValue): void {
  if (member !== '__proto__') object[member] = value;
  else Object.defineProperty(object, member, { ...ordinary, value });
}

const ordinary = { configurable: true, enumerable: true, writable: true };

function completeArray(live: JsonArray, desired: JsonArray, at: Completion): JsonArray {
  const element = belowArray(at);
  if (element.ignore.isMatch) return live;
  if (!reaches(element) || desired.every(isScalar)) return desired;
  const agrees = (before: JsonValue, after: JsonValue): boolean =>
    deepEqual(complete(before, after, element), before);
  const partners = findPartners({ live, desired, name: at.name }, at.options, agrees);
  const completed = desired.map((value, index) =>
    complete(live[partners.get(index) ?? -1], value, element),
  );
  return isSameList(completed, live) ? live : completed;
}

function isSameList(a: JsonArray, b: JsonArray): boolean {
  return a.length === b.length && a.every((element, index) => element === b[index]);
}

function isScalar(value: JsonValue): boolean {
  return !isObject(value) && !isArray(value);
}

/** Elements have no names of their own here: `*` and `**` alone match them. */
const anyIndex = '';

/** Desired index → index of the live element that it is. */
export type Partners = ReadonlyMap<number, number>;

/** Whether a desired element, once completed from the live one, is just that one. */
type Agrees = (live: JsonValue, desired: JsonValue) => boolean;

/** Above so many pairs, elements without a key are paired by their whole values. */
const closeLooks = 2 ** 16;

/** Elements with a key pair up by it; those without, by what they would be once completed. */
export function findPartners(arrays: NamedArrays, options: DiffOptions, agrees: Agrees): Partners {
  const identities = identify(arrays, options);
  // Nearly all arrays of nearly all contracts.
  if (hasSameIdentities(identities))
    return new Map(identities.live.map((_, index) => [index, index]));
  const live = indicesWithoutKey(identities.live);
  const desired = indicesWithoutKey(identities.desired);
  const { shared } = pairUp(identities);
  if (live.length + desired.length === 0 || live.length * desired.length > closeLooks)
    return invert(shared);
  const byKey = shared.filter((pair) => isKey(identities.live[pair.live] ?? ''));
  const points = agreeingPoints(live, desired, arrays, agrees);
  return invert([...byKey, ...pairWithoutKey(live, desired, points)]);
}

function hasSameIdentities({ live, desired }: Identities): boolean {
  return (
    live.length === desired.length && live.every((identity, index) => identity === desired[index])
  );
}

function indicesWithoutKey(identities: readonly string[]): readonly number[] {
  return [...identities.keys()].filter((index) => !isKey(identities[index] ?? ''));
}

/** In the order that `heaviestChain` wants; one that needs no completion weighs a little more. */
function agreeingPoints(
  live: readonly number[],
  desired: readonly number[],
  arrays: NamedArrays,
  agrees: Agrees,
): Point[] {
  const backwards = desired.toReversed();
  return live.flatMap((from) =>
    backwards.flatMap((to): Point[] => {
      const before = arrays.live[from] ?? null;
      const after = arrays.desired[to] ?? null;
      const weight = closeLooks + Number(deepEqual(before, after));
      return agrees(before, after) ? [{ live: from, desired: to, weight }] : [];
    }),
  );
}

/**
 * As many as agree in order; then those that agree elsewhere; then, if as many are left on either
 * side, the k-th and the k-th: an element that is edited in its place.
 */
function pairWithoutKey(
  live: readonly number[],
  desired: readonly number[],
  points: readonly Point[],
): IndexPair[] {
  const freeLive = new Set(live);
  const freeDesired = new Set(desired);
  const agreeing = [...heaviestChain(points), ...points].filter((pair) => {
    if (!freeLive.has(pair.live) || !freeDesired.has(pair.desired)) return false;
    return freeLive.delete(pair.live) && freeDesired.delete(pair.desired);
  });
  if (freeLive.size !== freeDesired.size) return agreeing;
  return [...agreeing, ...zip([...freeLive], [...freeDesired])];
}

function invert(pairs: readonly IndexPair[]): Partners {
  return new Map(pairs.map(({ live, desired }) => [desired, live]));
}
