import type { JsonPrimitive } from '../../core/json.ts';

export type Quotes = 'single' | 'double';

export type Wish = {
  /** How the text is to be written if it can be. */
  readonly style: Quotes | 'plain';
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
  if (style === 'plain' && isPlainText(text, isFlow)) return text;
  const wanted = style === 'plain' ? habits.quotes : style;
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
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
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

/** What YAML 1.1 or 1.2 reads as null, a boolean, a number, a date, a merge key or a default. */
const otherThanText = new RegExp(
  [
    '|~|null|y|yes|n|no|true|false|on|off|<<|=',
    String.raw`[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?0x[\da-f_]+`,
    String.raw`[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?`,
    String.raw`[-+]?(?:\d[\d_]*\.?[\d_]*|\.[\d_]+)(?:e[-+]?\d+)?`,
    String.raw`[-+]?\.inf|\.nan`,
    String.raw`\d{4}-\d\d?-\d\d?(?:(?:t|\s+).*)?`,
  ]
    .map((form) => `^(?:${form})$`)
    .join('|'),
  'iu',
);
