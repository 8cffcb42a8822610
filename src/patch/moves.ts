import type { Link } from './align.ts';
import type { Edit, Place } from './edit.ts';
import { type Hop, hopOf, type Line, lineUp, settle } from './line.ts';
import { formatPointer } from './pointer.ts';
import { elementPlace, type Section } from './section.ts';

type Step = { readonly link: Link; readonly hop: Hop };

/**
 * Moves that bring the linked elements, which stand in live order, into desired order. Each of
 * those to be moved moves once; any of them can go first.
 */
export function moveEdits(links: readonly Link[], section: Section): readonly Edit[] {
  const waiting = links.filter(({ kind }) => kind === 'moved').toSorted(furthestLast);
  if (waiting.length === 0) return [];
  const edits: Edit[] = [];
  const line = lineUp(links, section.live.length, section.desired.length);
  const path = formatPointer(section.place.live);
  const next = (): Step | undefined => takeNext(waiting, line, section);
  for (let step = next(); step; step = next()) {
    settle(step.link, line);
    edits.push(...stepEdits(step, section, path));
  }
  return edits;
}

/** The last element; where two operations would move it, the last that one can move, if any. */
function takeNext(waiting: Link[], line: Line, section: Section): Step | undefined {
  const last = waiting.pop();
  if (!last) return undefined;
  const step = { link: last, hop: hopOf(last, line) };
  if (!isRefused(step.hop, section)) return step;
  const better = waiting.findLastIndex((link) => !isRefused(hopOf(link, line), section));
  if (better < 0) return step;
  const [link = last] = waiting.splice(better, 1);
  waiting.push(last);
  return { link, hop: hopOf(link, line) };
}

/**
 * An index near the start that goes far to the end is what `isRefused` is about: such a move is
 * tried before and after each of the others, which may shift it.
 */
function furthestLast(a: Link, b: Link): number {
  return a.desired - a.live - (b.desired - b.live) || b.desired - a.desired;
}

/**
 * Some servers take a move from `/schema/1` to `/schema/10` for one into a part of itself, because
 * the one text starts with the other.
 */
function isRefused({ from, to }: Hop, { start }: Section): boolean {
  return from < to && String(start + to).startsWith(String(start + from));
}

/** Where one hop would be refused, two lead over index 0: no other index starts with that. */
function stepEdits({ link, hop }: Step, section: Section, path: string): Edit[] {
  const from = section.start + hop.from;
  const to = section.start + hop.to;
  const place = elementPlace(section, link.live, link.desired);
  if (!isRefused(hop, section)) return [moveEdit(place, path, from, to)];
  return [moveEdit(place, path, from, 0), moveEdit(place, path, 0, to)];
}

/** A move between two indices of the array at that path. */
function moveEdit({ live, desired }: Place, path: string, from: number, to: number): Edit {
  const operation = { op: 'move', from: `${path}/${from}`, path: `${path}/${to}` } as const;
  return { operation, live, desired };
}
