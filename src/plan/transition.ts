import type { DesiredContract } from '../contract/contract.ts';
import type { SourcePosition } from '../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { nextStatuses, pathBetween, pathSkippedBy, ruleFor, type Lifecycle } from './lifecycle.ts';
import type { Transition } from './plan.ts';
import type { Problem } from './problem.ts';

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
          hint: 'It is applied as it stands; check that it is meant.',
          source,
        },
      ];
    case 'block':
      return [
        {
          code: 'transition-blocked',
          severity: 'error',
          message: `The lifecycle does not allow the transition ${move}.`,
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
      message: `The transition ${spell([transition.from, transition.to])} leaves out ${path.slice(1, -1).join(', ')}.`,
      hint: `The whole path is ${spell(path)}; the lifecycle allows the jump.`,
      source,
    },
  ];
}

function wayOut(transition: Transition, lifecycle: Lifecycle): string {
  const otherwise = 'add the transition to `lifecycle.transitions` in the configuration.';
  const path = pathBetween(transition, lifecycle);
  if (path) return `The path is ${spell(path)}, one apply for each step; or ${otherwise}`;
  const next = transition.from === null ? [] : nextStatuses(transition.from, lifecycle);
  return next.length > 0
    ? `From ${transition.from} a contract may become ${next.join(' or ')}. Else ${otherwise}`
    : `A${otherwise.slice(1)}`;
}
