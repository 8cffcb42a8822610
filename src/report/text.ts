import { structuredPatch } from 'diff';
import { clip, count, sanitizeLine } from '../core/text.ts';
import {
  type Block,
  type BlockOf,
  type ListItem,
  type Palette,
  plain,
  type Report,
  signOf,
  type TableRow,
  type Words,
} from './blocks.ts';
import {
  changeLines,
  gatheringLines,
  paintLine,
  problemLines,
  problemParagraphs,
  type TextOptions,
  wordsText,
} from './text-contract.ts';

/** Empty lines separate blocks; ends with a line break. */
export function renderText({ blocks }: Report, options: TextOptions): string {
  let text = '';
  let before: Block['kind'] | undefined;
  for (const block of blocks) {
    const paragraphs = paragraphsOf(block, options).filter(({ length }) => length > 0);
    if (paragraphs.length === 0) continue;
    const isClose = block.kind === 'note' && (before === 'note' || before === 'heading');
    const gap = before === undefined || isClose ? '' : '\n';
    text += gap + paragraphs.map((lines) => `${lines.join('\n')}\n`).join('\n');
    before = block.kind;
  }
  return text;
}

function paragraphsOf(block: Block, options: TextOptions): string[][] {
  const { palette } = options;
  switch (block.kind) {
    case 'heading':
      return [[wordsText(block.words, palette, palette.strong)]];
    case 'note':
      return [[wordsText(block.words, palette)]];
    case 'facts':
      return [
        block.facts.map(({ name = '', value, as }) => {
          const title = palette.faint(`${name[0]?.toUpperCase()}${name.slice(1)}:`);
          return `${title} ${palette[as === 'strong' ? as : 'faint'](sanitizeLine(value))}`;
        }),
      ];
    case 'command':
      return [[block.lead, '', ...commandLines(block)].map(sanitizeLine)];
    case 'problems':
      return block.most === undefined
        ? problemParagraphs(block.problems, options)
        : [briefProblems(block, block.most, palette)];
    case 'table':
      return [tableLines(block, palette)];
    case 'contracts':
      return block.details.map((each) => gatheringLines(each, options));
    case 'list':
      return [listLines(block, palette)];
    case 'names':
      return [nameLines(block, options)];
  }
}

// YAML is pasted as it stands, where its indentation counts.
function commandLines({ command, language }: BlockOf<'command'>): string[] {
  return command.split('\n').map((line) => (language === 'yaml' ? line : `  ${line}`));
}

function briefProblems({ problems }: BlockOf<'problems'>, most: number, palette: Palette) {
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

function tableLines({ columns, rows }: BlockOf<'table'>, palette: Palette): string[] {
  const widths = columns.map((_, column) =>
    rows.reduce(
      (most, { cells }) => Math.max(most, wordsText(cells[column] ?? [], plain).length),
      0,
    ),
  );
  return rows.flatMap((row) => [
    row.state
      ? stateLine(row.state, row.cells, columns, palette)
      : columnsLine(row.cells, widths, palette),
    ...rowBelow(row, palette).map((line) => `    ${line}`),
    ...(row.changes ?? []).flatMap((change) =>
      changeLines(change, palette).map((line) => `  ${line}`),
    ),
  ]);
}

// `✓ shop.orders  applied  version 0.1 → 0.2`.
function stateLine(
  { word, gravity, isLeft }: NonNullable<TableRow['state']>,
  [name = [], ...facts]: readonly Words[],
  columns: readonly string[],
  palette: Palette,
): string {
  const shown = facts.map((words, index) => {
    const title = `${columns[index + 1]?.toLowerCase()} `;
    // A single version did not change.
    return words.length < 2 ? '' : `  ${wordsText([title, ...words], palette, palette.faint)}`;
  });
  const sign = signOf(isLeft ? 'faint' : gravity, palette);
  return `${sign} ${wordsText(name, palette, palette.strong)}  ${word}${shown.join('')}`;
}

function columnsLine(cells: readonly Words[], widths: readonly number[], palette: Palette): string {
  const painted = cells.map((words, column) => {
    const isLast = column === cells.length - 1;
    const paint = column === 0 ? palette.strong : isLast ? palette.faint : undefined;
    const missing = isLast ? 0 : (widths[column] ?? 0) - wordsText(words, plain).length;
    return wordsText(words, palette, paint) + ' '.repeat(missing);
  });
  return painted.join('  ').trimEnd();
}

// Characters: some hundred names.
const longestNames = 4000;

// Of contracts with which nothing was done: the next plan has them.
const mostSkipped = 5;

function rowBelow({ state, cells, below = [] }: TableRow, palette: Palette): string[] {
  const names = cells
    .flat()
    .flatMap((phrase) =>
      typeof phrase === 'object' && 'contracts' in phrase ? phrase.contracts : [],
    );
  const most = state?.word === 'skipped' ? mostSkipped : names.length;
  const rest = names.length > most ? ` and ${names.length - most} more` : '';
  const named = sanitizeLine(clip(names.slice(0, most).join(', '), longestNames));
  return [
    ...(names.length > 0 ? [named + rest] : []),
    ...below.map((words) => wordsText(words, palette)),
  ];
}

function listLines({ title, lead, items }: BlockOf<'list'>, palette: Palette): string[] {
  if (items.length === 0) return [];
  return [
    lead ? palette.warning(`${lead.words}:`) : palette.strong(`${title}:`),
    ...items.flatMap((item) => itemLines(item, palette)),
    ...(lead ? [`  ${palette.faint(lead.advice)}`] : []),
  ];
}

function itemLines({ sign, label, aside, lines }: ListItem, palette: Palette): string[] {
  const name = sanitizeLine(label);
  const by = aside === undefined ? '' : `  ${sanitizeLine(aside)}`;
  const head = sign
    ? `${signOf(sign, palette)} ${palette.strong(name)}${by}`
    : `  ${name}${palette.faint(by)}`;
  return [
    head,
    ...lines.map(({ kind, text: line, isBelow }) => {
      const indent = isBelow ? '      ' : '    ';
      if (kind === 'plain') return indent + sanitizeLine(line);
      if (kind === 'same') return indent + palette.faint(`= ${sanitizeLine(line)}`);
      return indent + paintLine({ kind, text: line }, palette);
    }),
  ];
}

function nameLines({ title, aside, names, most }: BlockOf<'names'>, options: TextOptions) {
  if (names.length === 0) return [];
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

/** A unified diff in git's form; ends with a line break. */
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
      // Git's diffs don't show the line ends of Windows either.
      const shown = sanitizeLine(line.replace(/\r$/u, ''));
      if (line.startsWith('+')) return palette.added(shown);
      return line.startsWith('-') ? palette.removed(shown) : shown;
    }),
  ]);
  const head = [palette.strong(`--- a/${name}`), palette.strong(`+++ b/${name}`)];
  return `${[...head, ...lines].join('\n')}\n`;
}
