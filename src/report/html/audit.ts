import type { Diagnostic } from '../../core/diagnostic.ts';
import { type AuditView, type AuditWords, describeAudit } from '../model/audit.ts';
import { sourcesBelow } from './link.ts';
import { type Html, html, nothing } from './markup.ts';
import { renderPage } from './page.ts';
import { problemList } from './problems.ts';

/** How much of a catalog comes from git, and what the audit could not see, as one page. */
export function renderAuditHtml(
  audit: AuditView & { readonly diagnostics: readonly Diagnostic[] },
): string {
  const words = describeAudit(audit);
  const { headline, sources, gaps, places, drift } = words;
  const body = html`<header>
      <p class="facts">contract-sync audit</p>
      <h1>${sources}</h1>
      <p>${headline}</p>
      ${gaps.map((gap) => html`<p>${gap}</p>`)}
    </header>
    <main>
      ${problemList(audit.diagnostics, sourcesBelow(undefined))}${userSection(words)}${placeSection(places)}
      <p>${drift}</p>
    </main>`;
  return renderPage(`contract-sync: ${sources}`, body);
}

function userSection({ users, hasUnknown, hasGitSince }: AuditWords): Html {
  if (users.length === 0) return nothing;
  const rows = users.map(
    ({ user, fromGit, gitSince, noCommit, unknown }) =>
      html` <tr>
        <td>${user}</td>
        <td>${fromGit}</td>
        ${hasGitSince ? html`<td>${gitSince}</td>` : nothing}
        <td>${noCommit}</td>
        ${hasUnknown ? html`<td>${unknown}</td>` : nothing}
      </tr>`,
  );
  const columns = [
    'Who',
    'From git',
    ...(hasGitSince ? ['In git since'] : []),
    'Not from a commit',
    ...(hasUnknown ? ['Unknown'] : []),
  ];
  return auditTable('Who', columns, rows);
}

function placeSection(places: AuditWords['places']): Html {
  if (places.length === 0) return nothing;
  const rows = places.map(
    ({ contract, label, words }) =>
      html` <tr>
        <td><code>${contract}</code></td>
        <td><code>${label}</code></td>
        <td>${words}</td>
      </tr>`,
  );
  return auditTable('What drifts most', ['Contract', 'Place', 'How often'], rows);
}

function auditTable(title: string, columns: readonly string[], rows: readonly Html[]): Html {
  return html` <section>
    <h2>${title}</h2>
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th>${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;
}
