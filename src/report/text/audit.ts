import { sanitizeLine } from '../../core/text.ts';
import { type AuditView, describeAudit } from '../model/audit.ts';
import type { Palette } from './palette.ts';

/** How much of a catalog comes from git; ends with a line break. */
export function renderAuditText(audit: AuditView, { strong, faint }: Palette): string {
  const { headline, sources, gaps, users, places, drift, hasUnknown, hasGitSince } =
    describeAudit(audit);
  const width = Math.max(0, ...users.map(({ user }) => sanitizeLine(user).length));
  const lines = [
    headline,
    strong(sources),
    ...gaps,
    ...(users.length === 0 ? [] : ['', 'Who:']),
    ...users.map(
      ({ user, fromGit, gitSince, noCommit, unknown }) =>
        `  ${sanitizeLine(user).padEnd(width)}  ${fromGit} from git${hasGitSince ? `, ${gitSince} in git since` : ''}, ${noCommit} not from a commit${hasUnknown ? `, ${unknown} unknown` : ''}`,
    ),
    ...(places.length === 0 ? [] : ['', 'What drifts most:']),
    ...places.map(
      ({ contract, label, words }) =>
        `  ${sanitizeLine(contract)} ${strong(sanitizeLine(label))}  ${faint(words)}`,
    ),
    '',
    drift,
  ];
  return `${lines.join('\n')}\n`;
}
