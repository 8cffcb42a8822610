import type { SourcePosition } from '../core/diagnostic.ts';
import { count, sanitizeLine } from '../core/text.ts';
import type { Transition } from '../plan/plan.ts';
import {
  type Block,
  type BlockOf,
  type ChangeReport,
  type ContractReport,
  type Gathering,
  linesOfChange,
  lineSigns,
  lineWithKey,
  linkToPlace,
  type ListItem,
  type Phrase,
  placeText,
  type Report,
  type ReportedProblem,
  type TableRow,
  type Words,
} from './blocks.ts';
import { type Html, html, joinHtml, renderPage } from './markup.ts';
import { gatherHints, messageOf } from './problems.ts';

export type HtmlOptions = {
  readonly files?: string | undefined;
  readonly origin?: readonly { readonly words: string; readonly address: string }[];
};

export function renderHtml({ title, blocks }: Report, options: HtmlOptions = {}): string {
  const origin = (options.origin ?? []).map(
    (from) => html`<a href="${from.address}">${from.words}</a>`,
  );
  const body = html` <header>
      <p class="facts">${joinHtml([html`contract-sync`, ...origin], ' · ')}</p>
      <h1 class="${title?.gravity}">${title?.words}</h1>
    </header>
    <main>${blocks.map((block) => renderBlock(block, options))}</main>`;
  return renderPage(`contract-sync: ${title?.words}`, body);
}

function renderBlock(block: Block, options: HtmlOptions): Html {
  switch (block.kind) {
    case 'heading':
      return html` <h2>${inline(block.words)}</h2>`;
    case 'note':
      return html` <p class="note ${block.gravity ?? 'plain'}">${inline(block.words)}</p>`;
    case 'facts': {
      const facts = block.facts.map(({ name, value, as }) => {
        const shown = as === 'code' ? html`<code>${value}</code>` : html`${value}`;
        return name === undefined ? shown : html`${name} ${shown}`;
      });
      return html` <p class="facts">${joinHtml(facts, ' · ')}</p>`;
    }
    case 'command':
      return html` <p>${block.lead}</p>
        <pre>${block.command}</pre>`;
    case 'problems': {
      const problems = block.problems.filter(({ contract }) => contract === undefined);
      return problemList(problems, options);
    }
    case 'table':
      return section(block.title, block.rows.length, renderTable(block));
    case 'contracts':
      return renderContracts(block, options);
    case 'list':
      return section(block.title, block.items.length, renderList(block));
    case 'names':
      return section(undefined, block.names.length, renderNames(block));
  }
}

function section(title: string | undefined, amount: number, content: Html): Html {
  if (amount === 0) return html``;
  if (title === undefined) return content;
  return html` <h2>${title} <span class="count">${amount}</span></h2>
    ${content}`;
}

const mostOpen = 3;

function renderContracts(block: BlockOf<'contracts'>, options: HtmlOptions): Html {
  const { title, details } = block;
  const members = details.flatMap((gathering) => gathering.members);
  const isFew = members.filter(({ changes }) => changes.length > 0).length <= mostOpen;
  const cards = details.map((gathering) =>
    contractCard(gathering, isFew || gathering.shown.gravity !== 'good', options),
  );
  return section(title, members.length, html`${cards}`);
}

function inline(words: Words): Html {
  return html`${words.map(renderPhrase)}`;
}

function renderPhrase(phrase: Phrase): Html {
  if (typeof phrase === 'string') return html`${phrase}`;
  if ('contracts' in phrase) return joinHtml(phrase.contracts.map(linkToContract), ', ');
  if ('move' in phrase) return moveMarkup(phrase.move);
  if ('changes' in phrase) {
    const changes = phrase.changes.map(({ label, sign }) => html`<code>${label}</code> ${sign}`);
    return joinHtml(changes, ', ');
  }
  const { text, as } = phrase;
  switch (as) {
    case 'contract':
      return linkToContract(text);
    case 'code':
      return html`<code>${text}</code>`;
    case 'own':
      return html`${text}`;
    case 'sentence':
      return sentence(text);
    default:
      return html`<span class="${as}">${sentence(text)}</span>`;
  }
}

