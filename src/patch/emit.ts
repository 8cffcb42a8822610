import type { JsonArray } from '../json.ts';
import type { Link } from './align.ts';
import { addEdit, childPlace, type Edit, type Place, removeEdit } from './edit.ts';
import { moveEdits } from './moves.ts';

/** Two arrays, how they are aligned, and where they stand. */
export type AlignedArrays = {
  readonly live: JsonArray;
  readonly desired: JsonArray;
  readonly links: readonly Link[];
  readonly place: Place;
  /** Whether every new element goes to the end. */
  readonly unordered: boolean;
};

/**
 * The edits of an array, in the one order in which each index is known beforehand: within
 * elements while all of them have their live index, removes from the last to the first, moves,
 * adds from the first to the last, at their final index.
 */
export function emit(
  arrays: AlignedArrays,
  editsWithin: (link: Link) => readonly Edit[],
): readonly Edit[] {
  return [
    ...arrays.links.flatMap(editsWithin),
    ...removeEdits(arrays),
    ...moveEdits(arrays.links, arrays.place),
    ...addEdits(arrays),
  ];
}

function removeEdits({ live, links, place }: AlignedArrays): Edit[] {
  const linked = new Set(links.map((link) => link.live));
  return [...live.keys()]
    .filter((index) => !linked.has(index))
    .toReversed()
    .map((index) => removeEdit(childPlace(place, index)));
}

function addEdits({ desired, links, place, unordered }: AlignedArrays): Edit[] {
  const linked = new Set(links.map((link) => link.desired));
  const added = [...desired.entries()].filter(([index]) => !linked.has(index));
  return added.map(([index, value], rank) => {
    const atEnd = unordered || index === links.length + rank;
    return addEdit(childPlace(place, atEnd ? '-' : index, index), value);
  });
}
