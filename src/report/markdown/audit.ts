import { type AuditView, describeAudit } from '../model/audit.ts';
import { code, prose, table } from './text.ts';

/** How much of a catalog comes from git, as GitHub shows it. */
export function renderAuditMarkdown(audit: AuditView): string {
  const { headline, sources, gaps, users, places, drift, hasUnknown, hasGitSince } =
    describeAudit(audit);
  const rest = (text: string): readonly string[] => (hasUnknown ? [text] : []);
  const later = (text: string): readonly string[] => (hasGitSince ? [text] : []);
  const userRows = users.map(({ user, fromGit, gitSince, noCommit, unknown }) => [
    code(user),
    String(fromGit),
    ...later(String(gitSince)),
    String(noCommit),
    ...rest(String(unknown)),
  ]);
  const placeRows = places.map(({ contract, label, words }) => [
    code(contract),
    code(label),
    prose(words),
  ]);
  const blocks = [
    `### ${prose(sources)}`,
    prose(headline),
    ...gaps.map(prose),
    ...(users.length === 0
      ? []
      : [
          table(
            ['Who', 'From git', ...later('In git since'), 'Not from a commit', ...rest('Unknown')],
            userRows,
          ),
        ]),
    ...(places.length === 0 ? [] : [table(['Contract', 'What drifts', ''], placeRows)]),
    prose(drift),
  ];
  return `${blocks.join('\n\n')}\n`;
}
