import type { DesiredContract } from '../contract/contract.ts';
import type { AllowedMove, Lifecycle, TransitionRule } from '../contract/lifecycle.ts';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Transition } from './plan.ts';

/** Of these it is known that they are no end, even where nothing leads on. */
const inUse: ReadonlySet<string> = new Set(['Draft', 'Active', 'In Review', 'Approved']);
/** In small letters; of these it is known that they are one, whatever leads on. */
const outOfUse: ReadonlySet<string> = new Set(['deprecated', 'retired', 'archived']);

/** Whether a contract goes out of use by taking this status. */
export function endsUse(status: string, lifecycle: Lifecycle): boolean {
  if (outOfUse.has(status.toLowerCase())) return true;
  return !inUse.has(status) && isFinal(status, lifecycle);
}

/** Whether no move that is not blocked leads on to a later status. */
function isFinal(status: string, lifecycle: Lifecycle): boolean {
  const rank = (name: string) => lifecycle.statuses.indexOf(name);
  return nextStatuses(status, lifecycle).every((next) => rank(next) <= rank(status));
}

/** A first status is free: there is nothing that it could follow. */
function ruleFor({ from, to }: Transition, lifecycle: Lifecycle): TransitionRule {
  if (from === null) return 'allow';
  const listed = lifecycle.transitions.find((move) => move.from === from && move.to === to);
  return listed ? (listed.rule ?? 'allow') : 'block';
}

/** Where a contract may go from a status, blocked moves left out. */
function nextStatuses(from: string, lifecycle: Lifecycle): string[] {
  return lifecycle.transitions
    .filter((move) => move.from === from && move.rule !== 'block')
    .map(({ to }) => to);
}

/** The shortest way from one status to another by moves that are not blocked, both ends included. */
function pathBetween({ from, to }: Transition, lifecycle: Lifecycle): string[] | undefined {
  const moves = lifecycle.transitions.filter(({ rule }) => rule !== 'block');
  return shortestPath(from, to, moves);
}

/** The way that a jump leaves out: allowed moves through statuses that lie between its ends. */
function pathSkippedBy(
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
  moves: readonly AllowedMove[],
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

/** The change of status that the target document asks for, if any. */
export function findTransition(live: JsonObject, target: JsonObject): Transition | undefined {
  const from = status(live['entityStatus']);
  const to = status(target['entityStatus']);
  return from === to ? undefined : { from, to };
}

function status(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** What the lifecycle says about a transition; an error blocks the contract. */
export function judgeTransition(
  transition: Transition,
  { locate }: DesiredContract,
  lifecycle: Lifecycle,
): Problem[] {
  const source = locate(['entityStatus']);
  const move = spell([transition.from, transition.to]);
  switch (ruleFor(transition, lifecycle)) {
    case 'allow':
      return jump(transition, lifecycle, source);
    case 'warn':
      return [
        {
          code: 'transition-unusual',
          severity: 'warning',
          message: `The transition ${move} is unusual.`,
          hint: 'It will be applied. Check that you mean it.',
          source,
        },
      ];
    case 'block':
      return [
        {
          code: 'transition-blocked',
          severity: 'error',
          message: `The lifecycle doesn't allow the transition ${move}.`,
          hint: wayOut(transition, lifecycle),
          source,
        },
      ];
  }
}

function spell(statuses: readonly (string | null)[]): string {
  return statuses.map((status) => status ?? 'no status').join(' → ');
}

function jump(transition: Transition, lifecycle: Lifecycle, source: SourcePosition): Problem[] {
  const path = pathSkippedBy(transition, lifecycle);
  if (!path) return [];
  return [
    {
      code: 'transition-jumps',
      severity: 'information',
      message: `The transition ${spell([transition.from, transition.to])} skips ${path.slice(1, -1).join(', ')}.`,
      hint: `The full path is ${spell(path)}. The lifecycle allows the jump.`,
      source,
    },
  ];
}

function wayOut(transition: Transition, lifecycle: Lifecycle): string {
  const otherwise = 'add the transition to `lifecycle.transitions` in the configuration.';
  const path = pathBetween(transition, lifecycle);
  if (path) return `Go step by step, one apply each (${spell(path)}), or ${otherwise}`;
  const next = transition.from === null ? [] : nextStatuses(transition.from, lifecycle);
  return next.length > 0
    ? `From ${transition.from}, a contract can become ${next.join(' or ')}. Otherwise, ${otherwise}`
    : `A${otherwise.slice(1)}`;
}
