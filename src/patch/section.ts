import { deepEqual, type JsonArray } from '../core/json.ts';
import { childPlace, type Place } from './edit.ts';

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
