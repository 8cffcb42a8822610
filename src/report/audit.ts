import type { Diagnostic } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import { formatDay, formatSpan, formatUtc } from '../core/time.ts';
import type { PastGap } from '../files/past.ts';
import type { Audit } from '../history/drift.ts';
import { type Block, note, type Report, type TableRow } from './blocks.ts';

export type AuditView = Audit & {
  readonly since?: number;
  readonly contracts: number;
  readonly leftOut: number;
  readonly notApplied: number;
  readonly gaps: readonly (Omit<PastGap, 'kind'> & {
    readonly kind: PastGap['kind'] | 'unrecorded';
    readonly contracts: number;
  })[];
  readonly diagnostics: readonly Diagnostic[];
};

const mostPlaces = 10;

/** A whole page is read without standard error, which has the problems elsewhere. */
export function auditReport(audit: AuditView, { isWhole }: { readonly isWhole: boolean }): Report {
  const { notApplied } = audit;
  const lack = count(notApplied, 'contract lacks', 'contracts lack');
  const pending = notApplied > 0 ? ` ${lack} what is merged and not applied yet.` : '';
  const sentences = [headline(audit), ...audit.gaps.map(gapText)];
  const places = audit.places
    .slice(0, mostPlaces)
    .map(({ contract, label, times, longest, isDrifting }): TableRow => {
      const often = times === 1 ? 'once' : `${times} times`;
      const span = `${times > 1 ? 'at most ' : ''}${formatSpan(longest)}`;
      const words = `${often}, ${isDrifting ? 'ongoing, ' : ''}${span}`;
      return { cells: [[{ text: contract, as: 'code' }], [{ text: label, as: 'code' }], [words]] };
    });
  const columns = ['Contract', 'What drifts', ''];
  return {
    blocks: [
      { kind: 'heading', words: [sourcesText(audit)] },
      ...sentences.map((sentence) => note(sentence)),
      ...(isWhole ? [{ kind: 'problems', problems: audit.diagnostics } as const] : []),
      userTable(audit),
      { kind: 'table', title: 'What drifts most', columns, rows: places },
      note(`${driftedText(audit)}${pending}`),
    ],
  };
}

function userTable({ users, gitSince, unknown }: AuditView): Block {
  const columns = [
    { title: 'From git', of: 'fromGit' },
    ...(gitSince > 0 ? [{ title: 'In git since', of: 'gitSince' } as const] : []),
    { title: 'Not from a commit', of: 'noCommit' },
    ...(unknown > 0 ? [{ title: 'Unknown', of: 'unknown' } as const] : []),
  ] as const;
  const rows = users.map(({ user = 'unknown', ...share }) => ({
    cells: [[{ text: user, as: 'code' } as const], ...columns.map(({ of }) => share[of])],
  }));
  const titles = ['Who', ...columns.map(({ title }) => title)];
  return { kind: 'table', title: 'Who', columns: titles, rows };
}

function headline(audit: AuditView): string {
  const { since, contracts, leftOut, fromGit, gitSince, noCommit, unknown } = audit;
  const of =
    leftOut === 0
      ? count(contracts, 'contract has a file', 'contracts have files')
      : `${contracts} of ${contracts + leftOut} contracts with files were read`;
  const versions = count(fromGit + gitSince + noCommit + unknown, 'version', 'versions');
  const period = since === undefined ? '' : ` since ${formatUtc(since)} UTC`;
  return `${of}; ${versions} changed what the files manage${period}.`;
}

function sourcesText({ fromGit, gitSince, noCommit, unknown }: Audit): string {
  const total = fromGit + gitSince + noCommit + unknown;
  const share = total === 0 ? '' : ` (${Math.round((100 * fromGit) / total)}%)`;
  const since = gitSince === 0 ? '' : `, ${gitSince} in git since`;
  const rest = unknown === 0 ? '' : `, ${unknown} unknown`;
  return `${fromGit} from git${share}${since}, ${noCommit} not from a commit${rest}.`;
}

function driftedText({ contracts, leftOut, drift }: AuditView): string {
  const unknown = leftOut + drift.unknown;
  const some = count(unknown, 'contract', 'contracts');
  const { ended, living, median, longest } = drift;
  if (ended + living > 0) {
    const amounts = [ended > 0 && `${ended} ended`, living > 0 && `${living} ongoing`];
    const spans =
      ended + living === 1
        ? `, ${ended > 0 ? 'after' : 'for'} ${formatSpan(longest)}.`
        : `; median ${formatSpan(median)}, longest ${formatSpan(longest)}.`;
    const figures = `Drift: ${amounts.filter(Boolean).join(', ')}${spans}`;
    return unknown === 0 ? figures : `${figures} What else has drifted in ${some} is not known.`;
  }
  if (unknown === 0) return 'Nothing has drifted since a version came from git.';
  if (unknown === contracts + leftOut) return 'What has drifted is not known.';
  return `What has drifted in ${some} is not known; nothing else has drifted.`;
}

function gapText({ kind, since, contracts }: AuditView['gaps'][number]): string {
  const start = since === undefined ? ' the past' : ` before ${formatDay(since)}`;
  const words: Readonly<Record<typeof kind, string>> = {
    'shallow-clone': `this clone is shallow and has no commits from${start}. Fetch them with \`git fetch --unshallow\`, in CI with \`fetch-depth: 0\`.`,
    'long-log': `there are too many commits to read those from${start}.`,
    'no-repository': 'the files are in no git repository.',
    uncommitted: `${count(contracts, 'contract has a file', 'contracts have files')} that no commit has.`,
    unrecorded: `${count(contracts, 'contract has versions', 'contracts have versions')} that don't carry all that the file manages.`,
    unreadable: "git can't read its log here, or takes too long.",
  };
  return `Unknown: ${words[kind]}`;
}
