import { structuredPatch } from 'diff';
import { count, sanitizeLine } from '../../core/text.ts';
import type { Palette } from './palette.ts';

/** A file on both sides of a change. */
export type FileChange = { readonly file: string; readonly before: string; readonly after: string };

/** A unified diff, as git shows one; ends with a line break. */
export function renderFileChange({ file, before, after }: FileChange, palette: Palette): string {
  const { hunks } = structuredPatch(file, file, before, after, '', '', { context: 3 });
  const name = sanitizeLine(file);
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => [
    palette.changed(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...own.map((line) => paintLine(line, palette)),
  ]);
  const head = [palette.strong(`--- a/${name}`), palette.strong(`+++ b/${name}`)];
  return `${[...head, ...lines].join('\n')}\n`;
}

function paintLine(line: string, palette: Palette): string {
  // That a line ends as those of Windows do is not to be seen in git's diffs either.
  const shown = sanitizeLine(line.replace(/\r$/u, ''));
  if (line.startsWith('+')) return palette.added(shown);
  return line.startsWith('-') ? palette.removed(shown) : shown;
}

/** What there is to pull, or was pulled: `3 contracts in 2 files`. */
export function pullTotals(contracts: number, files: number): string {
  return `${count(contracts, 'contract', 'contracts')} in ${count(files, 'file', 'files')}`;
}
