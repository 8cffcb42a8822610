import type { Severity } from '../../core/diagnostic.ts';
import type { Validation } from '../../files/files.ts';
import { countProblems, describeValidation, type ReportedProblem } from '../model/problems.ts';
import { code, firstRows, placesBelow, type RenderPlace, said, table } from './text.ts';

export type ReportOptions = {
  /** Bytes of UTF-8; what does not fit is told in less detail. */
  readonly budget: number;
  /** Markdown of one line that stands below the title. */
  readonly notice?: string | undefined;
  /** Where the repository's files can be seen, without a slash at the end. */
  readonly files?: string;
  /** Markdown that tells where the whole report is, for a text that could not hold it. */
  readonly rest?: string;
};

/** What is known of the files alone. */
export function renderValidationMarkdown(validation: Validation, options: ReportOptions): string {
  const { verdict } = describeValidation(validation);
  const place = placesBelow(options.files);
  return renderReport(verdict, problemsBlock(validation.diagnostics, place), options);
}

/** A title, what it came to, and as much of the blocks as fits. */
export function renderReport(
  verdict: string,
  blocks: readonly Block[],
  { budget, notice, rest }: ReportOptions,
): string {
  const head: Block[] = [
    [`## contract-sync: ${verdict}`],
    ...(notice === undefined ? [] : [[`> [!NOTE]\n> ${notice}`] as const]),
  ];
  const { text, complete } = fitBlocks([...head, ...blocks], budget - 1);
  if (complete) return `${text}\n`;
  const where = rest === undefined ? '' : ` ${rest}`;
  const note = `> [!NOTE]\n> Some details are left out: they don't fit.${where}`;
  return `${fitBlocks([...head, [note], ...blocks], budget - 1).text}\n`;
}

/** The problems, the first of them, or their number. */
export function problemsBlock(problems: readonly ReportedProblem[], place: RenderPlace): Block[] {
  if (problems.length === 0) return [];
  const items = problems.map((problem) => problemItem(problem, place));
  const rest = items.length - mostItems;
  const more = rest > 0 ? [`- … and ${rest} more`] : [];
  return [[[...items.slice(0, mostItems), ...more].join('\n'), countProblems(problems)]];
}

const mostItems = 100;

function problemItem(problem: ReportedProblem, place: RenderPlace): string {
  const { code: rule, severity, message, hint, source, breaking, contract } = problem;
  const parts = [
    severitySigns[severity],
    ...(breaking ? ['**breaking**'] : []),
    ...(contract === undefined ? [] : [`${code(contract)}:`]),
    said(message),
    ...(hint === undefined ? [] : [said(hint)]),
    ...(source ? [place(source)] : []),
    `(${code(rule)})`,
  ];
  return `- ${parts.join(' ')}`;
}

const severitySigns: Readonly<Record<Severity, string>> = {
  error: '❌',
  warning: '⚠️',
  information: 'ℹ️',
};

/** A table, or its first rows, or none. */
export function tableBlock(header: readonly string[], rows: readonly (readonly string[])[]): Block {
  return [table(header, rows), firstRows(header, rows, 100), ''];
}

/**
 * A report that has to fit: GitHub refuses a comment of 65,537 characters and drops a summary past
 * 1 MiB whole. Each block comes in several lengths; what fits is chosen, nothing is cut.
 */

/** One piece of a report in falling detail: the whole first, the least last, which may be empty. */
export type Block = readonly [string, ...string[]];

/**
 * The blocks in as much detail as fits into so many bytes of UTF-8, earlier ones first; `complete`
 * where every block is whole.
 */
export function fitBlocks(blocks: readonly Block[], budget: number) {
  const chosen = blocks.map((block) => block.at(-1) ?? '');
  const steps = blocks.reduce((most, { length }) => Math.max(most, length), 0);
  let used = chosen.reduce((sum, text) => sum + size(text), 0);
  // All blocks by one step before any by two: many contracts in brief tell more than one in full.
  for (let step = 2; step <= steps; step += 1) {
    for (const [index, block] of blocks.entries()) {
      const finer = block.at(-step);
      const cost = size(finer) - size(chosen[index]);
      if (finer === undefined || used + cost > budget) continue;
      chosen[index] = finer;
      used += cost;
    }
  }
  const complete = used <= budget && blocks.every(([whole], index) => chosen[index] === whole);
  return { text: joinWithin(chosen, budget), complete };
}

const separator = '\n\n';

/** With the separator behind it. */
function size(text = ''): number {
  return text === '' ? 0 : Buffer.byteLength(text) + separator.length;
}

/** Where even the least is too much, the last blocks go: the first ones matter most. */
function joinWithin(texts: readonly string[], budget: number): string {
  let used = 0;
  const kept = texts.filter((text) => {
    if (text === '' || used + size(text) > budget) return false;
    used += size(text);
    return true;
  });
  return kept.join(separator);
}
