import type { ReportedProblem } from '../model/problems.ts';
import type { RenderSource } from './link.ts';
import { type Html, html, nothing } from './markup.ts';

/** What is wrong, and what to do about it. */
export function problemList(problems: readonly ReportedProblem[], place: RenderSource): Html {
  if (problems.length === 0) return nothing;
  const items = problems.map((problem) => problemItem(problem, place));
  return html`<ul class="problems">
    ${items}
  </ul>`;
}

function problemItem(problem: ReportedProblem, place: RenderSource): Html {
  const { code, severity, message, hint, source } = problem;
  return html` <li class="${severity}">
    <strong>${severity}:</strong>
    ${message}${hint === undefined ? nothing : html` <span class="hint">${hint}</span>`}
    <span class="facts">${source ? html`${place(source)} ` : nothing}<code>${code}</code></span>
  </li>`;
}
