import type { Transition } from './plan.ts';

export type TransitionRule = 'allow' | 'warn' | 'block';

/** Which statuses there are and which may follow which; what is not listed is blocked. */
export type Lifecycle = {
  readonly statuses: readonly string[];
  readonly transitions: readonly {
    readonly from: string;
    readonly to: string;
    readonly rule?: TransitionRule;
  }[];
};

export const defaultLifecycle: Lifecycle = {
  statuses: ['Draft', 'Active', 'Deprecated'],
  transitions: [
    { from: 'Draft', to: 'Active' },
    { from: 'Active', to: 'Deprecated' },
    { from: 'Draft', to: 'Deprecated' },
    { from: 'Deprecated', to: 'Active', rule: 'warn' },
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
