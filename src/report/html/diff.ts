import { count } from '../../core/text.ts';
import type { ChangeReport } from '../model/change.ts';
import { lineWithKey } from '../place.ts';
import { differingLines, inlineLines, type Line, lineSigns } from '../values.ts';
import type { RenderSource } from './link.ts';
import { type Html, html, nothing } from './markup.ts';

const contextLines = 2;
/** Lines of one change; the whole of it stands in the JSON plan. */
const mostLines = 2000;

/** What changes in a contract, each change with its place in the file. */
export function changeList(changes: readonly ChangeReport[], place: RenderSource): Html {
  return html`${changes.map((change) => renderChange(change, place))}`;
}

function renderChange(change: ChangeReport, place: RenderSource): Html {
  const { label, sign, movement = '', source, blame } = change;
  const line = source ? html` ${place(source, `line ${lineWithKey(source)}`)}` : nothing;
  return html` <div class="change">
    <h3><span class="sign ${sign}">${sign}</span> <code>${label}</code> ${movement}${line}</h3>
    ${blame === undefined ? nothing : html`<p class="facts">${blame}</p>`}${diff(change)}
  </div>`;
}

function diff(change: ChangeReport): Html {
  if (change.movement !== undefined) return nothing;
  const lines = inlineLines(change) ?? differingLines(change.before, change.after, contextLines);
  const left = lines.length - mostLines;
  const more = html` <p class="facts">
    ${count(left, 'more line is', 'more lines are')} in the JSON plan.
  </p>`;
  return html` <pre>${lines.slice(0, mostLines).map(renderLine)}</pre>
    ${left > 0 ? more : nothing}`;
}

/** The break stands inside: a line is a block of its own, and copied text keeps its lines. */
function renderLine({ kind, text }: Line): Html {
  return html`<span class="${kind}">${lineSigns[kind]} ${text}&#10;</span>`;
}
