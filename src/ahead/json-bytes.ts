/**
 * Steps through the bytes of a JSON text (RFC 8259) without parsing it. All functions but
 * `skipBlanks` throw `NotJson` where the text is no JSON, or has to be parsed to be understood:
 * what they step over, a parser accepts.
 */

export class NotJson extends Error {}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
export const comma = 0x2c;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** Where the next byte is that is not blank (§2). */
export function skipBlanks(text: Uint8Array, start: number): number {
  return isBlank(text[start]) ? skipMoreBlanks(text, start) : start;
}

/** Apart: most JSON has no blanks, and so the check for the first is compiled into its callers. */
function skipMoreBlanks(text: Uint8Array, start: number): number {
  let at = start;
  while (isBlank(text[at])) at += 1;
  return at;
}

function isBlank(byte = 0x21): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/** Steps over an element: told where it starts, returns where it ends. */
type StepElement = (start: number) => number;

/** Steps over the value of a member, whose name stands in its quotes from `name` to `nameEnd`. */
type StepMember = (name: number, nameEnd: number, value: number) => number;

/** Where an object ends (§4), each of its values stepped over by `step`. */
export function stepMembers(text: Uint8Array, start: number, step: StepMember): number {
  return stepItems(text, after(text, start, openBrace), closeBrace, (name) => {
    const nameEnd = skipPlainName(text, name);
    return step(name, nameEnd, skipColon(text, nameEnd));
  });
}

/** Where an array ends (§5), each of its elements stepped over by `step`. */
export function stepElements(text: Uint8Array, start: number, step: StepElement): number {
  return stepItems(text, after(text, start, openBracket), closeBracket, step);
}

function stepItems(text: Uint8Array, start: number, close: number, step: StepElement): number {
  let at = skipBlanks(text, start);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skipBlanks(text, step(at));
    if (text[at] === close) return at + 1;
    at = skipBlanks(text, after(text, at, comma));
  }
}

function after(text: Uint8Array, at: number, expected: number): number {
  if (text[at] !== expected) throw new NotJson();
  return at + 1;
}

function skipColon(text: Uint8Array, start: number): number {
  return skipBlanks(text, after(text, skipBlanks(text, start), colon));
}

/** A name with escapes may be any name. */
function skipPlainName(text: Uint8Array, start: number): number {
  const end = skipString(text, start);
  for (let at = start; at < end; at += 1) if (text[at] === backslash) throw new NotJson();
  return end;
}

/** Where a value ends (§3). One loop with a stack takes two thirds of the time of nested calls. */
export function skipValue(text: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  for (;;) {
    const close = closeOf(text[at]);
    if (close === 0) {
      at = skipScalar(text, at);
    } else {
      if (depth === deepest) throw new NotJson();
      depth += 1;
      closes[depth] = close;
      at = skipBlanks(text, at + 1);
      if (text[at] !== close) {
        at = close === closeBrace ? skipName(text, at) : at;
        continue;
      }
    }
    while (depth > 0) {
      at = skipBlanks(text, at);
      if (text[at] !== closes[depth]) break;
      depth -= 1;
      at += 1;
    }
    if (depth === 0) return at;
    at = skipBlanks(text, after(text, at, comma));
    if (closes[depth] === closeBrace) at = skipName(text, at);
  }
}

/** How many objects and arrays may be open. */
const deepest = 100;

/** The ends of those that are open, from 1: it serves call after call. */
const closes = new Uint8Array(deepest + 1);

/** What ends an object or an array, and 0 for any other value. */
function closeOf(byte: number | undefined): number {
  if (byte === openBrace) return closeBrace;
  return byte === openBracket ? closeBracket : 0;
}

/** A name and its colon. */
function skipName(text: Uint8Array, start: number): number {
  return skipColon(text, skipString(text, start));
}

function skipScalar(text: Uint8Array, start: number): number {
  return text[start] === quote ? skipString(text, start) : skipWord(text, start);
}

/** §7. */
function skipString(text: Uint8Array, start: number): number {
  let at = after(text, start, quote);
  for (;;) {
    at = skipPlain(text, at);
    if (text[at] === quote) return at + 1;
    at = skipEscape(text, after(text, at, backslash));
  }
}

/** Most of a page is passed here: eight bytes at a time, which takes less than two thirds of the time. */
function skipPlain(text: Uint8Array, start: number): number {
  const words = wordsOf(text);
  const last = text.length - 8;
  let at = start;
  for (;;) {
    while (at <= last && areLetters(words.getInt32(at)) && areLetters(words.getInt32(at + 4)))
      at += 8;
    const next = at + 8;
    while (at < next && isPlain(text, at)) at += 1;
    if (at < next) return at;
  }
}

/** To make a view for each string would take longer than to step over it. */
function wordsOf(text: Uint8Array): DataView {
  if (viewed !== text) {
    viewed = text;
    view = new DataView(text.buffer, text.byteOffset, text.length);
  }
  return view;
}

let viewed: Uint8Array | undefined;
let view: DataView = new DataView(new ArrayBuffer(0));

/**
 * Whether four bytes are ASCII that stands for itself in a string: with what is looked for taken away,
 * by `^` or `-`, no byte is 0 or below, which would borrow from its highest bit.
 */
function areLetters(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const borrowed = (quotes - 0x01010101) | (backslashes - 0x01010101) | (word - 0x20202020) | word;
  return (borrowed & 0x80808080) === 0;
}

/** Not behind the end, where there is nothing. */
function isPlain(text: Uint8Array, at: number): boolean {
  return plain[text[at] ?? 0] === 1;
}

/** By byte, whether it stands for itself in a string: 1 or 0. */
const plain = new Uint8Array(256).fill(1, 0x20);
plain[quote] = 0;
plain[backslash] = 0;

/** What stands behind a backslash. */
function skipEscape(text: Uint8Array, start: number): number {
  return simpleEscapes[text[start] ?? 0] === 1 ? start + 1 : skipCodeUnit(text, start);
}

function skipCodeUnit(text: Uint8Array, start: number): number {
  const digits = after(text, start, letterU);
  for (let at = digits; at < digits + 4; at += 1) {
    if (hexDigits[text[at] ?? 0] !== 1) throw new NotJson();
  }
  return digits + 4;
}

const letterU = 0x75;
const simpleEscapes = bytesOf('"\\/bfnrt');
const hexDigits = bytesOf('0123456789abcdefABCDEF');

/** By byte, whether it is one of these characters: 1 or 0. */
function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) bytes[byte] = 1;
  return bytes;
}

/** §3: one of three names, or a number. */
function skipWord(text: Uint8Array, start: number): number {
  const name = names.find(([first]) => first === text[start]);
  if (!name) return skipNumber(text, start);
  return name.reduce((at, byte) => after(text, at, byte), start);
}

const names = ['true', 'false', 'null'].map((name) => [...Buffer.from(name)]);

const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;

/** §6. */
function skipNumber(text: Uint8Array, start: number): number {
  const integer = text[start] === minus ? start + 1 : start;
  let at = text[integer] === zero ? integer + 1 : skipDigits(text, integer);
  if (text[at] === point) at = skipDigits(text, at + 1);
  if (text[at] !== 0x65 && text[at] !== 0x45) return at;
  const sign = text[at + 1];
  return skipDigits(text, sign === plus || sign === minus ? at + 2 : at + 1);
}

function skipDigits(text: Uint8Array, start: number): number {
  let at = start;
  for (let byte = text[at] ?? 0; byte >= zero && byte <= nine; byte = text[at] ?? 0) at += 1;
  if (at === start) throw new NotJson();
  return at;
}
