/**
 * Steps through the bytes of a JSON text (RFC 8259) without parsing it. All functions but
 * `skipBlanks` throw `Unsteppable` where the text is no JSON, or has to be parsed to be understood;
 * what they step over is looked at no more closely than that takes.
 */

export class Unsteppable extends Error {}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
export const comma = 0x2c;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** Where the next byte is that is not blank. */
export function skipBlanks(text: Uint8Array, start: number): number {
  let at = start;
  while (isBlank(text[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Steps over a value: told where it starts, returns where it ends. */
type StepValue = (start: number) => number;

/** Steps over the value of a member, whose name stands in its quotes from `name` to `nameEnd`. */
export type StepMember = (name: number, nameEnd: number, value: number) => number;

/** Where an object ends, each of its values stepped over by `step`. */
export function stepMembers(text: Uint8Array, start: number, step: StepMember): number {
  return stepItems(text, after(text, start, openBrace), closeBrace, (name) => {
    const nameEnd = skipName(text, name);
    const value = after(text, skipBlanks(text, nameEnd), colon);
    return step(name, nameEnd, skipBlanks(text, value));
  });
}

/** Where an array ends, each of its elements stepped over by `step`. */
export function stepElements(text: Uint8Array, start: number, step: StepValue): number {
  return stepItems(text, after(text, start, openBracket), closeBracket, step);
}

function stepItems(text: Uint8Array, start: number, close: number, step: StepValue): number {
  let at = skipBlanks(text, start);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skipBlanks(text, step(at));
    if (text[at] === close) return at + 1;
    at = skipBlanks(text, after(text, at, comma));
  }
}

function after(text: Uint8Array, at: number, expected: number): number {
  if (text[at] !== expected) throw new Unsteppable();
  return at + 1;
}

/** A name with escapes may be any name. */
function skipName(text: Uint8Array, start: number): number {
  let at = after(text, start, quote);
  while (at < text.length) {
    const byte = text[at];
    at += 1;
    if (byte === quote) return at;
    if (byte === backslash) break;
  }
  throw new Unsteppable();
}

/** Where a value ends. */
export function skipValue(text: Uint8Array, start: number): number {
  switch (text[start]) {
    case quote:
      return skipString(text, start + 1);
    case openBrace:
    case openBracket:
      return skipNested(text, start);
    default:
      return skipWord(text, start);
  }
}

/** From behind the quote. */
function skipString(text: Uint8Array, start: number): number {
  let at = start;
  while (at < text.length) {
    const byte = text[at];
    at += 1;
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  throw new Unsteppable();
}

function skipNested(text: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const byte = text[at];
    at += 1;
    if (byte === quote) at = skipString(text, at);
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    if (depth === 0) return at;
  }
  throw new Unsteppable();
}

/** A number, `true`, `false` or `null`. */
function skipWord(text: Uint8Array, start: number): number {
  let at = start;
  while (isOfWord(text[at])) at += 1;
  if (at === start) throw new Unsteppable();
  return at;
}

function isOfWord(byte = 0): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) || // a to z
    (byte >= 0x30 && byte <= 0x39) || // 0 to 9
    wordSigns.has(byte)
  );
}

const wordSigns = new Set(Buffer.from('+-.E'));
