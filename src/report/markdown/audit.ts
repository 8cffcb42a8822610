import { type AuditView, describeAudit } from '../model/audit.ts';
import { code, prose, table } from './text.ts';

/** How much of a catalog comes from git, as GitHub shows it. */
export function renderAuditMarkdown(audit: AuditView): string {
  const { headline, sources, gaps, users, places, drift, hasUnknown } = describeAudit(audit);
  const rest = (text: string): readonly string[] => (hasUnknown ? [text] : []);
  const userRows = users.map(({ user, fromGit, byHand, unknown }) => [
    code(user),
    String(fromGit),
    String(byHand),
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
      : [table(['Who', 'From git', 'By hand', ...rest('Unknown')], userRows)]),
    ...(places.length === 0 ? [] : [table(['Contract', 'What drifts', ''], placeRows)]),
    prose(drift),
  ];
  return `${blocks.join('\n\n')}\n`;
}
