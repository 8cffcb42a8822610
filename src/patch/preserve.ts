import {
  deepEqual,
  isArray,
  isEmpty,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { type Pair, pairUp, zip } from './align.ts';
import { heaviestChain, type Point } from './chain.ts';
import { identify, isKey, type NamedArrays } from './identity.ts';
import type { DiffOptions } from './operation.ts';
import { type Matching, type Pattern, startMatching } from './pattern.ts';

/** What stays live's: `ignore` in any case, `fill` where desired has no such member. */
type Preserved = {
  readonly ignore?: readonly Pattern[];
  readonly fill?: readonly Pattern[];
  /** Whether an absent member, `null` and `[]` are the same: then live's form of it stays. */
  readonly emptyIsAbsent?: boolean;
};

/** How to complete what stands at one place. */
type Completion = {
  readonly ignore: Matching;
  readonly fill: Matching;
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
  { ignore = none, fill = none, emptyIsAbsent = false }: Preserved,
  options: DiffOptions = {},
): JsonValue {
  return complete(live, desired, {
    ignore: matchingOf(ignore),
    fill: matchingOf(fill),
    emptyIsAbsent,
    name: '',
    options,
  });
}

const none: readonly Pattern[] = [];

/** Thousands of documents are completed by the same patterns. */
const matchings = new WeakMap<readonly Pattern[], Matching>();

function matchingOf(patterns: readonly Pattern[]): Matching {
  const matching = matchings.get(patterns) ?? startMatching(patterns);
  matchings.set(patterns, matching);
  return matching;
}

function complete(live: JsonValue | undefined, desired: JsonValue, at: Completion): JsonValue {
  if (live === desired || !reaches(at)) return desired;
  if (isObject(desired)) return completeObject(isObject(live) ? live : {}, desired, at);
  if (isArray(desired)) return completeArray(isArray(live) ? live : [], desired, at);
  return desired;
}

/** Whether anything within may have to be completed. */
function reaches({ ignore, fill, emptyIsAbsent }: Completion): boolean {
  return emptyIsAbsent || ignore.goesOn || fill.goesOn;
}

function completeObject(live: JsonObject, desired: JsonObject, at: Completion): JsonObject {
  const changes: Member[] = [];
  for (const member of Object.keys(desired)) {
    const value = completeMember(live, desired, at, member);
    if (value !== desired[member]) changes.push([member, value]);
  }
  for (const member of Object.keys(live)) {
    if (Object.hasOwn(desired, member)) continue;
    if (isPreserved(live[member], member, at)) changes.push([member, live[member]]);
  }
  return changes.length === 0 ? desired : withChanges(desired, changes);
}

/** Whether a member stays that only live has. */
function isPreserved(value: JsonValue | undefined, member: string, at: Completion): boolean {
  if (at.emptyIsAbsent && isEmpty(value)) return true;
  return at.ignore.below(member).isMatch || at.fill.below(member).isMatch;
}

/** A member as it is to be; without a value it is to be absent. */
type Member = [name: string, value: JsonValue | undefined];

function completeMember(
  live: JsonObject,
  desired: JsonObject,
  at: Completion,
  member: string,
): JsonValue | undefined {
  const before = Object.hasOwn(live, member) ? live[member] : undefined;
  const ignore = at.ignore.below(member);
  const wanted = desired[member] ?? null;
  if (ignore.isMatch || (at.emptyIsAbsent && isEmpty(before) && isEmpty(wanted))) return before;
  if (isScalar(wanted)) return wanted;
  return complete(before, wanted, { ...at, ignore, fill: at.fill.below(member), name: member });
}

/** Not by assignment: it would take `__proto__` for the prototype. */
function withChanges(desired: JsonObject, changes: readonly Member[]): JsonObject {
  const completed: Record<string, JsonValue> = {
    ...desired,
    ...Object.fromEntries(changes.filter(isPresent)),
  };
  for (const [member, value] of changes) if (value === undefined) delete completed[member];
  return completed;
}

function isPresent(member: Member): member is [string, JsonValue] {
  return member[1] !== undefined;
}

function completeArray(live: JsonArray, desired: JsonArray, at: Completion): JsonArray {
  const element = { ...at, ignore: at.ignore.below(anyIndex), fill: at.fill.below(anyIndex) };
  if (element.ignore.isMatch) return live;
  if (!reaches(element) || desired.every(isScalar)) return desired;
  const agrees = (before: JsonValue, after: JsonValue): boolean =>
    deepEqual(complete(before, after, element), before);
  const partners = findPartners({ live, desired, name: at.name }, at.options, agrees);
  return desired.map((value, index) => complete(live[partners.get(index) ?? -1], value, element));
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

/** Elements have no names of their own here: `*` and `**` alone match them. */
const anyIndex = '';

/** Desired index → index of the live element that it is. */
type Partners = ReadonlyMap<number, number>;

/** Whether a desired element, once completed from the live one, is just that one. */
type Agrees = (live: JsonValue, desired: JsonValue) => boolean;

/** Above so many pairs, elements without a key are paired by their whole values. */
const closeLooks = 2 ** 16;

/** Elements with a key pair up by it; those without, by what they would be once completed. */
function findPartners(arrays: NamedArrays, options: DiffOptions, agrees: Agrees): Partners {
  const identities = identify(arrays, options);
  const live = indicesWithoutKey(identities.live);
  const desired = indicesWithoutKey(identities.desired);
  const { shared } = pairUp(identities);
  if (live.length * desired.length > closeLooks) return invert(shared);
  const byKey = shared.filter((pair) => isKey(identities.live[pair.live] ?? ''));
  const points = agreeingPoints(live, desired, arrays, agrees);
  return invert([...byKey, ...pairWithoutKey(live, desired, points)]);
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
): Pair[] {
  const freeLive = new Set(live);
  const freeDesired = new Set(desired);
  const agreeing = [...heaviestChain(points), ...points].filter((pair) => {
    if (!freeLive.has(pair.live) || !freeDesired.has(pair.desired)) return false;
    return freeLive.delete(pair.live) && freeDesired.delete(pair.desired);
  });
  if (freeLive.size !== freeDesired.size) return agreeing;
  return [...agreeing, ...zip([...freeLive], [...freeDesired])];
}

function invert(pairs: readonly Pair[]): Partners {
  return new Map(pairs.map(({ live, desired }) => [desired, live]));
}
