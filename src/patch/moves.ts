import type { Link } from './align.ts';
import type { Edit } from './edit.ts';
import { formatPointer } from './pointer.ts';
import { elementPlace, type Section } from './section.ts';

/** From one index of the section to another. */
type Hop = { readonly from: number; readonly to: number };

type Step = { readonly link: Link; readonly hop: Hop };

/** The linked elements as they stand at the moment; those not `moved` are in desired order. */
type Line = readonly Link[];

/**
 * Moves that bring the linked elements, which stand in live order, into desired order. Each of
 * those to be moved moves once; any of them can go first.
 */
export function moveEdits(links: Line, section: Section): readonly Edit[] {
  const edits: Edit[] = [];
  const line = [...links];
  const waiting = links.filter(({ kind }) => kind === 'moved').toSorted(furthestFirst);
  const next = (): Step | undefined => takeNext(waiting, line, section);
  for (let step = next(); step; step = next()) {
    const { link, hop } = step;
    line.splice(hop.from, 1);
    line.splice(hop.to, 0, { ...link, kind: 'kept' });
    edits.push(...hopEdits(link, hop, section));
  }
  return edits;
}

/** The first element that one operation can move now; if there is none, just the first. */
function takeNext(waiting: Link[], line: Line, section: Section): Step | undefined {
  for (const [index, link] of waiting.entries()) {
    const hop = hopOf(link, line);
    if (isRefused(hop, section)) continue;
    waiting.splice(index, 1);
    return { link, hop };
  }
  const link = waiting.shift();
  return link && { link, hop: hopOf(link, line) };
}

/**
 * An index near the start that goes far to the end is what `isRefused` is about: such a move is
 * tried before and after each of the others, which may shift it.
 */
function furthestFirst(a: Link, b: Link): number {
  return b.desired - b.live - (a.desired - a.live) || a.desired - b.desired;
}

/** To behind the nearest predecessor that is in order. */
function hopOf(link: Link, line: Line): Hop {
  const from = line.indexOf(link);
  const predecessor = line.findLastIndex(
    ({ desired, kind }) => desired < link.desired && kind !== 'moved',
  );
  // What stands behind the element comes one index nearer when it is taken out.
  return { from, to: predecessor < from ? predecessor + 1 : predecessor };
}

/**
 * Some servers take a move from `/schema/1` to `/schema/10` for one into a part of itself, because
 * the one text starts with the other.
 */
function isRefused({ from, to }: Hop, { start }: Section): boolean {
  return from !== to && String(start + to).startsWith(String(start + from));
}

/** Where one hop would be refused, two lead over index 0: no other index starts with that. */
function hopEdits(link: Link, hop: Hop, section: Section): Edit[] {
  const from = section.start + hop.from;
  const to = section.start + hop.to;
  const stops = isRefused(hop, section) ? [from, 0, to] : [from, to];
  const path = formatPointer(section.place.live);
  return stops.slice(1).map((stop, index) => ({
    operation: { op: 'move', from: `${path}/${stops[index]}`, path: `${path}/${stop}` },
    ...elementPlace(section, link.live, link.desired),
  }));
}
