export type ReportOptions = {
  /** Bytes of UTF-8; what does not fit is told in less detail. */
  readonly budget: number;
  /** What the title starts with. */
  readonly title?: string;
  /** Markdown that stands below the title. */
  readonly notice?: string;
  /** Where the repository's files can be seen, without a slash at the end. */
  readonly files?: string;
  /** Markdown that tells where the whole report is, for a text that could not hold it. */
  readonly rest?: string;
};

/** A title, what it came to, and as much of the blocks as fits. */
export function renderReport(
  verdict: string,
  blocks: readonly Block[],
  { budget, title = 'contract-sync', notice, rest }: ReportOptions,
): string {
  const head: Block[] = [
    [`## ${title}: ${verdict}`],
    ...(notice === undefined ? [] : [[notice] as const]),
  ];
  const where = rest === undefined ? '' : ` ${rest}`;
  const ending = `\n\n> [!NOTE]\n> This is not all of it: some details would not fit.${where}\n`;
  const { text, complete } = fitBlocks([...head, ...blocks], budget - Buffer.byteLength(ending));
  return complete ? `${text}\n` : `${text}${ending}`;
}

/**
 * A report that has to fit: GitHub refuses a comment of 65,537 characters and drops a summary past
 * 1 MiB whole. Each block comes in several lengths; what fits is chosen, nothing is cut.
 */

/** One piece of a report in falling detail: the whole first, the least last, which may be empty. */
export type Block = readonly [string, ...string[]];

type Fitted = {
  readonly text: string;
  /** Whether every block is whole. */
  readonly complete: boolean;
};

/** The blocks in as much detail as fits into so many bytes of UTF-8; earlier blocks go first. */
export function fitBlocks(blocks: readonly Block[], budget: number): Fitted {
  const choice = blocks.map((block) => block.length - 1);
  let used = blocks.reduce((sum, block) => sum + size(block.at(-1) ?? ''), 0);
  // All blocks by one step before any by two: many contracts in brief tell more than one in full.
  for (let step = 2; step <= steps(blocks); step += 1) {
    for (const [index, block] of blocks.entries()) {
      const finer = block.length - step;
      const cost = finer < 0 ? 0 : size(block[finer] ?? '') - size(chosen(block, choice[index]));
      if (finer < 0 || used + cost > budget) continue;
      choice[index] = finer;
      used += cost;
    }
  }
  return {
    text: joinWithin(
      blocks.map((block, index) => chosen(block, choice[index])),
      budget,
    ),
    complete: used <= budget && choice.every((index) => index === 0),
  };
}

function steps(blocks: readonly Block[]): number {
  return blocks.reduce((most, block) => Math.max(most, block.length), 0);
}

function chosen(block: Block, index = 0): string {
  return block[index] ?? '';
}

const separator = '\n\n';

/** With the separator behind it. */
function size(text: string): number {
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
