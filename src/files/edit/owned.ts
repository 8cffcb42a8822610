import type { YamlTree } from './tree.ts';
import {
  beginsLine,
  columnOf,
  indentationOf,
  isBlank,
  isComment,
  lineAt,
  lineEnd,
  lineStart,
  nextLine,
  runAbove,
} from './lines.ts';
import type { Span } from './splice.ts';
import type { Site } from './way.ts';

/**
 * What goes where an item of a block collection goes: its lines, the comments right above it at its
 * column, and deeper ones right below it. It ends before a line break.
 */
export function ownedSpan(tree: YamlTree, site: Site): Span {
  return { start: ownedStart(tree, site), end: deeperComments(tree.text, site, isOwnable) };
}

/** The first comment above an item that is about the item, or the item itself. */
export function ownedStart({ text, root }: YamlTree, { holder, index }: Site): number {
  const item = holder.items[index];
  if (!item) return holder.end;
  if (!beginsLine(text, item.start)) return item.start;
  const column = columnOf(text, item.start);
  const own = lineStart(text, item.start);
  const content = holder.items[index - 1]?.end ?? holder.header;
  const run = runAbove(
    text,
    { start: own, content },
    (line) => isComment(line) && indentationOf(line) === column && isOwnable(line),
  );
  const isHead = index === 0 && holder === root && isAtTop(text, run);
  return isHead ? own : behindDisabled(text, run, own);
}

/** Comments above a document's first item, with no others above them, are about the file. */
function isAtTop(text: string, run: number): boolean {
  const block = runAbove(text, { start: run, content: -1 }, isComment);
  const top = runAbove(text, { start: block, content: -1 }, isBlank);
  return top === 0 || !isComment(lineAt(text, top - 1));
}

/** Commented-out YAML goes on over the lines that are indented deeper behind their `#`. */
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

/** The end of an item and of all deeper comments right below: where a next item may come. */
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

/** Whether a comment may be about one item: not a banner between items, and not YAML put aside. */
function isOwnable(line: string): boolean {
  return !isBanner(line) && !isDisabledYaml(line);
}

function isBanner(line: string): boolean {
  return /^\s*#(?:##|\s*[-=*~_+#]{3,})/u.test(line);
}

/** `# key: value` and `# - item`, but not `# Note: this is prose`. */
function isDisabledYaml(line: string): boolean {
  const text = line.replace(/^\s*#\s*/u, '');
  const isProse =
    /^(?:note|todo|fixme|warning|caution|important|hint|tip|see|example|examples|usage|xxx|hack)\b/iu;
  return !isProse.test(text) && /^(?:-(?:\s|$)|\?\s|["']?[\w$][\w$./-]*["']?:(?:\s|$))/u.test(text);
}
