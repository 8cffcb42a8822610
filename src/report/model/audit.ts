/** What there is to say of an audit, in words. */

import { count } from '../../core/text.ts';
import { formatDay, formatSpan } from '../../core/time.ts';
import type { Audit } from '../../history/audit.ts';

/** An audit, since when it looks, and of how many contracts. */
export type AuditView = Audit & { readonly since?: number; readonly contracts: number };

export type AuditWords = {
  readonly headline: string;
  /** `9 from git (75%), 3 by hand`. */
  readonly sources: string;
  readonly users: readonly (readonly [user: string, fromGit: string, byHand: string])[];
  readonly places: readonly {
    readonly contract: string;
    readonly label: string;
    readonly words: string;
  }[];
  readonly drift: string;
};

export function describeAudit(audit: AuditView): AuditWords {
  const { since, contracts, fromGit, byHand, unknown, drift } = audit;
  const versions = count(fromGit + byHand + unknown, 'version', 'versions');
  const of = count(contracts, 'contract has a file', 'contracts have files');
  const period = since === undefined ? '' : ` since ${formatDay(since)}`;
  return {
    headline: `${of}; ${versions} changed what the files manage${period}.`,
    sources: sourcesText({ fromGit, byHand, unknown }),
    users: audit.users.map(({ user = 'unknown', fromGit: git, byHand: hand }) => [
      user,
      String(git),
      String(hand),
    ]),
    places: audit.places
      .slice(0, mostPlaces)
      .map(({ contract, label, times, longest, isDrifting }) => ({
        contract,
        label,
        words: `${count(times, 'time', 'times')}, ${formatSpan(longest)} at most${isDrifting ? ', still' : ''}`,
      })),
    drift:
      drift.ended + drift.living === 0
        ? 'Nothing has drifted.'
        : `Drift: ${drift.ended} ended, ${drift.living} still there; ${formatSpan(drift.median)} in the median, ${formatSpan(drift.longest)} at most.`,
  };
}

const mostPlaces = 10;

function sourcesText({ fromGit, byHand, unknown }: Pick<Audit, 'fromGit' | 'byHand' | 'unknown'>) {
  const total = fromGit + byHand + unknown;
  const share = total === 0 ? '' : ` (${Math.round((100 * fromGit) / total)}%)`;
  const rest = unknown === 0 ? '' : `, ${unknown} unknown: git's history here does not reach back`;
  return `${fromGit} from git${share}, ${byHand} by hand${rest}.`;
}
