export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

export function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  const end = feed === -1 ? text.length : feed;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

export function nextLine(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed === -1 ? text.length : feed + 1;
}

/** From 0, in UTF-16 code units. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

export function lineNumber(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

export function lineBreakOf(text: string): string {
  const feeds = text.split('\n').length - 1;
  return (text.split('\r\n').length - 1) * 2 > feeds ? '\r\n' : '\n';
}

export function isOnLineOf(text: string, first: number, second: number): boolean {
  return lineStart(text, first) === lineStart(text, second);
}

export function beginsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/u.test(text.slice(lineStart(text, offset), offset));
}

export function lineAt(text: string, offset: number): string {
  return text.slice(lineStart(text, offset), lineEnd(text, offset));
}

export function isBlankLine(line: string): boolean {
  return line.trim() === '';
}

export function isComment(line: string): boolean {
  return /^[ \t]*#/u.test(line);
}

export function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * The start of the run of accepted lines that ends at `start`. A line that begins at or before
 * `content`, the end of the content above, is not in it.
 */
export function runAbove(
  text: string,
  { start, content }: { readonly start: number; readonly content: number },
  accepts: (line: string) => boolean,
): number {
  let from = start;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (above <= content || !accepts(lineAt(text, above))) break;
    from = above;
  }
  return from;
}

export function blanksBelow(text: string, start: number): number {
  let to = start;
  while (to < text.length && isBlankLine(lineAt(text, to))) to = nextLine(text, to);
  return to;
}

export function indent(lines: readonly string[], columns: number): readonly string[] {
  return lines.map((line) => (line === '' ? line : ' '.repeat(columns) + line));
}

export function dedent(line: string, columns: number): string {
  return line.slice(Math.min(columns, /^ */u.exec(line)?.[0].length ?? 0));
}

export type Span = { readonly start: number; readonly end: number };

export type Splice = Span & { readonly text: string };

/** A way to write an operation, still to be proved by parsing it. */
export type Candidate = {
  readonly splices: readonly Splice[];
  /** Spans of the old text whose comments may be lost. */
  readonly losing?: Span | undefined;
  readonly isInLine?: boolean;
};

/** Splices may come in any order, and do not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = '';
  let from = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, splice.start) + splice.text;
    from = splice.end;
  }
  return result + text.slice(from);
}

export function areApart(text: string, candidates: readonly Candidate[]): boolean {
  const spans = candidates
    .map(({ splices }) => splices.filter((each) => text.slice(each.start, each.end) !== each.text))
    .filter((splices) => splices.length > 0)
    .map((splices) => ({
      start: Math.min(...splices.map(({ start }) => start)),
      end: Math.max(...splices.map(({ end }) => end)),
    }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  return spans.slice(1).every(({ start }, index) => start > (spans[index]?.end ?? -1));
}

export function inWhole(before: string, after: string): Splice {
  return { start: 0, end: before.length, text: after };
}
