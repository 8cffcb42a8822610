import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../json.ts';
import { pairUp } from './align.ts';
import type { DiffOptions } from './edit.ts';
import { chooseKey, identityOf } from './identity.ts';
import { descend, isMatched, type Pattern } from './pattern.ts';

/** What is live's: `ignore` in any case, `fill` only where desired has no such member. */
export type Preserved = {
  readonly ignore?: readonly Pattern[];
  readonly fill?: readonly Pattern[];
};

type Patterns = { readonly ignore: readonly Pattern[]; readonly fill: readonly Pattern[] };
type Completion = {
  readonly patterns: Patterns;
  readonly name: string;
  readonly options: DiffOptions;
};

/**
 * The desired document, completed with what live holds at the patterns, so that a diff neither
 * shows nor loses it, also where a parent is replaced whole. What desired removes stays removed
 * with everything in it. Arrays are aligned as `diff` aligns them.
 */
export function preserve(
  live: JsonValue,
  desired: JsonValue,
  { ignore = [], fill = [] }: Preserved,
  options: DiffOptions = {},
): JsonValue {
  return complete(live, desired, { patterns: { ignore, fill }, name: '', options });
}

function complete(live: JsonValue | undefined, desired: JsonValue, at: Completion): JsonValue {
  const { ignore, fill } = at.patterns;
  if (ignore.length === 0 && fill.length === 0) return desired;
  if (isObject(desired)) return completeObject(isObject(live) ? live : {}, desired, at);
  if (isArray(desired)) return completeArray(isArray(live) ? live : [], desired, at);
  return desired;
}

function completeObject(live: JsonObject, desired: JsonObject, at: Completion): JsonObject {
  const declared = Object.entries(desired).flatMap(([member, value]) => {
    const inner = below(at, member);
    const before = Object.hasOwn(live, member) ? live[member] : undefined;
    if (!isMatched(inner.patterns.ignore))
      return [[member, complete(before, value, inner)] as const];
    return before === undefined ? [] : [[member, before] as const];
  });
  const kept = Object.entries(live).filter(([member]) => {
    if (Object.hasOwn(desired, member)) return false;
    const { ignore, fill } = below(at, member).patterns;
    return isMatched(ignore) || isMatched(fill);
  });
  return Object.fromEntries([...declared, ...kept]);
}

function completeArray(live: JsonArray, desired: JsonArray, at: Completion): JsonArray {
  const inner = below(at, anyIndex);
  if (isMatched(inner.patterns.ignore)) return live;
  const element = { ...inner, name: at.name };
  const partners = findPartners(live, desired, element);
  return desired.map((value, index) =>
    complete(live[partners.get(index) ?? live.length], value, element),
  );
}

/** Patterns reach into every element alike: only `*` and `**` match an index. */
const anyIndex = '';

function below({ patterns, options }: Completion, token: string): Completion {
  return {
    patterns: { ignore: descend(patterns.ignore, token), fill: descend(patterns.fill, token) },
    name: token,
    options,
  };
}

/**
 * Desired index → live index. Elements with a key pair up by it; one without is taken for the
 * first live element that it equals once it is completed.
 */
function findPartners(
  live: JsonArray,
  desired: JsonArray,
  at: Completion,
): ReadonlyMap<number, number> {
  const key = chooseKey(live, desired, at.name, at.options);
  const { partners, removed, added } = pairUp({
    live: live.map((element) => identityOf(element, key)),
    desired: desired.map((element) => identityOf(element, key)),
  });
  const found = new Map([...partners].map(([from, to]) => [to, from]));
  const free = new Set(key ? [] : removed);
  for (const index of added) {
    const agreeing = [...free].find((from) =>
      agrees(live[from] ?? null, desired[index] ?? null, at),
    );
    if (agreeing === undefined) continue;
    found.set(index, agreeing);
    free.delete(agreeing);
  }
  return found;
}

function agrees(live: JsonValue, desired: JsonValue, at: Completion): boolean {
  return deepEqual(complete(live, desired, at), live);
}
