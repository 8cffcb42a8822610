import type { SourcePosition } from '../../core/diagnostic.ts';
import { code } from './text.ts';

/** A place in a file as Markdown. */
export type Place = (source: SourcePosition) => string;

/** The place as a link below `base`, the page of the repository's files; without one as its name. */
export function placesBelow(base: string | undefined): Place {
  return ({ file, line }) => {
    const name = code(`${file}:${line}`);
    return base === undefined ? name : `[${name}](${base}/${encodePath(file)}#L${line})`;
  };
}

/** Parentheses would end a link's target; `encodeURIComponent` leaves them alone. */
function encodePath(file: string): string {
  return file
    .toWellFormed()
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');
}
