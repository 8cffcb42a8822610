import { fitBlocks, type Block } from './blocks.ts';

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
