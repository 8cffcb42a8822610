import type { LiveContract } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { diff } from '../patch/diff.ts';
import { labelPointer } from './change.ts';
import type { Rules } from './rules.ts';
import type { UpdatePlan } from './plan.ts';

/**
 * Where a live contract is not what the change makes of it, by label; nowhere: the change has
 * landed. Compared as planning compares, so what the server adds of its own is no difference.
 */
export function differences(
  { target }: UpdatePlan,
  live: LiveContract,
  { equivalence, arrays }: Pick<Rules, 'equivalence' | 'arrays'>,
): string[] {
  const wanted = targetDocument(live, target, equivalence, arrays);
  return diff(live.document, wanted, arrays).map((edit) =>
    edit.desired
      ? labelPointer(edit.desired, wanted, arrays)
      : labelPointer(edit.live ?? [], live.document, arrays),
  );
}

/** Whether the contract has been written since the plan was made. */
export function hasMoved({ liveVersion, liveUpdatedAt }: UpdatePlan, live: LiveContract): boolean {
  return liveUpdatedAt === undefined
    ? live.version !== liveVersion
    : live.updatedAt !== liveUpdatedAt;
}
