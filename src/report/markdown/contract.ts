import { count } from '../../core/text.ts';
import type { Transition } from '../../plan/plan.ts';
import type { Gathering } from '../model/alike.ts';
import type { ChangeReport } from '../model/change.ts';
import type { ContractReport } from '../model/contracts.ts';
import { lineWithKey } from '../place.ts';
import { differingLines, inlineLines, lineSigns } from '../values.ts';
import type { Block } from './report.ts';
import {
  code,
  collapsible,
  fence,
  htmlCode,
  prose,
  type RenderPlace,
  rowsWithin,
  table,
  wrapLine,
} from './text.ts';

/** A line for each contract; their names alone, as many as fit into so many bytes, at the least. */
export function contractTable(
  contracts: readonly ContractReport[],
  place: RenderPlace,
  bytes: number,
): Block {
  const rows = contracts.map((contract) => {
    const { label, verdict } = contract;
    const changes = verdict === 'missing' ? 'not in the catalog' : changedFields(contract);
    return [verdictText(contract), code(label), changes, versions(contract)] as const;
  });
  const placed = rows.map(([verdict, name, ...cells], index) => {
    const source = contracts[index]?.source;
    return [verdict, source ? `${name}<br>${place(source)}` : name, ...cells];
  });
  return [
    table(['', 'Contract', 'Changes', 'Version'], placed),
    table(
      ['', 'Contract', 'Changes'],
      rows.map((cells) => cells.slice(0, 3)),
    ),
    rowsWithin(
      ['', 'Contract'],
      rows.map((cells) => cells.slice(0, 2)),
      bytes,
    ),
  ];
}

function verdictText({ verdict, breaking }: ContractReport): string {
  const words = verdict === 'update' || verdict === 'create' ? verdict : `**${verdict}**`;
  return breaking ? `${words}, **breaking**` : words;
}

/** `Draft → **Active**, description, schema +1 −2`. */
function changedFields({ transition, fields }: ContractReport): string {
  return [
    ...(transition ? [moveText(transition)] : []),
    ...fields.map(({ field, elements }) => {
      const edits = elements.map(({ sign, of }) => ` ${elementSigns[sign]}${of}`);
      return `${prose(field)}${edits.join('')}`;
    }),
  ].join(', ');
}

const elementSigns = { added: '+', removed: '−', changed: '~' } as const;

/** `Draft → **Active**`. */
export function moveText({ from, to }: Transition): string {
  return `${from === null ? 'none' : code(from)} → **${to === null ? 'none' : code(to)}**`;
}

function versions({ versions }: ContractReport): string {
  if (!versions) return '';
  const { before, expected } = versions;
  return expected === undefined ? code(before) : `${code(before)} → ${prose(expected)}`;
}

const contextLines = 2;
/** Lines of one contract; its whole plan stands in the JSON file. */
const mostLines = 2000;

/** What changes in a contract, or in several alike, at a click: as a diff, as a list of operations, not at all. */
export function contractDiff(
  { shown, members }: Gathering,
  { open }: { readonly open: boolean },
): Block {
  const { label, changes } = shown;
  const isAlone = members.length === 1;
  const subject = isAlone ? htmlCode(label) : `${members.length} contracts, the same in each`;
  const summary = `${subject} · ${count(changes.filter(({ carrier }) => !carrier).length, 'change', 'changes')}`;
  const names = isAlone ? '' : `${namesOf(members)}\n\n`;
  const operations = collapsible(summary, `${names}${fence('diff', changes.map(operationLine))}`);
  const lines = changes.flatMap(changeLines);
  if (lines.length > mostLines) return [operations, ''];
  const whole = collapsible(summary, `${names}${fence('diff', lines)}`, { open });
  return [whole, operations, ''];
}

/** The table of the report has them all. */
const mostNames = 100;

function namesOf(members: readonly ContractReport[]): string {
  const names = members.slice(0, mostNames).map(({ label }) => code(label));
  const rest = members.length - names.length;
  return [...names, ...(rest > 0 ? [`… and ${rest} more`] : [])].join(', ');
}

/** GitHub colours `+` green, `-` red, `!` orange and `@@` as a headline. */
function changeLines(change: ChangeReport): string[] {
  const { movement, before, after, source, blame } = change;
  const set = blame === undefined ? '' : ` · ${blame}`;
  const headline = `@@ ${title(change)} @@${source ? ` line ${lineWithKey(source)}` : ''}${set}`;
  if (movement !== undefined) return [headline];
  const lines = inlineLines(change) ?? differingLines(before, after, contextLines);
  const wrapped = lines.flatMap(({ kind, text }) => {
    const sign = `${lineSigns[kind]} `;
    return wrapLine(`${sign}${text}`, sign);
  });
  return [headline, ...wrapped];
}

function operationLine(change: ChangeReport): string {
  return `${operationSigns[change.sign]} ${title(change)}`;
}

const operationSigns = { added: '+', removed: '-', changed: '!' } as const;

function title({ label, movement }: ChangeReport): string {
  return movement === undefined ? label : `${label} ${movement}`;
}
