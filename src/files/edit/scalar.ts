import type { JsonPrimitive } from '../../core/json.ts';

export type Quotes = 'single' | 'double';

/** `date` is plain for a date, which YAML 1.1 and 1.2 read differently, and for what `plain` is. */
export type WishedStyle = Quotes | 'plain' | 'date';

/** How a scalar is to be written. */
export type Wish = {
  /** How the text is to be written if it can be. */
  readonly style: WishedStyle;
  /** For what can be written neither plain nor as wished. */
  readonly habits: { readonly quotes: Quotes };
  /** Brackets, braces and commas mean something here. */
  readonly isFlow: boolean;
};

/** A scalar on one line; text of several lines comes out in double quotes. */
export function writeScalar(value: JsonPrimitive, wish: Wish): string {
  if (typeof value === 'string') return writeText(value, wish);
  return typeof value === 'number' ? writeNumber(value) : String(value);
}

/** Integers past 2^53 and exponents are floats to YAML 1.1 and 1.2 alike with a point and a sign. */
function writeNumber(value: number): string {
  const text = JSON.stringify(value);
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (!isLarge && !text.includes('e')) return text;
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${exponent}`;
}

function writeText(text: string, { style, habits, isFlow }: Wish): string {
  const isQuoted = style === 'single' || style === 'double';
  if (style === 'date' && isDate(text)) return text;
  if (!isQuoted && isPlainText(text, isFlow)) return text;
  const wanted = isQuoted ? style : habits.quotes;
  if (wanted === 'single' && isPrintable(text)) return `'${text.replaceAll("'", "''")}'`;
  return doubleQuoted(text);
}

/** Whether text on one line can be written without escapes. */
function isPrintable(text: string): boolean {
  return !mustEscape.test(text);
}

/** Control characters, line breaks of YAML 1.1, a byte order mark, halves of surrogate pairs. */
const mustEscape = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;

function doubleQuoted(text: string): string {
  return escapeLikeYaml(JSON.stringify(text));
}

/** What stands in double quotes with the escapes of JSON, with those that YAML asks for besides. */
export function escapeLikeYaml(quoted: string): string {
  return quoted.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether a text of several lines holds what can only be written as an escape. */
export function needsEscape(text: string): boolean {
  return /[^\P{Cc}\t\n]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u.test(text);
}

/** Whether YAML 1.1 and 1.2 both read it as this very text. */
export function isPlainText(text: string, isFlow = false): boolean {
  return (
    isPrintable(text) &&
    !/^[\s,[\]{}#&*!|>'"%@`?:]|^-(?:\s|$)|^(?:---|\.\.\.)(?:\s|$)|[\s:]$|:\s|\s#/u.test(text) &&
    !(isFlow && /[,[\]{}]|^-/u.test(text)) &&
    !otherThanText.test(text)
  );
}

/** A date, or a point in time. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]| +)\d\d?:\d\d:\d\d[\d.]*(?: ?(?:Z|[+-][\d:]+))?)?$/u.test(
    text,
  );
}

/** What YAML 1.1 or 1.2 reads as null, a boolean, a number, a date, a merge key or a default. */
const otherThanText = new RegExp(
  [
    '|~|null|y|yes|n|no|true|false|on|off|<<|=',
    String.raw`[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?0x[\da-f_]+`,
    String.raw`[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?`,
    String.raw`[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]+)(?:e[-+]?\d+)?`,
    String.raw`[-+]?\.inf|\.nan`,
    String.raw`\d{4}-\d\d?-\d\d?(?:(?:t|\s+).*)?`,
  ]
    .map((form) => `^(?:${form})$`)
    .join('|'),
  'iu',
);

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
  const body = text.replace(/(?<!\n)\n+$/u, '');
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
  if (!text.includes('\n') && !staysBlock(former)) return false;
  return !needsEscape(text);
}

/** One line needs no block: what was folded, or a block of one line, was written so on purpose. */
function staysBlock(former: FormerBlock | undefined): boolean {
  return former !== undefined && (former.isFolded || former.lines.length === 1);
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
