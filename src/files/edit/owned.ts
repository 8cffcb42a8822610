import {
  beginsLine,
  blanksBelow,
  columnOf,
  indentationOf,
  isBlankLine,
  isComment,
  isOnLineOf,
  lineAt,
  lineEnd,
  lineStart,
  nextLine,
  runAbove,
  type Span,
  type Splice,
} from './lines.ts';

import type { Site, YamlTree } from './tree.ts';

/**
 * An item's lines, the comments right above at its column and deeper ones right below, up to a line
 * break.
 */
export function ownedSpan(tree: YamlTree, site: Site): Span {
  return { start: ownedStart(tree, site), end: deeperComments(tree.text, site, isOwnable) };
}

export function ownedStart({ text, root }: YamlTree, { holder, index }: Site): number {
  const item = holder.items[index];
  if (!item) return holder.end;
  if (!beginsLine(text, item.start)) return item.start;
  const column = columnOf(text, item.start);
  const own = lineStart(text, item.start);
  const run = runAbove(
    text,
    { start: own, content: contentAbove({ holder, index }) },
    (line) => isComment(line) && indentationOf(line) === column && isOwnable(line),
  );
  const isHead = index === 0 && holder === root && isAtTop(text, run);
  return isHead ? own : behindDisabled(text, run, own);
}

// Comments above a document's first item, with no others above them, are about the file.
function isAtTop(text: string, run: number): boolean {
  const block = runAbove(text, { start: run, content: -1 }, isComment);
  const top = runAbove(text, { start: block, content: -1 }, isBlankLine);
  return top === 0 || !isComment(lineAt(text, top - 1));
}

function behindDisabled(text: string, run: number, end: number): number {
  const above = run === 0 ? '' : lineAt(text, run - 1);
  if (!isComment(above) || !isDisabledYaml(above)) return run;
  let start = run;
  while (start < end && innerIndentation(lineAt(text, start)) > innerIndentation(above)) {
    start = nextLine(text, start);
  }
  return start;
}

function innerIndentation(comment: string): number {
  return /^\s*#(\s*)/u.exec(comment)?.[1]?.length ?? 0;
}

export function outerEnd(text: string, site: Site): number {
  return deeperComments(text, site, () => true);
}

function deeperComments(
  text: string,
  { holder, index }: Site,
  accepts: (line: string) => boolean,
): number {
  const item = holder.items[index];
  if (!item) return holder.end;
  const column = columnOf(text, item.start);
  let end = lineEnd(text, item.end);
  for (let next = nextLine(text, end); next < text.length; next = nextLine(text, next)) {
    const line = lineAt(text, next);
    if (!isComment(line) || indentationOf(line) <= column || !accepts(line)) break;
    end = lineEnd(text, next);
  }
  return end;
}

function isOwnable(line: string): boolean {
  const isBanner = /^\s*#(?:##|\s*[-=*~_+#]{3,})/u.test(line);
  return !isBanner && !isDisabledYaml(line);
}

// `# key: value` and `# - item`, but not `# Note: this is prose`.
function isDisabledYaml(line: string): boolean {
  const text = line.replace(/^\s*#\s*/u, '');
  const isProse =
    /^(?:note|todo|fixme|warning|caution|important|hint|tip|see|example|examples|usage|xxx|hack)\b/iu;
  return !isProse.test(text) && /^(?:-(?:\s|$)|\?\s|["']?[\w$][\w$./-]*["']?:(?:\s|$))/u.test(text);
}

export function* lineRemovals(text: string, site: Site, owned: Span): Generator<Splice> {
  const to = nextLine(text, owned.end);
  const start = runAbove(text, { start: owned.start, content: contentAbove(site) }, isBlankLine);
  const around = { start, from: owned.start, to, end: blanksBelow(text, to) };
  const best = superfluousBlanks(text, site, around);
  yield removal(text, best.isAbove ? start : owned.start, best.isBelow ? around.end : to);
  yield removal(text, owned.start, to);
  yield removal(text, start, around.end);
}

function contentAbove({ holder, index }: Site): number {
  return holder.items[index - 1]?.end ?? holder.header;
}

// Without a final line break, the one before the removed lines goes instead.
function removal(text: string, start: number, end: number): Splice {
  const isUnended = end === text.length && !text.endsWith('\n') && start > 0;
  const lineBreak = text[start - 2] === '\r' ? 2 : 1;
  return { start: isUnended ? start - lineBreak : start, end, text: '' };
}

function superfluousBlanks(
  text: string,
  { holder, index }: Site,
  { start, from, to, end }: Span & { readonly from: number; readonly to: number },
): { readonly isAbove: boolean; readonly isBelow: boolean } {
  const hasAbove = start < from;
  const hasBelow = to < end;
  if (index === holder.items.length - 1) {
    const isFollowed = !hasBelow && end < text.length && isComment(lineAt(text, end));
    return { isAbove: hasAbove && !isFollowed, isBelow: false };
  }
  if (!hasAbove || !hasBelow) {
    const { header } = holder;
    const opens = from === 0 || (header >= 0 && isOnLineOf(text, header, from - 1));
    return { isAbove: false, isBelow: hasBelow && index === 0 && opens };
  }
  const isAbove = from - start < end - to;
  return { isAbove, isBelow: !isAbove };
}
