import type { Transition } from './plan.ts';

export type TransitionRule = 'allow' | 'warn' | 'block';

/** Which statuses there are and which may follow which; what is not listed is blocked. */
export type Lifecycle = {
  /** From the first in a contract's life to the last. */
  readonly statuses: readonly string[];
  readonly transitions: readonly Move[];
};

type Move = { readonly from: string; readonly to: string; readonly rule?: TransitionRule };

/** The status by which an unmanaged contract is retired (interface §2.1). */
export const deprecated = 'Deprecated';

export const defaultLifecycle: Lifecycle = {
  statuses: ['Draft', 'Active', deprecated],
  transitions: [
    { from: 'Draft', to: 'Active' },
    { from: 'Active', to: deprecated },
    { from: 'Draft', to: deprecated },
    { from: deprecated, to: 'Active', rule: 'warn' },
  ],
};

/** A first status is free: there is nothing that it could follow. */
export function ruleFor({ from, to }: Transition, lifecycle: Lifecycle): TransitionRule {
  if (from === null) return 'allow';
  const listed = lifecycle.transitions.find((move) => move.from === from && move.to === to);
  return listed ? (listed.rule ?? 'allow') : 'block';
}

/** Where a contract may go from a status, blocked moves left out. */
export function nextStatuses(from: string, lifecycle: Lifecycle): string[] {
  return lifecycle.transitions
    .filter((move) => move.from === from && move.rule !== 'block')
    .map(({ to }) => to);
}

/** The shortest way from one status to another by moves that are not blocked, both ends included. */
export function pathBetween({ from, to }: Transition, lifecycle: Lifecycle): string[] | undefined {
  const moves = lifecycle.transitions.filter(({ rule }) => rule !== 'block');
  return shortestPath(from, to, moves);
}

/** The way that a jump leaves out: allowed moves through statuses that lie between its ends. */
export function pathSkippedBy(
  { from, to }: Transition,
  { statuses, transitions }: Lifecycle,
): string[] | undefined {
  const rank = (status: string) => statuses.indexOf(status);
  const steps = transitions.filter(
    (move) =>
      (move.rule ?? 'allow') === 'allow' &&
      rank(move.from) < rank(move.to) &&
      !(move.from === from && move.to === to),
  );
  return shortestPath(from, to, steps);
}

function shortestPath(
  from: string | null,
  to: string | null,
  moves: readonly Move[],
): string[] | undefined {
  const paths = from === null ? [] : [[from]];
  const reached = new Set([from]);
  // Grows while it is walked: a search in breadth.
  for (const path of paths) {
    if (path.at(-1) === to) return path;
    for (const move of moves) {
      if (move.from !== path.at(-1) || reached.has(move.to)) continue;
      reached.add(move.to);
      paths.push([...path, move.to]);
    }
  }
  return undefined;
}
