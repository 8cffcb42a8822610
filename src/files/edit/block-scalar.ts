/** Text of several lines, as a block scalar: a header, and lines without their indentation. */
export type BlockText = { readonly header: string; readonly lines: readonly string[] };

/** What is known of the block scalar that stood there before. */
export type FormerBlock = {
  readonly isFolded: boolean;
  /** Columns from its item to its lines. */
  readonly step: number;
  /** Its lines without their indentation. */
  readonly lines: readonly string[];
};

/** A text as `|`, or as `>` where it was one; undefined where a block scalar cannot hold it. */
export function writeBlock(
  text: string,
  step: number,
  former?: FormerBlock,
): BlockText | undefined {
  if (!canBeBlock(text, former)) return undefined;
  const body = text.replace(/\n+$/u, '');
  const lines = former?.isFolded ? foldedLines(body, former.lines) : body.split('\n');
  // Without a number the first line that is not blank sets the indentation.
  const indicator = /^\n*[ \t]/u.test(body) ? String(step) : '';
  const style = former?.isFolded ? '>' : '|';
  const ends = text.length - body.length;
  const kept = Array.from({ length: Math.max(0, ends - 1) }, () => '');
  return { header: `${style}${indicator}${chompingFor(ends)}`, lines: [...lines, ...kept] };
}

/** Line breaks at the end of the text: none, one, or several. */
function chompingFor(ends: number): '-' | '' | '+' {
  if (ends === 0) return '-';
  return ends === 1 ? '' : '+';
}

/** Several line breaks at the end would take in the blank lines that separate it from what follows. */
function canBeBlock(text: string, former: FormerBlock | undefined): boolean {
  if (text.trim() === '' || (!former && !/[^\n]\n?$/u.test(text))) return false;
  if (!former && !text.includes('\n')) return false;
  return !/[^\P{Cc}\t\n]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u.test(text);
}

/** A paragraph that was there keeps its lines; the others are as wide as those were. */
function foldedLines(body: string, former: readonly string[]): readonly string[] {
  const known = new Map(paragraphsOf(former).map((lines) => [lines.join(' '), lines]));
  const width = Math.max(40, ...former.map(({ length }) => length));
  const lines: string[] = [];
  let previous: string | undefined;
  for (const line of body.split('\n')) {
    if (line !== '') {
      if (previous !== undefined && !isSpaced(previous) && !isSpaced(line)) lines.push('');
      previous = line;
    }
    lines.push(...(known.get(line) ?? wrap(line, width)));
  }
  return lines;
}

/** Lines that begin with a space are not folded, nor are the line breaks around them. */
function isSpaced(line: string): boolean {
  return /^[ \t]/u.test(line);
}

function paragraphsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line === '' || isSpaced(line)) paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

/** Lines broken at single spaces, which folding gives back. */
function wrap(line: string, width: number): readonly string[] {
  if (isSpaced(line)) return [line];
  const lines: string[] = [''];
  for (const word of line.split(/(?<=\S) (?=\S)/u)) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
