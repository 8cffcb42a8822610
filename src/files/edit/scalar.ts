import type { JsonPrimitive } from '../../core/json.ts';

export type Quotes = 'single' | 'double';

/** `date` is `plain`, also for a date, which YAML 1.1 and 1.2 read differently. */
export type WishedStyle = Quotes | 'plain' | 'date';

type Wish = {
  readonly style: WishedStyle;
  /** `either`: single ones where double ones need escapes and single ones do not. */
  readonly habits: { readonly quotes: Quotes | 'either' };
  readonly isFlow: boolean;
};

export function writeScalar(value: JsonPrimitive, wish: Wish): string {
  if (typeof value === 'string') return writeText(value, wish);
  if (typeof value !== 'number') return String(value);
  // With a point and a sign, YAML 1.1 and 1.2 both read an exponent, or an integer past 2^53, as a
  // float.
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
  const isSingle = habits.quotes === 'either' && /["\\]/u.test(text) && !text.includes("'");
  const wanted = isQuoted ? style : isSingle ? 'single' : habits.quotes;
  if (wanted === 'single' && !mustEscape.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return escapeLikeYaml(JSON.stringify(text));
}

// Control characters, line breaks of YAML 1.1, byte order marks and lone surrogates.
const mustEscape = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;

/** Adds the escapes that YAML requires to those of JSON. */
export function escapeLikeYaml(quoted: string): string {
  return quoted.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function needsEscape(text: string): boolean {
  return /[^\P{Cc}\t\n]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u.test(text);
}

/** Whether YAML 1.1 and 1.2 both read it as this text. */
export function isPlainText(text: string, isFlow = false): boolean {
  return (
    !mustEscape.test(text) &&
    !/^[\s,[\]{}#&*!|>'"%@`?:]|^-(?:\s|$)|^(?:---|\.\.\.)(?:\s|$)|[\s:]$|:\s|\s#/u.test(text) &&
    !(isFlow && /[,[\]{}?]|^-/u.test(text)) &&
    !otherThanText.test(text)
  );
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]| +)\d\d?:\d\d:\d\d[\d.]*(?: ?(?:Z|[+-][\d:]+))?)?$/u.test(
    text,
  );
}

// YAML 1.1 or 1.2 reads these as null, a boolean, a number, a date, a merge key or a default.
const otherThanText = new RegExp(
  `^(?:${[
    '|~|null|y|yes|n|no|true|false|on|off|<<|=',
    String.raw`[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?0x[\da-f_]+`,
    String.raw`[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?`,
    String.raw`[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]*)?(?:e[-+]?\d+)?`,
    String.raw`[-+]?\.inf|\.nan`,
    String.raw`\d{4}-\d\d?-\d\d?(?:(?:t|\s+).*)?`,
  ].join('|')})$`,
  'iu',
);

export type FormerBlock = {
  readonly isFolded: boolean;
  /** Columns from the item to its lines. */
  readonly step: number;
  readonly lines: readonly string[];
};

/** Undefined where a block scalar can't hold the text. */
export function writeBlock(text: string, step: number, former?: FormerBlock) {
  if (!canBeBlock(text, former)) return undefined;
  const body = text.replace(/(?<!\n)\n+$/u, '');
  const lines = former?.isFolded ? foldedLines(body, former.lines) : body.split('\n');
  const indicator = /^\n*[ \t]/u.test(body) ? String(step) : '';
  const style = former?.isFolded ? '>' : '|';
  const ends = text.length - body.length;
  const chomping = ['-', ''][ends] ?? '+';
  const kept = Array.from({ length: Math.max(0, ends - 1) }, () => '');
  return { header: `${style}${indicator}${chomping}`, lines: [...lines, ...kept] };
}

// With `+`, the blank lines that separate it from the next item would become content.
function canBeBlock(text: string, former: FormerBlock | undefined): boolean {
  if (text.trim() === '' || (!former && !/[^\n]\n?$/u.test(text))) return false;
  // YAML readers differ on a last line of spaces.
  if (/\n[ \t]+\n*$/u.test(text)) return false;
  // A former folded block, or a block of one line, was a choice.
  const stays = former !== undefined && (former.isFolded || former.lines.length === 1);
  return (stays || text.includes('\n')) && !needsEscape(text);
}

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

// YAML 1.2 §8.1.3: lines that begin with white space are not folded.
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

export function wrap(line: string, width: number): readonly string[] {
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
