import type { ContractTransition, Move } from '../model/contracts.ts';
import type { PlanReport } from '../model/plan.ts';
import { moveMarkup } from './contract.ts';
import { linkToContract } from './link.ts';
import { type Html, html, nothing } from './markup.ts';

/** Contracts of one move that stand open: a reader sees at once which they are. */
const mostOpen = 10;

/** The changes of status: what a consumer of a contract notices first. */
export function transitionSection({ transitions, moves }: PlanReport): Html {
  if (transitions.length === 0) return nothing;
  return html` <section>
    <h2>Status transitions <span class="count">${transitions.length}</span></h2>
    ${moves.map((move) => moveList(move, transitions))}
  </section>`;
}

function moveList(move: Move, transitions: readonly ContractTransition[]): Html {
  const { from, to, of } = move;
  const items = transitions
    .filter(({ transition }) => transition.from === from && transition.to === to)
    .map(({ label }) => html` <li>${linkToContract(label)}</li>`);
  return html` <details class="names" ${of <= mostOpen ? html`open` : nothing}>
    <summary>${moveMarkup(move)} <span class="count">${of}</span></summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}
