import type { Link } from './align.ts';
import { childPlace, type Edit, type Place } from './edit.ts';
import { formatPointer } from './pointer.ts';

type Step = { readonly from: number; readonly to: number };

/**
 * Moves that bring the linked elements, which stand in live order, into desired order. Each of
 * the moved ones moves once: to behind its nearest predecessor among those already in order.
 */
export function moveEdits(links: readonly Link[], place: Place): Edit[] {
  const order = links.map(({ desired }) => desired);
  const settled = new Set(
    links.filter(({ kind }) => kind !== 'moved').map(({ desired }) => desired),
  );
  const waiting = links
    .filter(({ kind }) => kind === 'moved')
    .toSorted((a, b) => a.desired - b.desired);
  return waiting.flatMap((link) => {
    const step = nextStep(link.desired, order, settled);
    order.splice(step.from, 1);
    order.splice(step.to, 0, link.desired);
    settled.add(link.desired);
    return hops(step).map((hop) => moveEdit(hop, link, place));
  });
}

function nextStep(element: number, order: readonly number[], settled: ReadonlySet<number>): Step {
  const from = order.indexOf(element);
  const predecessor = order.findLastIndex((other) => other < element && settled.has(other));
  // What stood behind the element has come one index nearer once it is taken out.
  return { from, to: predecessor < from ? predecessor + 1 : predecessor };
}

/**
 * Some servers take `/schema/1` → `/schema/10` for a move into a part of itself, because the one
 * text starts with the other. No path but itself starts with index 0, so the way leads over it.
 */
function hops({ from, to }: Step): readonly Step[] {
  const refused = String(to).startsWith(String(from));
  return refused
    ? [
        { from, to: 0 },
        { from: 0, to },
      ]
    : [{ from, to }];
}

function moveEdit({ from, to }: Step, { live, desired }: Link, place: Place): Edit {
  const path = formatPointer(place.live);
  return {
    operation: { op: 'move', from: `${path}/${from}`, path: `${path}/${to}` },
    ...childPlace(place, live, desired),
  };
}
