/**
 * Blocks as GitHub's Markdown, within a budget: GitHub refuses a comment of 65,537 characters, and
 * drops a summary past 1 MiB as a whole.
 */

import { count } from '../core/text.ts';
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
import {
  code,
  collapsible,
  fence,
  firstOf,
  fitPieces,
  firstRows,
  type Piece,
  prose,
  rowsWithin,
  sentence,
  table,
  textsWithin,
} from './markdown-text.ts';
import { countProblems, foldAlike, gatherHints, messageOf } from './problems.ts';

type MarkdownOptions = {
  /** Bytes of UTF-8; past it, detail is left out. */
  readonly budget: number;
  /** The page that shows the repository's files, without a slash at the end. */
  readonly files?: string | undefined;
  /** Markdown that says where the whole report is, if it does not fit. */
  readonly rest?: string | undefined;
};

/** Leaves out detail that doesn't fit; ends with a line break. */
export function renderMarkdown({ title, blocks }: Report, options: MarkdownOptions): string {
  const { budget, rest } = options;
  const head: Piece[] = title ? [[`## contract-sync: ${title.words}`]] : [];
  const named = blocks.flatMap((each) => (each.kind === 'contracts' ? membersOf(each) : [])).length;
  const context = { files: options.files, bytesOfName: (mostOfNames * budget) / named };
  const pieces = blocks.flatMap((block) => piecesOf(block, context));
  const { text, complete } = fitPieces([...head, ...pieces], budget - 1);
  if (complete) return `${text}\n`;
  const where = rest === undefined ? '' : ` ${rest}`;
  const note = `> [!NOTE]\n> Some details are left out: they don't fit.${where}`;
  return `${fitPieces([...head, [note], ...pieces], budget - 1).text}\n`;
}

// Share of the budget that contract names may take before any other detail.
const mostOfNames = 0.8;

type Context = { readonly files: string | undefined; readonly bytesOfName: number };

function piecesOf(block: Block, context: Context): Piece[] {
  switch (block.kind) {
    case 'heading':
      return [[`### ${wordsText(block.words)}`]];
    case 'note':
      return [[alerts[block.gravity ?? 'good'] + wordsText(block.words)]];
    case 'facts': {
      const facts = block.facts.map(({ name, value, as }) => {
        const words = as === 'code' ? code(value) : prose(value);
        return name === undefined ? words : `${name} ${words}`;
      });
      return [[`<sub>${facts.join(' · ')}</sub>`]];
    }
    case 'command':
      return [[`${prose(block.lead)}\n\n${fence(block.language, block.command.split('\n'))}`]];
    case 'problems':
      return problemPieces(block, context);
    case 'table':
      return tablePieces(block);
    case 'contracts':
      return titled(block.title, undefined, contractPieces(block, context));
    case 'list': {
      const { lead } = block;
      const note = lead && `${lead.words}. ${lead.advice}`;
      return titled(block.title, note, block.items.map(itemPiece));
    }
    case 'names':
      return namePieces(block);
  }
}

function titled(title: string | undefined, note: string | undefined, pieces: Piece[]): Piece[] {
  if (title === undefined || pieces.length === 0) return pieces;
  return [[`### ${title}`], ...(note === undefined ? [] : [[note] as const]), ...pieces];
}

const alerts = { good: '', warning: '> [!WARNING]\n> ', error: '> [!CAUTION]\n> ' } as const;

function wordsText(words: Words): string {
  return words.map(phraseText).join('');
}

function phraseText(phrase: Phrase): string {
  if (typeof phrase === 'string') return prose(phrase);
  if ('contracts' in phrase) return phrase.contracts.map(code).join(', ');
  if ('move' in phrase) return moveText(phrase.move);
  if ('changes' in phrase)
    return phrase.changes.map(({ label, sign }) => `${code(label)} ${sign}`).join(', ');
  const { text, as } = phrase;
  switch (as) {
    case 'own':
      return text;
    case 'code':
    case 'contract':
      return code(text);
    case 'sentence':
    case 'hint':
      return sentence(text);
    case 'strong':
      return `**${prose(text)}**`;
    default:
      return prose(text);
  }
}

function moveText({ from, to }: Transition): string {
  return `${from === null ? 'none' : code(from)} → **${to === null ? 'none' : code(to)}**`;
}

const mostProblems = 100;

