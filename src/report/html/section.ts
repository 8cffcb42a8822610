import { anchor } from './link.ts';
import { type Html, html, nothing } from './markup.ts';

/** A section whose title says how many there are. */
export function countedSection(title: string, amount: number, content: Html): Html {
  return html` <section>
    <h2>${title} <span class="count">${amount}</span></h2>
    ${content}
  </section>`;
}

const mostOpen = 10;

/** Names of contracts that nothing happens to; many are folded. */
export function nameList(title: string, names: readonly string[]): Html {
  if (names.length === 0) return nothing;
  const items = names.map((name) => html` <li id="${anchor(name)}"><code>${name}</code></li>`);
  return countedSection(
    title,
    names.length,
    html` <details class="names" ${names.length <= mostOpen ? html`open` : nothing}>
      <summary>Names</summary>
      <ul>
        ${items}
      </ul>
    </details>`,
  );
}
