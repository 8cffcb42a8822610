import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../json.ts';
import type { DiffOptions } from './edit.ts';
import { findPartners } from './partners.ts';
import { type Matching, type Pattern, startMatching } from './pattern.ts';

/** What stays live's: `ignore` in any case, `fill` where desired has no such member. */
export type Preserved = {
  readonly ignore?: readonly Pattern[];
  readonly fill?: readonly Pattern[];
};

/** How to complete what stands at one place. */
type Completion = {
  readonly ignore: Matching;
  readonly fill: Matching;
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
  { ignore = none, fill = none }: Preserved,
  options: DiffOptions = {},
): JsonValue {
  return complete(live, desired, {
    ignore: matchingOf(ignore),
    fill: matchingOf(fill),
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
  if (!reaches(at)) return desired;
  if (isObject(desired)) return completeObject(isObject(live) ? live : {}, desired, at);
  if (isArray(desired)) return completeArray(isArray(live) ? live : [], desired, at);
  return desired;
}

function completeObject(live: JsonObject, desired: JsonObject, at: Completion): JsonObject {
  const declared = Object.keys(desired).map((member): Member => {
    const within = below(at, member);
    const before = Object.hasOwn(live, member) ? live[member] : undefined;
    const after = desired[member] ?? null;
    return [member, within.ignore.isMatch ? before : complete(before, after, within)];
  });
  const added = Object.keys(live)
    .filter((member) => !Object.hasOwn(desired, member) && isPreserved(below(at, member)))
    .map((member): Member => [member, live[member]]);
  const isChanged = added.length > 0 || declared.some(([name, value]) => value !== desired[name]);
  return isChanged ? Object.fromEntries([...declared, ...added].filter(isPresent)) : desired;
}

type Member = readonly [name: string, value: JsonValue | undefined];

function isPresent(member: Member): member is readonly [string, JsonValue] {
  return member[1] !== undefined;
}

/** Whether a pattern may match somewhere within. */
function reaches({ ignore, fill }: Completion): boolean {
  return ignore.goesOn || fill.goesOn;
}

function isContainer(value: JsonValue): boolean {
  return isArray(value) || isObject(value);
}

function isPreserved({ ignore, fill }: Completion): boolean {
  return ignore.isMatch || fill.isMatch;
}

function completeArray(live: JsonArray, desired: JsonArray, at: Completion): JsonArray {
  const element = { ...below(at, anyIndex), name: at.name };
  if (element.ignore.isMatch) return live;
  if (!reaches(element) || !desired.some(isContainer)) return desired;
  const agrees = (before: JsonValue, after: JsonValue): boolean =>
    deepEqual(complete(before, after, element), before);
  const partners = findPartners({ live, desired, name: at.name }, at.options, agrees);
  return desired.map((value, index) => complete(live[partners.get(index) ?? -1], value, element));
}

/** Elements have no names of their own here: `*` and `**` alone match them. */
const anyIndex = '';

function below({ ignore, fill, options }: Completion, name: string): Completion {
  return { ignore: ignore.below(name), fill: fill.below(name), name, options };
}
