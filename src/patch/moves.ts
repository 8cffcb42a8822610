import type { Link } from './align.ts';
import { childPlace, type Edit, type Place } from './operation.ts';
import { formatPointer } from './pointer.ts';

type Section = { readonly place: Place; readonly start: number };

/** Each element moves at most once; any of them can go first. */
export function moveEdits(links: readonly Link[], section: Section): readonly Edit[] {
  // `isRefused` is about a move from near the start far to the end: such a move is tried before and
  // after each of the others, which may shift it.
  const waiting = links
    .filter(({ kind }) => kind === 'moved')
    .toSorted((a, b) => a.desired - a.live - (b.desired - b.live) || b.desired - a.desired);
  if (waiting.length === 0) return [];
  const edits: Edit[] = [];
  // The elements between two moves, by desired index: those that wait are where they were, and
  // negative (-1 - index); the others are in their order.
  const order = links.map(({ kind, desired }) => (kind === 'moved' ? -1 - desired : desired));
  const hopOf = ({ desired }: Link): Hop => {
    const from = order.indexOf(-1 - desired);
    const before = order.findLastIndex((each) => each >= 0 && each < desired);
    // What follows the element comes one index nearer when it is taken out.
    return { from, to: before < from ? before + 1 : before };
  };
  const isRefusedNow = (link: Link): boolean => isRefused(hopOf(link), section);
  for (let last = waiting.pop(); last; last = waiting.pop()) {
    // Where two operations would move it, the last that one can move goes first, if there is any.
    const better = isRefusedNow(last) ? waiting.findLastIndex((link) => !isRefusedNow(link)) : -1;
    const [link = last] = better < 0 ? [] : waiting.splice(better, 1);
    if (link !== last) waiting.push(last);
    const hop = hopOf(link);
    edits.push(...hopEdits(link, hop, section));
    order.splice(hop.from, 1);
    order.splice(hop.to, 0, link.desired);
  }
  return edits;
}

// Some servers take a move from `/schema/1` to `/schema/10` for one into a part of itself, because
// the one text starts with the other.
function isRefused({ from, to }: Hop, { start }: Section): boolean {
  return from < to && String(start + to).startsWith(String(start + from));
}

// Two hops over index 0 replace a refused one: no other index starts with that.
function hopEdits({ live, desired }: Link, hop: Hop, section: Section): Edit[] {
  const { start } = section;
  const place = childPlace(section.place, start + live, start + desired);
  const path = formatPointer(section.place.live);
  const ends = isRefused(hop, section)
    ? [[start + hop.from, 0] as const, [0, start + hop.to] as const]
    : [[start + hop.from, start + hop.to] as const];
  return ends.map(([from, to]) => ({
    operation: { op: 'move', from: `${path}/${from}`, path: `${path}/${to}` },
    ...place,
  }));
}

type Hop = { readonly from: number; readonly to: number };
