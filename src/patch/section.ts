import { deepEqual, type JsonArray } from '../json.ts';
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

/** The section that is left when the common start and end are taken off. */
export function differingSection(live: JsonArray, desired: JsonArray, place: Place): Section {
  const shorter = Math.min(live.length, desired.length);
  let start = 0;
  while (start < shorter && deepEqual(live[start], desired[start])) start += 1;
  let tail = 0;
  while (tail < shorter - start && deepEqual(live.at(-1 - tail), desired.at(-1 - tail))) tail += 1;
  return {
    live: live.slice(start, live.length - tail),
    desired: desired.slice(start, desired.length - tail),
    place,
    name: place.live.at(-1) ?? '',
    start,
    isLast: tail === 0,
  };
}

/** The place of two elements, by their indices within the section. */
export function elementPlace({ place, start }: Section, live: number, desired: number): Place {
  return childPlace(place, start + live, start + desired);
}
