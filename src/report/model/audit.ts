/** What there is to say of an audit, in words. */

import { count } from '../../core/text.ts';
import { formatDay, formatSpan, formatUtc } from '../../core/time.ts';
import type { PastGap } from '../../files/past.ts';
import type { Audit } from '../../history/drift.ts';

/** An audit, since when it looks, of how many contracts, and why it does not know all. */
export type AuditView = Audit & {
  readonly since?: number;
  readonly contracts: number;
  readonly leftOut: number;
  readonly notApplied: number;
  readonly gaps: readonly (Omit<PastGap, 'kind'> & {
    readonly kind: PastGap['kind'] | 'unrecorded';
    readonly contracts: number;
  })[];
};

export type AuditWords = {
  readonly headline: string;
  /** `9 from git (75%), 1 in git since, 2 not from a commit`. */
  readonly sources: string;
  /** Why some are unknown. */
  readonly gaps: readonly string[];
  /** Whether some users have versions of which nobody knows where they came from. */
  readonly hasUnknown: boolean;
  /** Whether some have versions that only a later commit asks for. */
  readonly hasGitSince: boolean;
  readonly users: readonly {
    readonly user: string;
    readonly fromGit: number;
    readonly gitSince: number;
    readonly noCommit: number;
    readonly unknown: number;
  }[];
  readonly places: readonly {
    readonly contract: string;
    readonly label: string;
    readonly words: string;
  }[];
  readonly drift: string;
};

export function describeAudit(audit: AuditView): AuditWords {
  const { since, contracts, leftOut, fromGit, gitSince, noCommit, unknown, notApplied } = audit;
  const versions = count(fromGit + gitSince + noCommit + unknown, 'version', 'versions');
  const of =
    leftOut === 0
      ? count(contracts, 'contract has a file', 'contracts have files')
      : `${contracts} of ${contracts + leftOut} contracts with files were read`;
  const period = since === undefined ? '' : ` since ${formatUtc(since)} UTC`;
  return {
    headline: `${of}; ${versions} changed what the files manage${period}.`,
    sources: sourcesText({ fromGit, gitSince, noCommit, unknown }),
    gaps: audit.gaps.map(gapText),
    hasUnknown: unknown > 0,
    hasGitSince: gitSince > 0,
    users: audit.users.map(({ user = 'unknown', ...share }) => ({ user, ...share })),
    places: audit.places
      .slice(0, mostPlaces)
      .map(({ contract, label, times, longest, isDrifting }) => ({
        contract,
        label,
        words: [
          count(times, 'time', 'times'),
          `for ${times > 1 ? 'at most ' : ''}${formatSpan(longest)}`,
          ...(isDrifting ? ['still there'] : []),
        ].join(', '),
      })),
    drift: [
      driftText(audit),
      ...(notApplied > 0
        ? [
            `${count(notApplied, 'contract lacks', 'contracts lack')} what is merged and not applied yet.`,
          ]
        : []),
    ].join(' '),
  };
}

function driftText({ contracts, leftOut, drift }: AuditView): string {
  const total = contracts + leftOut;
  const unknown = leftOut + drift.unknown;
  const some = count(unknown, 'contract', 'contracts');
  if (drift.ended + drift.living > 0) {
    const figures = `Drift: ${driftFigures(drift)}.`;
    return unknown === 0 ? figures : `${figures} What else has drifted in ${some} is not known.`;
  }
  if (unknown === 0) return 'Nothing has drifted.';
  if (unknown === total) return 'What has drifted is not known.';
  return `What has drifted in ${some} is not known; nothing else has drifted.`;
}

function driftFigures({ ended, living, median, longest }: Audit['drift']): string {
  const parts = [
    ...(ended > 0 ? [`${ended} ended`] : []),
    ...(living > 0 ? [`${living} still there`] : []),
  ].join(', ');
  if (ended + living === 1)
    return `${parts}, ${ended > 0 ? 'after' : 'for'} ${formatSpan(longest)}`;
  return `${parts}; median ${formatSpan(median)}, longest ${formatSpan(longest)}`;
}

const mostPlaces = 10;

function sourcesText({ fromGit, gitSince, noCommit, unknown }: Sources): string {
  const total = fromGit + gitSince + noCommit + unknown;
  const share = total === 0 ? '' : ` (${Math.round((100 * fromGit) / total)}%)`;
  const since = gitSince === 0 ? '' : `, ${gitSince} in git since`;
  const rest = unknown === 0 ? '' : `, ${unknown} unknown`;
  return `${fromGit} from git${share}${since}, ${noCommit} not from a commit${rest}.`;
}

type Sources = Pick<Audit, 'fromGit' | 'gitSince' | 'noCommit' | 'unknown'>;

function gapText({ kind, since, contracts }: AuditView['gaps'][number]): string {
  const start = since === undefined ? '' : ` before ${formatDay(since)}`;
  switch (kind) {
    case 'shallow-clone':
      return `Unknown: this clone is shallow and has no commits from${start || ' the past'}. Fetch them with \`git fetch --unshallow\`, in CI with \`fetch-depth: 0\`.`;
    case 'long-log':
      return `Unknown: there are too many commits to read those from${start || ' the past'}.`;
    case 'no-repository':
      return 'Unknown: the files are in no git repository.';
    case 'uncommitted':
      return `Unknown: ${count(contracts, 'contract has a file', 'contracts have files')} that no commit has.`;
    case 'unrecorded':
      return `Unknown: ${count(contracts, 'contract has versions', 'contracts have versions')} that don't carry all that the file manages.`;
    case 'unreadable':
      return "Unknown: git can't read its log here, or takes too long.";
  }
}
