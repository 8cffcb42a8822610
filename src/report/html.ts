/** Blocks as one page that folds, for results too large for a comment. */

import type { SourcePosition } from '../core/diagnostic.ts';
import { count, sanitizeLine } from '../core/text.ts';
import type { Transition } from '../plan/plan.ts';
import type {
  Block,
  ChangeReport,
  ContractReport,
  Fact,
  ListBlock,
  ListItem,
  NamesBlock,
  Phrase,
  ProblemsBlock,
  Report,
  ReportedProblem,
  TableBlock,
  TableRow,
  Words,
} from './blocks.ts';
import { type Html, html, joinHtml, renderPage } from './markup.ts';
import {
  differingLines,
  inlineLines,
  lineSigns,
  lineWithKey,
  linkToPlace,
  placeText,
} from './values.ts';

export type HtmlOptions = {
  /** Where the repository's files can be seen, without a slash at the end. */
  readonly files?: string | undefined;
  /** Where the result comes from: a pull request, a commit, a run. */
  readonly origin?: readonly { readonly words: string; readonly address: string }[];
};

/** The title is the first heading where there is no other. */
export function renderHtml({ title, blocks }: Report, options: HtmlOptions = {}): string {
  const [first] = blocks;
  const words = first?.kind === 'heading' ? first.words : [];
  const spans = words.map((span) =>
    typeof span === 'string' ? span : 'text' in span && span.text,
  );
  const heading = title ?? { words: spans.join('') };
  const gravity = title?.gravity ?? 'plain';
  const origin = (options.origin ?? []).map(
    ({ words, address }) => html`<a href="${address}">${words}</a>`,
  );
  const head = html` <header>
    <p class="facts">${joinHtml([html`contract-sync`, ...origin], ' · ')}</p>
    <h1 class="${gravity}">${heading.words}</h1>
  </header>`;
  const shown = title ? blocks : blocks.slice(1);
  const body = html`${head}
    <main>${shown.map((block) => renderBlock(block, options))}</main>`;
  return renderPage(`contract-sync: ${heading.words}`, body);
}

function renderBlock(block: Block, options: HtmlOptions): Html {
  switch (block.kind) {
    case 'heading':
      return html` <h2>${inline(block.words)} ${countOf(block.count)}</h2>`;
    case 'note':
      return html` <p class="note ${block.gravity ?? 'plain'}">${inline(block.words)}</p>`;
    case 'facts':
      return html` <p class="facts">${joinHtml(block.facts.map(factText), ' · ')}</p>`;
    case 'problems':
      return renderProblems(block, options);
    case 'table':
      return renderTable(block, options);
    case 'contracts': {
      const members = block.details.flatMap((gathering) => gathering.members);
      const isFew = members.filter(({ changes }) => changes.length > 0).length <= mostOpen;
      const isOpen = block.isOpen && (isFew || block.overview.length === 0);
      return html`${members.map((contract) => contractCard(contract, isOpen, options))}`;
    }
    case 'list':
      return renderList(block);
    case 'names':
      return renderNames(block);
  }
}

/** Few stand open: there is room to read them all. */
const mostOpen = 3;

function countOf(amount: number | undefined): Html {
  return amount === undefined ? html`` : html`<span class="count">${amount}</span>`;
}

function factText({ name, value, as }: Fact): Html {
  const shown = as === 'code' ? html`<code>${value}</code>` : html`${value}`;
  return name === undefined ? shown : html`${name} ${shown}`;
}

function inline(words: Words): Html {
  return html`${words.map(renderSpan)}`;
}

function renderSpan(span: Phrase): Html {
  if (typeof span === 'string') return html`${span}`;
  if ('contracts' in span) return joinHtml(span.contracts.map(linkToContract), ', ');
  if ('move' in span) return moveMarkup(span.move);
  if ('change' in span) return html`<code>${span.change.label}</code> ${span.change.sign}`;
  const { text, as } = span;
  switch (as) {
    case 'contract':
      return linkToContract(text);
    case 'code':
      return html`<code>${text}</code>`;
    case 'strong':
      return html`<strong>${text}</strong>`;
    case 'own':
    case 'said':
      return html`${text}`;
    default:
      return html`<span class="${as}">${text}</span>`;
  }
}

/** `Draft → Active`. */
function moveMarkup({ from, to }: Transition): Html {
  const [old, young] = [from ?? 'none', to ?? 'none'];
  return html`<span class="move"><span>${old}</span> → <strong>${young}</strong></span>`;
}

/** What an address ends with to lead to the contract: its name, in which nothing is blank. */
function anchor(label: string): string {
  return sanitizeLine(label).toWellFormed().replaceAll(/\s/gu, '_');
}

function linkToContract(label: string): Html {
  return html`<a href="#${encodeURIComponent(anchor(label))}"><code>${label}</code></a>`;
}

/** The place as a link below the page of the repository's files; without one as its name. */
function placeLink(
  source: SourcePosition,
  { files }: HtmlOptions,
  words = placeText(source),
): Html {
  const address = linkToPlace(files, source);
  return address === undefined
    ? html`<span class="place">${words}</span>`
    : html`<a class="place" href="${address}">${words}</a>`;
}

/** Those of a contract stand with it. */
function renderProblems({ problems }: ProblemsBlock, options: HtmlOptions): Html {
  return problemList(
    problems.filter(({ contract }) => contract === undefined),
    options,
  );
}

