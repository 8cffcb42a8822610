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
  let liveEnd = live.length;
  let desiredEnd = desired.length;
  while (liveEnd > start && desiredEnd > start) {
    if (!deepEqual(live[liveEnd - 1], desired[desiredEnd - 1])) break;
    liveEnd -= 1;
    desiredEnd -= 1;
  }
  return {
    live: live.slice(start, liveEnd),
    desired: desired.slice(start, desiredEnd),
    place,
    name: place.live.at(-1) ?? '',
    start,
    isLast: liveEnd === live.length,
  };
}

/** The place of two elements, by their indices within the section. */
export function elementPlace({ place, start }: Section, live: number, desired: number): Place {
  return childPlace(place, start + live, start + desired);
}
