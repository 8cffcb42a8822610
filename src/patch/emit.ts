import type { Link } from './align.ts';
import { addEdit, childPlace, type Edit, removeEdit } from './edit.ts';
import { moveEdits } from './moves.ts';
import { indicesBut } from './pairs.ts';
import { elementPlace, type Section } from './section.ts';

/**
 * The edits of an array, in the one order in which every index is known beforehand: those within
 * elements, while each has its live index; removes from the last to the first; moves; adds from
 * the first to the last, at their final index or, in an unordered array, at the end.
 */
export function emit(
  section: Section,
  links: readonly Link[],
  how: { readonly unordered: boolean; readonly editsWithin: (link: Link) => readonly Edit[] },
): readonly Edit[] {
  const within: readonly Edit[] = links.flatMap(how.editsWithin);
  return within.concat(
    removeEdits(section, links),
    moveEdits(links, section),
    addEdits(section, links, how.unordered),
  );
}

function removeEdits(section: Section, links: readonly Link[]): Edit[] {
  const linked = links.map(({ live }) => live);
  const removed = indicesBut(linked, section.live.length);
  return removed.toReversed().map((index) => removeEdit(elementPlace(section, index, index)));
}

function addEdits(section: Section, links: readonly Link[], unordered: boolean): Edit[] {
  const linked = links.map(({ desired }) => desired);
  const added = indicesBut(linked, section.desired.length);
  return added.map((index, rank) => {
    const isAtEnd = unordered || (section.isLast && index === links.length + rank);
    const final = section.start + index;
    const place = childPlace(section.place, isAtEnd ? '-' : final, final);
    return addEdit(place, section.desired[index] ?? null);
  });
}
