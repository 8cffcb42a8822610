/** Whose plan is to say who set what. */

import {
  type ContractPlan,
  isBreaking,
  type UnchangedPlan,
  type UpdatePlan,
} from '../plan/plan.ts';
import type { Session } from '../session.ts';
import type { PlannedContract } from '../sync/planner.ts';
import type { ReadContract } from '../sync/understand.ts';

/** Contracts whose plan is to say who set what, kept as they were read. */
export type Suspects = {
  readonly note: (contract: PlannedContract) => void;
  readonly kept: ReadonlyMap<string, ReadContract>;
  /** How many there are, kept or not. */
  readonly amount: () => number;
};

/** Unless all are wanted, so many at most: each costs a request. */
export const mostSuspects = 50;

export function createSuspects(setting: Session['blame']): Suspects {
  const kept = new Map<string, ReadContract>();
  const known = new Set<string>();
  return {
    note: ({ planned, ...contract }) => {
      const { id } = contract.live;
      if (!planned || !isSuspect(planned, setting)) return;
      known.add(id);
      if (setting === 'all' || known.size <= mostSuspects) kept.set(id, contract);
    },
    kept,
    amount: () => known.size,
  };
}

function isSuspect(planned: ContractPlan, setting: Session['blame']): boolean {
  if (setting === 'none' || !isBlamable(planned)) return false;
  if (planned.drift || isBreaking(planned)) return true;
  if (planned.action === 'unchanged') return false;
  const isCaused = planned.changes.some(({ cause }) => cause === 'drift' || cause === 'conflict');
  return isCaused || (setting === 'all' && planned.changes.length > 0);
}

export type Blamable = UpdatePlan | UnchangedPlan;

export function isBlamable(planned: ContractPlan): planned is Blamable {
  const { action } = planned;
  return action === 'update' || action === 'blocked' || action === 'unchanged';
}
