import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { nextStatuses, ruleFor, type Lifecycle } from './lifecycle.ts';
import type { Transition } from './plan.ts';

/** The change of status that the target document asks for, if any. */
export function findTransition(live: JsonObject, target: JsonObject): Transition | undefined {
  const from = status(live['entityStatus']);
  const to = status(target['entityStatus']);
  return from === to ? undefined : { from, to };
}

function status(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** What the lifecycle says against a transition; an error blocks the contract. */
export function judgeTransition(
  transition: Transition,
  { desired, live }: { readonly desired: DesiredContract; readonly live: LiveContract },
  lifecycle: Lifecycle,
): Diagnostic[] {
  const source = desired.locate(['entityStatus']);
  const move = `${transition.from ?? 'no status'} → ${transition.to ?? 'no status'}`;
  switch (ruleFor(transition, lifecycle)) {
    case 'allow':
      return [];
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
          hint: wayOut(live.entityStatus, lifecycle),
          source,
        },
      ];
  }
}

function wayOut(from: string | undefined, lifecycle: Lifecycle): string {
  const next = from === undefined ? [] : nextStatuses(from, lifecycle);
  return next.length > 0
    ? `From ${from} a contract may become ${next.join(' or ')}. Else add the transition to \`lifecycle.transitions\` in the configuration.`
    : 'Add the transition to `lifecycle.transitions` in the configuration.';
}