function sentence(text: string): Html {
  const parts = text.split(/`([^`]+)`/u);
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

function moveMarkup({ from, to }: Transition): Html {
  return html`<span class="move">${from ?? 'none'} → <strong>${to ?? 'none'}</strong></span>`;
}

function anchor(label: string): string {
  return sanitizeLine(label).toWellFormed().replaceAll(/\s/gu, '_');
}

function linkToContract(label: string): Html {
  return html`<a href="#${encodeURIComponent(anchor(label))}"><code>${label}</code></a>`;
}

function placeLink(source: SourcePosition, { files }: HtmlOptions, words = placeText(source)) {
  const address = linkToPlace(files, source);
  return address === undefined
    ? html`<span class="place">${words}</span>`
    : html`<a class="place" href="${address}">${words}</a>`;
}

function problemList(problems: readonly ReportedProblem[], options: HtmlOptions): Html {
  if (problems.length === 0) return html``;
  const items = gatherHints(problems).map((problem) => {
    const { code, severity, hint, source } = problem;
    const place = source ? html`${placeLink(source, options)} ` : html``;
    return html` <li class="${severity}">
      <strong>${severity}:</strong> ${sentence(messageOf(problem))}
      <span class="hint">${sentence(hint ?? '')}</span>
      <span class="facts">${place}<code>${code}</code></span>
    </li>`;
  });
  return html` <ul class="problems">
    ${items}
  </ul>`;
}

function renderTable({ columns, rows }: BlockOf<'table'>): Html {
  const header = rows.some(({ state }) => state) ? ['', ...columns] : columns;
  return html` <table>
    <thead>
      <tr>
        ${header.map((column) => html`<th>${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(renderRow)}
    </tbody>
  </table>`;
}

function renderRow({ state, cells, below }: TableRow): Html {
  const badge = state && html`<td><span class="badge ${state.gravity}">${state.word}</span></td>`;
  const lines = (below ?? []).map((words) => html`<div>${inline(words)}</div>`);
  return html` <tr>
    ${badge}${cells.map((cell) => html`<td>${inline(cell)}</td>`)}
    ${below ? html`<td>${lines}</td>` : html``}
  </tr>`;
}

function contractCard({ shown, members }: Gathering, isOpen: boolean, options: HtmlOptions): Html {
  const { label, problems, reasons, changes, downstream, gravity, source } = shown;
  const toCard = html`<a href="#${encodeURIComponent(anchor(label))}">link to this contract</a>`;
  const isAlone = members.length === 1;
  const open = isOpen ? html`open` : html``;
  const id = isAlone ? html`id="${anchor(label)}"` : html``;
  const title = isAlone
    ? html`<code class="name">${label}</code>`
    : html`<span class="name">${members.length} contracts</span>, the same in each`;
  return html` <details class="contract ${gravity}" ${id} ${open}>
    <summary>
      ${badges(shown)} ${title}
      <span class="facts">${factsOf(shown, isAlone)}</span>
    </summary>
    <div class="body">
      ${isAlone ? html`` : memberNames(members, options)}
      ${problemList([...problems, ...reasons], options)}${downstream ? html` <p>${inline(downstream)}</p>` : html``}
      ${changes.map((change) => renderChange(change, options))}
      ${isAlone ? html`<p class="facts">${placeLink(source, options)} · ${toCard}</p>` : html``}
    </div>
  </details>`;
}

function memberNames(members: readonly ContractReport[], options: HtmlOptions): Html {
  const names = members.map(({ label, changes, source }) => {
    const place = placeLink(changes[0]?.source ?? source, options);
    return html`<li id="${anchor(label)}"><code>${label}</code> ${place}</li>`;
  });
  return html`<details class="names">
    <summary>Their names</summary>
    <ul>
      ${joinHtml(names, '')}
    </ul>
  </details>`;
}

function badges({ verdict, breaking, gravity }: ContractReport): Html {
  const words = [
    verdict,
    ...(breaking ? ['breaking'] : []),
    ...(gravity === 'warning' && !breaking ? ['warning'] : []),
    ...(gravity === 'error' && verdict !== 'blocked' ? ['error'] : []),
  ];
  return joinHtml(
    words.map((word) => html`<span class="badge ${word}">${word}</span>`),
    ' ',
  );
}

function factsOf({ transition, brief, versions, source }: ContractReport, isAlone: boolean): Html {
  const changed = [...(transition ? [moveMarkup(transition)] : []), ...brief.map(inline)];
  const next = versions?.expected === undefined ? '' : ` → ${versions.expected}`;
  return joinHtml(
    [
      ...(changed.length > 0 ? [joinHtml(changed, ', ')] : []),
      ...(versions ? [html`version ${versions.before}${next}`] : []),
      ...(isAlone ? [html`<span class="place">${placeText(source)}</span>`] : []),
    ],
    ' · ',
  );
}

// Lines of one change.
const mostLines = 2000;

function renderChange(change: ChangeReport, options: HtmlOptions): Html {
  const { label, sign, movement, source, blame } = change;
  const line = source ? placeLink(source, options, `line ${lineWithKey(source)}`) : html``;
  const set = blame === undefined ? html`` : html`<p class="facts">${blame}</p>`;
  const lines = linesOfChange(change);
  const left = count(lines.length - mostLines, 'more line is', 'more lines are');
  const diff = html` ${lineBlock(lines.slice(0, mostLines))}
  ${lines.length > mostLines ? html`<p class="facts">${left} in the JSON plan.</p>` : html``}`;
  return html` <div class="change">
    <h3><span class="sign ${sign}">${sign}</span> <code>${label}</code> ${movement} ${line}</h3>
    ${set}${movement === undefined ? diff : html``}
  </div>`;
}

// The break is inside the block, so that copied text keeps its lines.
function lineBlock(lines: ListItem['lines']): Html {
  const rows = lines.map(({ kind, text, isBelow }) => {
    if (kind === 'plain') return html`<span class="context">${text}&#10;</span>`;
    const indent = isBelow ? '  ' : '';
    return html`<span class="${kind}">${indent}${lineSigns[kind]} ${text}&#10;</span>`;
  });
  return html`<pre>${rows}</pre>`;
}

function renderList({ lead, items }: BlockOf<'list'>): Html {
  const note = lead
    ? html` <p class="note plain">${sentence(`${lead.words}. ${lead.advice}`)}</p>`
    : html``;
  const entries = items.map(({ label, aside, lines }) => {
    const words = aside === undefined ? html`` : html`: ${aside}`;
    const shown = lines.length > 0 ? lineBlock(lines) : html``;
    return html` <li>${linkToContract(label)}${words}${shown}</li>`;
  });
  return html`${note}
    <ul>
      ${entries}
    </ul>`;
}

const mostNamesOpen = 10;

function renderNames({ title, aside, names }: BlockOf<'names'>): Html {
  const items = names.map(({ label, note = '' }) => {
    const words = note === '' ? '' : `: ${note}`;
    return html` <li id="${anchor(label)}"><code>${label}</code>${words}</li>`;
  });
  return html` <details class="names" ${names.length <= mostNamesOpen ? html`open` : html``}>
    <summary>${title}${aside}</summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}
