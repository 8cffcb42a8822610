import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import type { Savings } from './align.ts';
import { jsonBytes } from './cost.ts';
import { childPlace, type Place, root } from './operation.ts';
import { formatPointer } from './pointer.ts';

/** Where two arrays differ: between the equal elements that both start with and both end with. */
export type Section = {
  readonly live: JsonArray;
  readonly desired: JsonArray;
  /** Place of the arrays themselves. */
  readonly place: Place;
  /** Of the member that holds the arrays. */
  readonly name: string;
  /** Index in both arrays at which the section starts. */
  readonly start: number;
  /** Whether nothing stands behind it. */
  readonly isLast: boolean;
};

/** The section that is left when the common start and end are taken off; undefined if none is. */
export function differingSection(
  live: JsonArray,
  desired: JsonArray,
  place: Place,
): Section | undefined {
  const start = commonStart(live, desired);
  if (start === live.length && start === desired.length) return undefined;
  const end = commonEnd(live, desired, start);
  return {
    live: live.slice(start, live.length - end),
    desired: desired.slice(start, desired.length - end),
    place,
    name: place.live.at(-1) ?? '',
    start,
    isLast: end === 0,
  };
}

/** How many elements both arrays start with. */
function commonStart(live: JsonArray, desired: JsonArray): number {
  const shorter = Math.min(live.length, desired.length);
  let count = 0;
  while (count < shorter && deepEqual(live[count], desired[count])) count += 1;
  return count;
}

/** How many elements both arrays end with, behind those that they start with. */
function commonEnd(live: JsonArray, desired: JsonArray, start: number): number {
  const rest = Math.min(live.length, desired.length) - start;
  let count = 0;
  while (count < rest && deepEqual(live.at(-1 - count), desired.at(-1 - count))) count += 1;
  return count;
}

/** The place of two elements, by their indices within the section. */
export function elementPlace({ place, start }: Section, live: number, desired: number): Place {
  return childPlace(place, start + live, start + desired);
}

/** One operation outweighs all the bytes that a patch can have. */
const operation = 2 ** 32;

// Operations as they stand in a patch, without the array's path, indices and values.
const moveBytes = '{"op":"move","from":"/","path":"/"},'.length;
const removeBytes = '{"op":"remove","path":"/"},'.length;
const addBytes = '{"op":"add","path":"/","value":},'.length;
const replaceBytes = '{"op":"replace","path":"/","value":},'.length;

type Bytes = (live: number, desired: number) => number;

/** A kept element saves its move; one that takes a slot saves the slot's remove. */
export function savingsWithMoves(section: Section, bytesWithin: Bytes): Savings {
  const indices = bytesOfIndices(section);
  return {
    keep: (live, desired) => operation + moveBytes + indices(live, desired),
    replace: savingsOfSlots(section, bytesWithin),
  };
}

/** A kept element saves a remove and its add; one that takes a slot saves the slot's remove. */
export function savingsInPlace(section: Section, bytesWithin: Bytes): Savings {
  const indices = bytesOfIndices(section);
  const values = section.desired.map(jsonBytes);
  const both = 2 * operation + removeBytes + addBytes;
  return {
    keep: (live, desired) => both + indices(live, desired) + (values[desired] ?? 0),
    replace: savingsOfSlots(section, bytesWithin),
  };
}

/** `bytesWithin` is what an edit inside of the element saves against sending it whole. */
function savingsOfSlots(section: Section, bytesWithin: Bytes): Bytes {
  const path = pathBytes(section);
  const slot = operation + removeBytes + addBytes - replaceBytes + path;
  return (live, desired) => slot + digits(section.start + desired) + bytesWithin(live, desired);
}

/** Two pointers to elements. */
function bytesOfIndices(section: Section): Bytes {
  const paths = 2 * pathBytes(section);
  return (live, desired) => paths + digits(section.start + live) + digits(section.start + desired);
}

/** Without its quotes. */
function pathBytes({ place }: Section): number {
  return jsonBytes(formatPointer(place.live)) - 2;
}

/** Without a text: each pair of elements that may be kept asks twice. */
function digits(index: number): number {
  let count = 1;
  for (let rest = index; rest >= 10; rest /= 10) count += 1;
  return count;
}

/** Whether two containers differ in no more than one child: cheap to tell, and rarely so. */
export function isNearly(live: JsonValue, desired: JsonValue): boolean {
  if (isArray(live) && isArray(desired)) {
    const section = differingSection(live, desired, root);
    return !section || Math.max(section.live.length, section.desired.length) <= 1;
  }
  return isObject(live) && isObject(desired) && areNearlyEqual(live, desired);
}

function areNearlyEqual(live: JsonObject, desired: JsonObject): boolean {
  let differing = 0;
  for (const member of Object.keys(live)) {
    if (!Object.hasOwn(desired, member) || !deepEqual(live[member], desired[member]))
      differing += 1;
    // Most elements differ in the first few members: each is asked with each about that.
    if (differing > 1) return false;
  }
  for (const member of Object.keys(desired)) differing += Object.hasOwn(live, member) ? 0 : 1;
  return differing <= 1;
}