function problemPieces({ problems }: BlockOf<'problems'>, { files }: Context): Piece[] {
  if (problems.length === 0) return [];
  const items = firstOf(gatherHints(problems), mostProblems, (problem) => {
    const { code: rule, severity, hint, source, breaking, contract } = problem;
    const place = source && code(placeText(source));
    const address = source && linkToPlace(files, source);
    const parts = [
      signs[severity],
      breaking && '**breaking**',
      contract !== undefined && `${code(contract)}:`,
      sentence(messageOf(problem)),
      hint !== undefined && sentence(hint),
      address === undefined ? place : `[${place}](${address})`,
      `(${code(rule)})`,
    ];
    return parts.filter((part) => typeof part === 'string').join(' ');
  });
  return [[items.map((item) => `- ${item}`).join('\n'), countProblems(problems)]];
}

const signs = { error: '❌', warning: '⚠️', information: 'ℹ️', good: '✅' } as const;

function tablePieces({ columns, rows }: BlockOf<'table'>): Piece[] {
  if (rows.length === 0) return [];
  const hasState = rows.some(({ state }) => state);
  const header = hasState ? ['', ...columns] : columns;
  const cells = rows.map((row) => cellsOf(row, hasState));
  return [
    [table(header, cells), firstRows(header, cells, 100), ''],
    ...rows.flatMap(({ cells: [name], changes = [] }): Piece[] => {
      if (changes.length === 0) return [];
      const title = wordsText(name ?? []);
      return [[`${title}\n\n${fence('diff', changes.flatMap(changeLines))}`, '']];
    }),
  ];
}

function cellsOf({ state, cells, below }: TableRow, hasState: boolean): string[] {
  const sign = state && (state.isLeft ? '' : `${signs[state.gravity]} `);
  return [
    ...(hasState ? [`${sign}${state?.word}`] : []),
    ...cells.map(wordsText),
    ...(below ? [below.map(wordsText).join(hasState ? ' ' : ', ')] : []),
  ];
}

function breakingOf({ problems }: ContractReport): ReportedProblem[] {
  return problems.filter(({ breaking }) => breaking);
}

// With more, a table names them, and their changes are folded below it.
const mostOpen = 3;

function membersOf({ details }: BlockOf<'contracts'>): ContractReport[] {
  return details.flatMap(({ members }) => members);
}

function contractPieces(block: BlockOf<'contracts'>, context: Context): Piece[] {
  const members = membersOf(block);
  if (members.length <= mostOpen) return block.details.map((each) => openPiece(each, context));
  const problems = foldAlike(members.flatMap(breakingOf));
  const changing = block.details.filter(({ shown }) => shown.changes.length > 0);
  const open = changing.length <= mostOpen ? ' open' : '';
  const names = [
    overviewPiece(block.details, context),
    ...block.details.flatMap((each) => membersPiece(each, context)),
  ];
  const diffs = changing.map((gathering): Piece => {
    const [whole = '', ...less] = diffsOf(gathering);
    const name = `${nameOf(gathering)}\n\n`;
    return [name + whole, ...less.map((diff) => name + diff), ''];
  });
  const above = problemPieces({ kind: 'problems', problems }, context);
  if (diffs.length === 0) return [...above, ...names];
  const title = '<summary>The changes one by one</summary>';
  return [...above, ...names, [`<details${open}>\n${title}`], ...diffs, ['</details>']];
}

function openPiece(gathering: Gathering, context: Context): Piece {
  const names = gathering.members
    .map((each) => {
      const cells = rowOfContract(each, context).filter((cell) => cell !== '');
      const readers = each.downstream ? `<br>${wordsText(each.downstream)}` : '';
      const problems = breakingOf(each).map(({ contract: _contract, ...problem }) => problem);
      const [[list] = ['']] = problemPieces({ kind: 'problems', problems }, context);
      const below = list.split('\n').map((line) => line && `\n  ${line}`);
      return `- ${cells.join(' · ')}${readers}${below.join('')}`;
    })
    .join('\n');
  const amount = gathering.shown.changes.filter(({ carrier }) => !carrier).length;
  const title = count(amount, 'change', 'changes');
  const [whole, ...less] = diffsOf(gathering).map(
    (diff, index) => `${names}\n\n${collapsible(title, diff, { open: index === 0 })}`,
  );
  return whole === undefined ? [names] : [whole, ...less, names];
}

