/** Blocks as text, for a terminal or a log. */

import { structuredPatch } from 'diff';
import { count, sanitizeLine } from '../core/text.ts';
import type {
  Block,
  ListItem,
  ListBlock,
  NamesBlock,
  ProblemsBlock,
  Report,
  TableRow,
  Phrase,
  TableBlock,
  Words,
} from './blocks.ts';
import { type Paint, type Palette, plain, signOf } from './palette.ts';
import {
  changeLines,
  changeSign,
  gatheringLines,
  isValued,
  moveText,
  paintLine,
  problemLines,
  type TextOptions,
} from './text-contract.ts';
import { clip } from './values.ts';

/** Blocks with an empty line between them; ends with a line break. */
export function renderText({ blocks }: Pick<Report, 'blocks'>, options: TextOptions): string {
  let text = '';
  let before: Block['kind'] | undefined;
  for (const block of blocks) {
    const paragraphs = paragraphsOf(block, options).filter(({ length }) => length > 0);
    if (paragraphs.length === 0) continue;
    // Sentences belong together, and to what they are said of.
    const isClose = block.kind === 'note' && (before === 'note' || before === 'heading');
    const gap = before === undefined || isClose ? '' : '\n';
    text += gap + paragraphs.map((lines) => `${lines.join('\n')}\n`).join('\n');
    before = block.kind;
  }
  return text;
}

/** The lines of blocks without a gap between them. */
export function textLines(blocks: readonly Block[], options: TextOptions): string[] {
  return blocks.flatMap((block) => paragraphsOf(block, options).flat());
}

function paragraphsOf(block: Block, options: TextOptions): string[][] {
  const { palette } = options;
  const { faint, strong } = palette;
  switch (block.kind) {
    case 'heading':
      return [[wordsText(block.words, palette, strong)]];
    case 'note': {
      const line = wordsText(block.words, palette);
      return [[block.gravity === undefined ? line : palette[block.gravity](line)]];
    }
    case 'facts':
      return [
        block.facts.map(({ name = '', value, as }) => {
          const title = `${name[0]?.toUpperCase()}${name.slice(1)}:`;
          return `${faint(title)} ${(as === 'strong' ? strong : faint)(sanitizeLine(value))}`;
        }),
      ];
    case 'problems':
      return block.most === undefined
        ? block.problems.map((problem) => problemLines(problem, options))
        : [briefProblems(block, block.most, palette)];
    case 'table':
      return [tableLines(block, options)];
    case 'contracts':
      return block.details.map((gathering) => gatheringLines(gathering, options));
    case 'list':
      return [listLines(block, palette)];
    case 'names':
      return [nameLines(block, options)];
  }
}

/** A line; `paint` colours what has no colour of its own. */
function wordsText(words: Words, palette: Palette, paint: Paint = (text) => text): string {
  return words.map((span) => spanText(span, palette, paint)).join('');
}

function spanText(span: Phrase, palette: Palette, paint: Paint): string {
  if (typeof span === 'string') return paint(sanitizeLine(span));
  if ('contracts' in span) return paint(count(span.contracts.length, 'contract', 'contracts'));
  if ('move' in span) return moveText(span.move, palette);
  if ('change' in span)
    return `${changeSign(span.change, palette)} ${sanitizeLine(span.change.label)}`;
  const text = sanitizeLine(span.text);
  switch (span.as) {
    case 'own':
    case 'code':
    case 'contract':
    case 'said':
      return paint(text);
    case 'hint':
      return palette.faint(text);
    default:
      return palette[span.as](text);
  }
}

function briefProblems({ problems }: ProblemsBlock, most: number, palette: Palette): string[] {
  const rest = problems.length - most;
  return [
    ...problems.slice(0, most).map((problem) => {
      const [line = ''] = problemLines(problem, { palette });
      const { contract } = problem;
      return contract === undefined ? line : `${line} ${palette.strong(sanitizeLine(contract))}`;
    }),
    ...(rest > 0 ? [palette.error(`… and ${count(rest, 'more error', 'more errors')}`)] : []),
  ];
}

/** Rows in columns, each with its lines below; rows with a verdict stand as they come. */
function tableLines({ title, columns, rows }: TableBlock, options: TextOptions): string[] {
  const indent = title === undefined ? '' : '  ';
  const cells = rows.map((row) => cellsOf(row, columns));
  const widths = columns.map((_, column) =>
    cells.reduce((most, row) => Math.max(most, plainText(row[column] ?? []).length), 0),
  );
  return [
    ...(title === undefined ? [] : [`${title}:`]),
    ...rows.flatMap((row, index) => [
      indent + headOfRow(row, { cells: cells[index] ?? [], columns, widths }, options.palette),
      ...rowBelow(row, options.palette).map((line) => `${indent}    ${line}`),
      ...(row.changes ?? [])
        .filter(isValued)
        .flatMap((change) => changeLines(change, options.palette).map((line) => `  ${line}`)),
    ]),
  ];
}

/** The counts of a row as one cell: `9 from git, 2 not from a commit`. */
function cellsOf({ cells }: TableRow, columns: readonly string[]): Words[] {
  const counts = cells.flatMap((cell, column) =>
    typeof cell === 'number' ? [`${cell} ${columns[column]?.toLowerCase()}`] : [],
  );
  return [
    ...cells.filter((cell) => typeof cell !== 'number'),
    ...(counts.length > 0 ? [[counts.join(', ')]] : []),
  ];
}

