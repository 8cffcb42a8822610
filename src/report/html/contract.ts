import type { Transition } from '../../plan/plan.ts';
import type { ContractReport } from '../model/contracts.ts';
import { placeText } from '../place.ts';
import { changeList } from './diff.ts';
import { anchor, type RenderSource } from './link.ts';
import { type Html, html, joinHtml, nothing } from './markup.ts';
import { problemList } from './problems.ts';

type CardOptions = {
  /** Whether its changes can be seen at once. */
  readonly open: boolean;
  readonly place: RenderSource;
};

/** A contract: in two lines what happens to it, and all of it at a click. */
export function contractCard(contract: ContractReport, options: CardOptions): Html {
  const { label, problems, reasons, changes, source } = contract;
  const { open, place } = options;
  const name = anchor(label);
  return html` <details
    class="contract ${contract.gravity}"
    id="${name}"
    ${open ? html`open` : nothing}
  >
    <summary>
      ${badges(contract)} <code class="name">${label}</code>
      <span class="facts">${facts(contract)}</span>
    </summary>
    <div class="body">
      ${problemList([...problems, ...reasons], place)}${changeList(changes, place)}
      <p class="facts">
        ${place(source)} · <a href="#${encodeURIComponent(name)}">link to this contract</a>
      </p>
    </div>
  </details>`;
}

function badges({ verdict, breaking, gravity }: ContractReport): Html {
  const warns = gravity === 'warning' && !breaking;
  const errs = gravity === 'error' && verdict !== 'blocked';
  return joinHtml(
    [
      html`<span class="badge ${verdict}">${verdict}</span>`,
      ...(breaking ? [html`<span class="badge breaking">breaking</span>`] : []),
      ...(warns ? [html`<span class="badge warning">warning</span>`] : []),
      ...(errs ? [html`<span class="badge error">error</span>`] : []),
    ],
    ' ',
  );
}

function facts(contract: ContractReport): Html {
  const { verdict, transition, fields, versions, source } = contract;
  const changed = [
    ...(transition ? [moveMarkup(transition)] : []),
    ...fields.map(({ field, elements }) => {
      const edits = elements.map(({ sign, of }) => html` ${elementSigns[sign]}${of}`);
      return html`${field}${edits}`;
    }),
  ];
  return joinHtml(
    [
      ...(changed.length > 0 ? [joinHtml(changed, ', ')] : []),
      ...(verdict === 'missing' ? [html`not in the catalog`] : []),
      ...(versions ? [versionMarkup(versions)] : []),
      html`<span class="place">${placeText(source)}</span>`,
    ],
    ' · ',
  );
}

const elementSigns = { added: '+', removed: '−', changed: '~' } as const;

/** `Draft → Active`. */
export function moveMarkup({ from, to }: Transition): Html {
  return html`<span class="move"
    ><span>${from ?? 'none'}</span> → <strong>${to ?? 'none'}</strong></span
  >`;
}

function versionMarkup({ before, expected }: NonNullable<ContractReport['versions']>): Html {
  return expected === undefined ? html`version ${before}` : html`version ${before} → ${expected}`;
}
