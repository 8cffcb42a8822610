import { type AuditView, describeAudit } from '../model/audit.ts';
import { code, prose, table } from './text.ts';

/** How much of a catalog comes from git, as GitHub shows it. */
export function renderAuditMarkdown(audit: AuditView): string {
  const { headline, sources, users, places, drift } = describeAudit(audit);
  const userRows = users.map(([user, git, hand]) => [code(user), git, hand]);
  const placeRows = places.map(({ contract, label, words }) => [
    code(contract),
    code(label),
    prose(words),
  ]);
  const blocks = [
    `### ${prose(sources)}`,
    prose(headline),
    ...(users.length === 0 ? [] : [table(['Who', 'From git', 'By hand'], userRows)]),
    ...(places.length === 0 ? [] : [table(['Contract', 'What drifts', ''], placeRows)]),
    prose(drift),
  ];
  return `${blocks.join('\n\n')}\n`;
}