function plainText(words: Words): string {
  return wordsText(words, plain);
}

type RowLayout = Pick<TableBlock, 'columns'> & {
  readonly cells: readonly Words[];
  readonly widths: readonly number[];
};

function headOfRow({ state }: TableRow, layout: RowLayout, palette: Palette): string {
  const { cells, columns, widths } = layout;
  const [name = [], ...others] = cells;
  const { faint, strong } = palette;
  if (state) {
    const sign = signOf(state.isLeft ? 'faint' : state.gravity, palette);
    const facts = others.map((words, index) =>
      words.length === 0
        ? ''
        : `  ${wordsText([`${columns[index + 1]?.toLowerCase()} `, ...words], palette, faint)}`,
    );
    return `${sign} ${wordsText(name, palette, strong)}  ${state.word}${facts.join('')}`;
  }
  const painted = cells.map((words, column) => {
    const paint = column === 0 ? strong : column === cells.length - 1 ? faint : undefined;
    const width = column === cells.length - 1 ? 0 : (widths[column] ?? 0);
    const padding = ' '.repeat(Math.max(0, width - plainText(words).length));
    return plainText(words) + padding === '' ? '' : wordsText(words, palette, paint) + padding;
  });
  return painted.join('  ').trimEnd();
}

/** Characters: some hundred names. */
const longestNames = 4000;
/** Enough to recognise a version by. */
const mostChanges = 5;

function rowBelow({ cells, below = [] }: TableRow, palette: Palette): string[] {
  const names = cells.flatMap((cell) =>
    typeof cell === 'number' ? [] : cell.flatMap((span) => (isNames(span) ? span.contracts : [])),
  );
  return [
    ...(names.length > 0 ? [sanitizeLine(clip(names.join(', '), longestNames))] : []),
    ...below.map((words) => {
      const isList = words.some((span) => typeof span !== 'string' && 'change' in span);
      if (!isList) return wordsText(words, palette);
      const most = mostChanges + (words.some((span) => isMove(span)) ? 1 : 0);
      const rest = words.length - most;
      return [
        ...words.slice(0, most).map((span) => spanText(span, palette, (text) => text)),
        ...(rest > 0 ? [palette.faint(`… and ${rest} more`)] : []),
      ].join(', ');
    }),
  ];
}

function isNames(span: Phrase): span is Extract<Phrase, { readonly contracts: unknown }> {
  return typeof span !== 'string' && 'contracts' in span;
}

function isMove(span: Phrase): boolean {
  return typeof span !== 'string' && 'move' in span;
}

function listLines({ title, lead, items }: ListBlock, palette: Palette): string[] {
  return [
    lead ? palette.warning(`${lead.words}:`) : palette.strong(`${title}:`),
    ...items.flatMap((item) => listedLines(item, palette)),
    ...(lead ? [`  ${palette.faint(lead.advice)}`] : []),
  ];
}

function listedLines({ sign, label, aside = '', lines }: ListItem, palette: Palette): string[] {
  const { faint, strong } = palette;
  const head = sign
    ? `${signOf(sign, palette)} ${strong(sanitizeLine(label))}`
    : `  ${sanitizeLine(label)}`;
  const words = sign ? sanitizeLine(aside) : faint(sanitizeLine(aside));
  return [
    aside === '' ? head : `${head}  ${words}`,
    ...lines.map(({ kind, text, isBelow }) => {
      const indent = isBelow ? '      ' : '    ';
      if (kind === 'plain') return indent + sanitizeLine(text);
      if (kind === 'same') return indent + faint(`= ${sanitizeLine(text)}`);
      return indent + paintLine({ kind, text }, palette);
    }),
  ];
}

/** As many names as there is room for; `more` names all. */
function nameLines({ title, aside, names, most }: NamesBlock, options: TextOptions): string[] {
  const { palette, more } = options;
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  const namedBy = more === undefined ? '' : ` (${more} names them)`;
  const head = `${title}${sanitizeLine(aside)}`;
  if (shown.length === 0) return [`${head}${namedBy}.`];
  return [
    `${head}:`,
    ...shown.map(({ label, note }) => {
      const words = note === undefined ? label : `${label}  ${note}`;
      return `  ${palette.faint(sanitizeLine(words))}`;
    }),
    ...(rest > 0 ? [palette.faint(`  … and ${rest} more${namedBy}`)] : []),
  ];
}

/** A unified diff of a file, as git shows one; ends with a line break. */
export function renderFileChange(
  {
    file,
    before,
    after,
  }: { readonly file: string; readonly before: string; readonly after: string },
  palette: Palette,
): string {
  const { hunks } = structuredPatch(file, file, before, after, '', '', { context: 3 });
  const name = sanitizeLine(file);
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => [
    palette.changed(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...own.map((line) => {
      // That a line ends as those of Windows do is not to be seen in git's diffs either.
      const shown = sanitizeLine(line.replace(/\r$/u, ''));
      if (line.startsWith('+')) return palette.added(shown);
      return line.startsWith('-') ? palette.removed(shown) : shown;
    }),
  ]);
  const head = [palette.strong(`--- a/${name}`), palette.strong(`+++ b/${name}`)];
  return `${[...head, ...lines].join('\n')}\n`;
}
