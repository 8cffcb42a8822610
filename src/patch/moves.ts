import type { Link } from './align.ts';
import type { Edit } from './edit.ts';
import { formatPointer } from './pointer.ts';
import { elementPlace, type Section } from './section.ts';

/** From one index of the section to another. */
type Hop = { readonly from: number; readonly to: number };

/** The linked elements as they stand at the moment; those not `moved` are in desired order. */
type Line = readonly Link[];

/**
 * Moves that bring the linked elements, which stand in live order, into desired order. Each of
 * those to be moved moves once; any of them can go first.
 */
export function moveEdits(links: Line, section: Section): readonly Edit[] {
  const edits: Edit[] = [];
  let line = links;
  let waiting = links.filter(({ kind }) => kind === 'moved').toSorted(furthestFirst);
  for (let link = nextOf(waiting, line, section); link; link = nextOf(waiting, line, section)) {
    const moved = link;
    const hop = hopOf(moved, line);
    edits.push(...moveEdit(moved, hop, section));
    line = line.toSpliced(hop.from, 1).toSpliced(hop.to, 0, { ...moved, kind: 'kept' });
    waiting = waiting.filter((other) => other !== moved);
  }
  return edits;
}

/**
 * The first that one operation can move now. An index near the start that goes far to the end is
 * what `isRefused` is about: such a move is tried before and after each of the others.
 */
function nextOf(waiting: Line, line: Line, section: Section): Link | undefined {
  return waiting.find((link) => !isRefused(hopOf(link, line), section)) ?? waiting[0];
}

/** To behind the nearest predecessor that is in order. */
function hopOf(link: Link, line: Line): Hop {
  const from = line.indexOf(link);
  const predecessor = line.findLastIndex(
    ({ desired, kind }) => kind !== 'moved' && desired < link.desired,
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
function moveEdit(link: Link, hop: Hop, section: Section): Edit[] {
  const from = section.start + hop.from;
  const to = section.start + hop.to;
  const stops = isRefused(hop, section) ? [from, 0, to] : [from, to];
  const path = formatPointer(section.place.live);
  return stops.slice(1).map((stop, index) => ({
    operation: { op: 'move', from: `${path}/${stops[index]}`, path: `${path}/${stop}` },
    ...elementPlace(section, link.live, link.desired),
  }));
}

function furthestFirst(a: Link, b: Link): number {
  return b.desired - b.live - (a.desired - a.live) || a.desired - b.desired;
}