function overviewPiece(details: readonly Gathering[], context: Context): Piece {
  const hasReaders = details.some(({ shown }) => shown.downstream);
  const header = ['', 'Contract', 'Changes', 'Version', ...(hasReaders ? ['Downstream'] : [])];
  const rows = details.map((each) => {
    const { shown, members } = each;
    const readers = hasReaders ? [wordsText(shown.downstream ?? [])] : [];
    const cells = [...rowOfContract(shown, context), ...readers];
    return members.length === 1 ? cells : cells.with(1, nameOf(each));
  });
  const brief = rows.map((cells, index) => {
    const each = details[index];
    return each ? cells.with(1, nameOf(each)) : cells;
  });
  const first = (columns: number) => brief.map((cells) => cells.slice(0, columns));
  return [
    table(header, rows),
    table(header.slice(0, 3), first(3)),
    rowsWithin(header.slice(0, 2), first(2), context.bytesOfName * details.length),
  ];
}

// The verdict, the contract, its changes (`description, schema +1 −2`) and versions.
function rowOfContract(contract: ContractReport, { files }: Context): string[] {
  const { label, verdict, breaking, transition, brief, versions, source } = contract;
  const state = [
    ...(verdict === 'update' && transition ? [] : [verdictWords[verdict]]),
    ...(breaking ? ['**breaking**'] : []),
    ...(transition ? [moveText(transition)] : []),
  ];
  const address = linkToPlace(files, source);
  const name = code(label);
  const next = versions?.expected === undefined ? '' : ` → ${prose(versions.expected)}`;
  return [
    state.join(', '),
    address === undefined ? `${name} (${code(placeText(source))})` : `[${name}](${address})`,
    brief.map(wordsText).join(', '),
    versions ? `${code(versions.before)}${next}` : '',
  ];
}

const verdictWords = {
  create: 'create',
  update: 'update',
  blocked: '**blocked**',
  missing: '**missing**',
  unchanged: 'unchanged',
} as const;

// Lines of one contract; the JSON plan has all of it.
const mostLines = 2000;

function nameOf({ shown, members }: Gathering): string {
  const others = members.length - 1;
  return code(shown.label) + (others === 0 ? '' : ` and ${others} more, the same in each`);
}

function membersPiece({ members }: Gathering, { bytesOfName }: Context): Piece[] {
  const [first] = members;
  if (!first || members.length === 1) return [];
  const names = members.map(({ label }) => code(label));
  const title = `${members.length} contracts from ${prose(first.label)} on, the same in each`;
  const list = (shown: readonly string[]) => collapsible(title, shown.join(', '));
  return [[list(names), list(textsWithin(names, bytesOfName * names.length))]];
}

function diffsOf({ shown: { changes } }: Gathering): string[] {
  if (changes.length === 0) return [];
  const list = changes.map((change) => `${operationSigns[change.sign]} ${titleOf(change)}`);
  const lines = changes.flatMap(changeLines);
  return [...(lines.length > mostLines ? [] : [fence('diff', lines)]), fence('diff', list)];
}

const operationSigns = { added: '+', removed: '-', changed: '!' } as const;

// GitHub colours `+` green, `-` red, `!` orange and `@@` as a headline.
function changeLines(change: ChangeReport): string[] {
  const { movement, source, blame } = change;
  const set = blame === undefined ? '' : ` · ${blame}`;
  const headline = `@@ ${titleOf(change)} @@${source ? ` line ${lineWithKey(source)}` : ''}${set}`;
  if (movement !== undefined) return [headline];
  return [headline, ...linesOfChange(change).map(({ kind, text }) => `${lineSigns[kind]} ${text}`)];
}

function titleOf({ label, movement }: ChangeReport): string {
  return movement === undefined ? label : `${label} ${movement}`;
}

function itemPiece({ label, aside, sign, lines }: ListItem): Piece {
  const by = aside === undefined ? '' : `${sign ? ':' : ','} ${prose(aside)}`;
  const head = `- ${code(label)}${by}`;
  return lines.length === 0
    ? [head, '']
    : [`${head}\n\n${fence(sign ? 'diff' : 'text', listedLines(lines))}`, head, ''];
}

function listedLines(lines: ListItem['lines']): string[] {
  return lines.map(({ kind, text, isBelow }) => {
    if (kind === 'plain') return text;
    return `${isBelow ? '  ' : ''}${lineSigns[kind]} ${text}`;
  });
}

const mostUnmanaged = 200;

function namePieces({ title, names }: BlockOf<'names'>): Piece[] {
  if (names.length === 0 || names.length > mostUnmanaged) return [];
  const items = names.map(({ label, note }) =>
    note === undefined ? `- ${code(label)}` : `- ${code(label)}: ${prose(note)}`,
  );
  return [[collapsible(title, items.join('\n')), '']];
}
