import type { JsonValue } from '../../../core/json.ts';
import { deprecated, type Lifecycle } from '../../../contract/lifecycle.ts';

/**
 * The statuses of releases from 1.10 on, and moves that make sense between them: the server allows
 * any. A release that knows `Archived` too is told so by `lifecycle` in the configuration.
 */
export const knownStatuses: Lifecycle = {
  statuses: ['Unprocessed', 'Draft', 'In Review', 'Rejected', 'Approved', deprecated],
  transitions: [
    { from: 'Unprocessed', to: 'Draft' },
    { from: 'Unprocessed', to: 'In Review' },
    { from: 'Unprocessed', to: 'Approved' },
    { from: 'Draft', to: 'In Review' },
    { from: 'Draft', to: 'Approved' },
    { from: 'In Review', to: 'Approved' },
    { from: 'In Review', to: 'Rejected' },
    { from: 'In Review', to: 'Draft' },
    { from: 'Rejected', to: 'Draft' },
    { from: 'Rejected', to: 'In Review' },
    { from: 'Approved', to: 'In Review', rule: 'warn' },
    { from: deprecated, to: 'Approved', rule: 'warn' },
    ...['Unprocessed', 'Draft', 'In Review', 'Rejected', 'Approved'].map((from) => ({
      from,
      to: deprecated,
    })),
  ],
  // Releases up to 1.9, and the documents of all of them, say Active.
  synonyms: { Active: 'Approved' },
};

/** From here only a reviewer leads on, to one of those. */
export const underReview = 'In Review';
export const reviewed = ['Approved', 'Rejected'] as const;

/** What a contract without a status of its own is answered with. */
export const noStatus = 'Unprocessed';

/** Whether only a reviewer may make this move, where the contract has reviewers. */
export function needsReviewer(from: JsonValue | undefined, to: JsonValue | undefined): boolean {
  return from === underReview && reviewed.some((status) => status === to);
}
