import type { Savings } from './align.ts';
import { jsonBytes } from './cost.ts';
import { formatPointer } from './pointer.ts';
import type { Section } from './section.ts';

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
