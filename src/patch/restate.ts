/** The reverse of `preserve`: what a document has to say for live to be what it declares. */

import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import type { DiffOptions } from './operation.ts';
import {
  below,
  complete,
  completeMember,
  type Completion,
  findPartners,
  keptMember,
  type Preserved,
  startCompletion,
} from './preserve.ts';

/**
 * The smallest change of desired that `preserve` completes to live. The server's additions stay
 * out; desired's values at ignored places stay.
 */
export function restate(
  live: JsonObject,
  desired: JsonObject,
  preserved: Preserved,
  options: DiffOptions = {},
): JsonObject {
  return restateObject(live, desired, startCompletion(preserved, options));
}

function restateValue(live: JsonValue, desired: JsonValue | undefined, at: Completion): JsonValue {
  if (desired !== undefined && deepEqual(complete(live, desired, at), live)) return desired;
  if (isObject(live)) return restateObject(live, isObject(desired) ? desired : {}, at);
  if (isArray(live)) return restateArray(live, isArray(desired) ? desired : [], at);
  return live;
}

function restateObject(live: JsonObject, desired: JsonObject, at: Completion): JsonObject {
  const kept = Object.keys(desired).flatMap((member) => keepMember(live, desired, at, member));
  const added = Object.keys(live)
    .filter((member) => !Object.hasOwn(desired, member))
    .flatMap((member) => addMember(live[member] ?? null, member, at));
  return Object.fromEntries([...kept, ...added]);
}

type AtMostOne = readonly (readonly [name: string, value: JsonValue])[];

function keepMember(
  live: JsonObject,
  desired: JsonObject,
  at: Completion,
  member: string,
): AtMostOne {
  const wanted = desired[member] ?? null;
  const current = Object.hasOwn(live, member) ? live[member] : undefined;
  const isIgnored = at.ignore.below(member).isMatch;
  if (isIgnored || deepEqual(completeMember(live, desired, at, member), current)) {
    return [[member, wanted]];
  }
  if (current === undefined) return [];
  return [[member, restateValue(current, wanted, below(at, member))]];
}

function addMember(value: JsonValue, member: string, at: Completion): AtMostOne {
  if (deepEqual(keptMember(value, member, at), value)) return [];
  return [[member, restateValue(value, undefined, below(at, member))]];
}

function restateArray(live: JsonArray, desired: JsonArray, at: Completion): JsonArray {
  const element = below(at);
  if (element.ignore.isMatch) return desired;
  const partners = findPartners(live, desired, at);
  const written = new Map([...partners].map(([after, before]) => [before, desired[after]]));
  return live.map((value, index) => restateValue(value, written.get(index), element));
}
