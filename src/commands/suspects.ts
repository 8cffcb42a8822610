import {
  type ContractPlan,
  isBreaking,
  type UnchangedPlan,
  type UpdatePlan,
} from '../plan/plan.ts';
import type { Session } from '../session.ts';

/** Unless all are wanted, so many at most: each costs a request. */
export const mostSuspects = 50;

/** What can say who set a value: each contract of the catalog that is compared with something. */
export type Blamable = UpdatePlan | UnchangedPlan;

/** Whether a plan says who set what it changes. */
export function isSuspect(planned: ContractPlan, setting: Session['blame']): planned is Blamable {
  const { action } = planned;
  if (setting === 'none' || action === 'missing' || action === 'unmanaged' || action === 'create')
    return false;
  if (planned.drift || isBreaking(planned)) return true;
  if (planned.action === 'unchanged') return false;
  const isCaused = planned.changes.some(({ cause }) => cause === 'drift' || cause === 'conflict');
  return isCaused || (setting === 'all' && planned.changes.length > 0);
}
