import type { DriftReport } from '../model/drift.ts';
import { lineSigns } from '../values.ts';
import { anchor } from './link.ts';
import { type Html, html, nothing } from './markup.ts';
import { countedSection } from './section.ts';

/** What stays as it is: apart, since no file asks for it. */
export function driftSection({ title, headline, contracts, waysOut }: DriftReport): Html {
  const cards = contracts.map(driftCard);
  const note = html` <p class="note">${headline}. ${waysOut}</p>`;
  return countedSection(`${title}, left as it is`, contracts.length, html`${note}${cards}`);
}

/** The same contract may have a card for what its file asks: the name of this one is another. */
function driftCard({ label, updatedBy, places }: DriftReport['contracts'][number]): Html {
  const by = updatedBy === undefined ? nothing : html`last written by ${updatedBy}`;
  return html` <details class="contract warning" id="drift-${anchor(label)}" open>
    <summary>
      <span class="badge warning">drift</span> <code class="name">${label}</code>
      <span class="facts">${by}</span>
    </summary>
    <div class="body">
      <pre>${places.map(placeLines)}</pre>
    </div>
  </details>`;
}

function placeLines({ words, lines }: DriftReport['contracts'][number]['places'][number]): Html {
  const below = lines.map(
    ({ kind, text }) => html`<span class="${kind}"> ${lineSigns[kind]} ${text}&#10;</span>`,
  );
  return html`<span class="context">${words}&#10;</span>${below}`;
}
