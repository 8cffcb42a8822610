import type { Difference } from '../patch/difference.ts';
import { type CreatePlan, type Plan, plannedChanges, type UpdatePlan } from '../plan/plan.ts';
import { differencesOf } from '../plan/views.ts';

/** A change that somebody has approved; what is to be created has a name and no id yet. */
export type ReviewedChange = Partial<
  Pick<UpdatePlan, 'id' | 'fullyQualifiedName' | 'liveVersion' | 'liveUpdatedAt'>
> & {
  /** It may be the beginning of one, as long as it was shown. */
  readonly fingerprint: string;
  /** Known from a saved plan, or from a comment with room for it. */
  readonly differences?: readonly Difference[];
};

/**
 * Those of the reviewed changes that have landed; `superseded`: a version of the catalog shows it,
 * and a later edit or commit has replaced it.
 */
export type Landings = ReadonlyMap<ReviewedChange, 'landed' | 'superseded'>;

/** What a plan changes, as its approval approves it. */
export function reviewedChanges(plan: Plan): ((UpdatePlan | CreatePlan) & ReviewedChange)[] {
  return plannedChanges(plan).map((change) => ({
    ...change,
    differences: differencesOf(change, plan.arrays),
  }));
}
