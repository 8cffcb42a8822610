import type { SourcePosition } from '../core/diagnostic.ts';

/** `contracts/orders.yaml:2`; of a contract that returns to its past, to what. */
export function placeText(source: SourcePosition): string {
  const { file, format } = source;
  return format === 'version' ? `back to ${file}` : `${file}:${lineWithKey(source)}`;
}

/** The address of a line, below `base`, the page of the repository's files. */
export function linkToPlace(base: string, { file, line }: SourcePosition): string {
  return `${base}/${encodePath(file)}#L${line}`;
}

/** The line of a file, and its key where that has its own word: `41 (physicalType)`. */
export function lineWithKey({ line, key }: SourcePosition): string {
  return key === undefined ? `${line}` : `${line} (${key})`;
}

/** Parentheses would end a link's target in Markdown; `encodeURIComponent` leaves them alone. */
function encodePath(file: string): string {
  return file
    .toWellFormed()
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');
}
