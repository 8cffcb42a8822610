import type { Span, Splice } from './splice.ts';
import {
  blanksBelow,
  isBlank,
  isComment,
  isOnLineOf,
  lineAt,
  nextLine,
  runAbove,
} from './lines.ts';
import type { CollectionNode } from './node.ts';
import type { Site } from './way.ts';

/** Whole lines of an item to take out, with blank lines that would be too many; the best first. */
export function* lineRemovals(text: string, site: Site, owned: Span): Generator<Splice> {
  const to = nextLine(text, owned.end);
  const start = runAbove(text, { start: owned.start, content: contentAbove(site) }, isBlank);
  const around = { start, from: owned.start, to, end: blanksBelow(text, to) };
  const best = superfluousBlanks(text, site, around);
  yield removal(text, best.isAbove ? start : owned.start, best.isBelow ? around.end : to);
  yield removal(text, owned.start, to);
  yield removal(text, start, around.end);
}

function contentAbove({ holder, index }: Site): number {
  return holder.items[index - 1]?.end ?? holder.header;
}

/** At the end of a text without a final line break, the break in front goes. */
function removal(text: string, start: number, end: number): Splice {
  const isUnended = end === text.length && !text.endsWith('\n') && start > 0;
  const lineBreak = text[start - 2] === '\r' ? 2 : 1;
  return { start: isUnended ? start - lineBreak : start, end, text: '' };
}

/** Removed lines, and the blank lines above and below them. */
type Around = Span & { readonly from: number; readonly to: number };

/** Which blank lines around removed lines separate nothing any more. */
function superfluousBlanks(
  text: string,
  { holder, index }: Site,
  { start, from, to, end }: Around,
): { readonly isAbove: boolean; readonly isBelow: boolean } {
  const hasAbove = start < from;
  const hasBelow = to < end;
  if (index === holder.items.length - 1) {
    const isFollowed = !hasBelow && end < text.length && isComment(lineAt(text, end));
    return { isAbove: hasAbove && !isFollowed, isBelow: false };
  }
  if (!hasAbove || !hasBelow) {
    return { isAbove: false, isBelow: hasBelow && index === 0 && opens(text, from, holder) };
  }
  const isAbove = from - start < end - to;
  return { isAbove, isBelow: !isAbove };
}

/** Whether the line above is the one that leads to the collection, or the start of the document. */
function opens(text: string, from: number, { header }: CollectionNode): boolean {
  return from === 0 || (header >= 0 && isOnLineOf(text, header, from - 1));
}
