import type { Plan } from '../../plan/plan.ts';
import { count } from '../../core/text.ts';

/** What the plan comes to, in a few words: `3 to update, 2 status transitions, 1 blocked`. */
export function planVerdict({ planHash, summary }: Plan): string {
  if (planHash === undefined) return 'no plan could be made';
  const { update, blocked, missing, transitions, breaking } = summary;
  const parts = [
    ...(update > 0 ? [`${update} to update`] : []),
    ...(transitions > 0 ? [count(transitions, 'status transition', 'status transitions')] : []),
    ...(breaking > 0 ? [`${breaking} breaking`] : []),
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
  ];
  if (update > 0 || blocked > 0) return parts.join(', ');
  return ['no changes', ...parts].join(', ');
}

/** The counts that need no action, and what the plan is known by. */
export function planFooter({ planHash, summary, selection }: Plan): string {
  const { unchanged, unmanaged } = summary;
  const counts = [
    `${unchanged} unchanged`,
    ...(unmanaged > 0
      ? [`${count(unmanaged, 'live contract', 'live contracts')} without a file, left alone`]
      : []),
    ...(selection && selection.leftOut.length > 0
      ? [`${count(selection.leftOut.length, 'contract', 'contracts')} left out of this plan`]
      : []),
  ];
  const hash = planHash === undefined ? [] : [`plan hash \`${planHash}\``];
  return `<sub>${[...counts, ...hash].join(' · ')}</sub>`;
}
