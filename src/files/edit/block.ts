import { outerEnd, ownedSpan, ownedStart } from './owned.ts';
import { lineRemovals } from './removal.ts';
import {
  beginsLine,
  columnOf,
  indent,
  indentationOf,
  isComment,
  isOnLineOf,
  lineAt,
  lineBreakOf,
  lineStart,
  nextLine,
} from './lines.ts';
import type { Candidate, Span, Splice } from './splice.ts';
import type { CollectionNode } from './node.ts';
import type { YamlTree } from './tree.ts';
import type { Site } from './way.ts';

/** Puts an item's lines into a block collection: in front of an item, or behind the last. */
export function insertLines(
  tree: YamlTree,
  site: Site,
  lines: readonly string[],
  isAiry = isAiryAmong(tree.text, site.holder),
): Candidate {
  const { text } = tree;
  const { holder, index } = site;
  const column = columnOf(text, holder.items[0]?.start ?? holder.body);
  const indented = indent(lines, column);
  const blank = isAiry ? [''] : [];
  const isNext = index < holder.items.length;
  const at = isNext ? ownedStart(tree, site) : outerEnd(text, { holder, index: index - 1 });
  const inserted = isNext ? [...indented, ...blank, ''] : ['', ...blank, ...indented];
  const block = inserted.join(lineBreakOf(text));
  const isCompact = isNext && !beginsLine(text, at);
  const slid = isCompact ? block.trimStart() + ' '.repeat(column) : block;
  return { splices: [{ start: at, end: at, text: slid }] };
}

/** Whether blank lines stand between most of a collection's items. */
export function isAiryAmong(text: string, { items }: CollectionNode): boolean {
  const gaps = items.slice(1).map((item, index) => text.slice(items[index]?.end, item.start));
  return gaps.filter((gap) => /\n[ \t]*\r?\n/u.test(gap)).length * 2 > gaps.length;
}

/** Takes an item out of a block collection, with all that it owns. */
export function* removeLines(tree: YamlTree, site: Site): Generator<Candidate> {
  const { text } = tree;
  const { holder } = site;
  const losing = ownedSpan(tree, site);
  const isCompact = site.index === 0 && !beginsLine(text, holder.body);
  if (holder.items.length === 1) {
    yield* emptied(tree, site, losing);
  } else if (isCompact) {
    yield { splices: slideOntoDash(text, holder, losing), losing };
  } else {
    for (const splice of lineRemovals(text, site, losing)) yield { splices: [splice], losing };
  }
}

/** The last item leaves brackets, on the line of the key or the dash if there is one. */
function* emptied({ text, root }: YamlTree, site: Site, losing: Span): Generator<Candidate> {
  const { header, headEnd, body, kind } = site.holder;
  const brackets = kind === 'map' ? '{}' : '[]';
  if (site.holder === root || isOnLineOf(text, header, body)) {
    const above = { start: Math.min(losing.start, body), end: lineStart(text, body), text: '' };
    const place = { start: body, end: losing.end, text: brackets };
    const splices = above.start < above.end ? [above, place] : [place];
    yield { splices, losing };
    return;
  }
  const insertion = { start: headEnd, end: headEnd, text: ` ${brackets}` };
  for (const splice of lineRemovals(text, site, losing)) {
    yield { splices: [insertion, splice], losing };
  }
}

/** When the first item of a `- a:` goes, the next one slides onto the dash. */
function slideOntoDash(text: string, { items }: CollectionNode, owned: Span): readonly Splice[] {
  const [first, next] = items;
  if (!first || !next) return [];
  const line = lineStart(text, first.start);
  const margin = ' '.repeat(indentationOf(lineAt(text, line)));
  const left = text
    .slice(nextLine(text, owned.end), lineStart(text, next.start))
    .split(/(?<=\n)/u)
    .filter(isComment)
    .map((comment) => margin + comment.trimStart());
  return [
    { start: line, end: line, text: left.join('') },
    { start: first.start, end: next.start, text: '' },
  ];
}