function problemList(problems: readonly ReportedProblem[], options: HtmlOptions): Html {
  if (problems.length === 0) return html``;
  const items = problems.map(({ code, severity, message, hint, source }) => {
    const place = source ? html`${placeLink(source, options)} ` : html``;
    return html` <li class="${severity}">
      <strong>${severity}:</strong> ${message} <span class="hint">${hint}</span>
      <span class="facts">${place}<code>${code}</code></span>
    </li>`;
  });
  return html` <ul class="problems">
    ${items}
  </ul>`;
}

function renderTable({ title, columns, rows }: TableBlock, options: HtmlOptions): Html {
  const hasState = rows.some(({ state }) => state);
  const header = hasState ? ['', ...columns] : columns;
  const heading = title === undefined ? html`` : html` <h2>${title} ${countOf(rows.length)}</h2>`;
  return html`${heading}
    <table>
      <thead>
        <tr>
          ${header.map((column) => html`<th>${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => renderRow(row, options))}
      </tbody>
    </table>`;
}

function renderRow({ state, cells, below, changes = [] }: TableRow, options: HtmlOptions): Html {
  const badge = state && html`<td><span class="badge ${state.gravity}">${state.word}</span></td>`;
  const lines = (below ?? []).map((words) => html`<div>${inline(words)}</div>`);
  const values = changes.map((change) => renderChange(change, options));
  return html` <tr>
    ${badge}${cells.map((cell) => html`<td>${typeof cell === 'number' ? cell : inline(cell)}</td>`)}
    ${below ? html`<td>${lines}${values}</td>` : html``}
  </tr>`;
}

/** A contract: in two lines what happens to it, and all of it at a click. */
function contractCard(contract: ContractReport, isOpen: boolean, options: HtmlOptions): Html {
  const { label, problems, reasons, changes, source, gravity } = contract;
  const name = anchor(label);
  const open = isOpen ? html`open` : html``;
  return html` <details class="contract ${gravity}" id="${name}" ${open}>
    <summary>
      ${badges(contract)} <code class="name">${label}</code>
      <span class="facts">${factsOf(contract)}</span>
    </summary>
    <div class="body">
      ${problemList([...problems, ...reasons], options)}
      ${changes.map((change) => renderChange(change, options))}
      <p class="facts">
        ${placeLink(source, options)} ·
        <a href="#${encodeURIComponent(name)}">link to this contract</a>
      </p>
    </div>
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

function factsOf({ verdict, transition, fields, versions, source }: ContractReport): Html {
  const changed = [
    ...(transition ? [moveMarkup(transition)] : []),
    ...fields.map(({ field, edits }) => html`${field}${edits}`),
  ];
  const next = versions?.expected === undefined ? '' : ` → ${versions.expected}`;
  return joinHtml(
    [
      ...(changed.length > 0 ? [joinHtml(changed, ', ')] : []),
      ...(verdict === 'missing' ? [html`not in the catalog`] : []),
      ...(versions ? [html`version ${versions.before}${next}`] : []),
      html`<span class="place">${placeText(source)}</span>`,
    ],
    ' · ',
  );
}

const contextLines = 2;
/** Lines of one change; the whole of it stands in the JSON plan. */
const mostLines = 2000;

/** A change with its place in the file. */
function renderChange(change: ChangeReport, options: HtmlOptions): Html {
  const { label, sign, movement, source, blame, before, after } = change;
  const line = source ? placeLink(source, options, `line ${lineWithKey(source)}`) : html``;
  const set = blame === undefined ? html`` : html`<p class="facts">${blame}</p>`;
  const lines = inlineLines(change) ?? differingLines(before, after, contextLines);
  const left = count(lines.length - mostLines, 'more line is', 'more lines are');
  const diff = html` ${lineBlock(lines.slice(0, mostLines))}
  ${lines.length > mostLines ? html`<p class="facts">${left} in the JSON plan.</p>` : html``}`;
  return html` <div class="change">
    <h3><span class="sign ${sign}">${sign}</span> <code>${label}</code> ${movement} ${line}</h3>
    ${set}${movement === undefined ? diff : html``}
  </div>`;
}

/** The break stands inside: a line is a block of its own, and copied text keeps its lines. */
function lineBlock(lines: ListItem['lines']): Html {
  const rows = lines.map(({ kind, text, isBelow }) => {
    if (kind === 'plain') return html`<span class="context">${text}&#10;</span>`;
    const sign = kind === 'same' ? ' ' : lineSigns[kind];
    return html`<span class="${kind}">${isBelow ? '  ' : ''}${sign} ${text}&#10;</span>`;
  });
  return html`<pre>${rows}</pre>`;
}

function renderList({ title, lead, items }: ListBlock): Html {
  const note = lead ? html` <p class="note">${lead.words}. ${lead.advice}</p>` : html``;
  const entries = items.map(({ label, aside, lines }) => {
    const words = aside === undefined ? html`` : html`: ${aside}`;
    return html` <li>
      ${linkToContract(label)}${words}${lines.length > 0 ? lineBlock(lines) : html``}
    </li>`;
  });
  return html` <h2>${title} ${countOf(items.length)}</h2>
    ${note}
    <ul class="list">
      ${entries}
    </ul>`;
}

const mostNamesOpen = 10;

/** Names of contracts that nothing happens to; many are folded. */
function renderNames({ title, aside, names }: NamesBlock): Html {
  const items = names.map(({ label, note }) => {
    const words = note === undefined ? html`` : html`: ${note}`;
    return html` <li id="${anchor(label)}"><code>${label}</code>${words}</li>`;
  });
  return html` <details class="names" ${names.length <= mostNamesOpen ? html`open` : html``}>
    <summary>${title}${aside}</summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}
