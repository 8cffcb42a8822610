import { parse } from 'yaml';
import type { JsonPrimitive } from '../../../src/core/json.ts';
import type { Random } from './random.ts';

/** The habits of one file, and how often it does what. */
export type Style = {
  readonly step: number;
  readonly offset: number;
  readonly gap: number;
  readonly padding: string;
  readonly quotes: 'single' | 'double';
  /** Of text that needs no quotes. */
  readonly quoted: number;
  readonly flow: number;
  readonly comments: number;
  readonly blanks: number;
  /** Explicit keys, aliases, merges and the like. */
  readonly oddities: number;
};

export function randomStyle(random: Random): Style {
  const step = random.pick([2, 2, 2, 4]);
  return {
    step,
    offset: random.pick([0, 2, step]),
    gap: random.pick([1, 1, 1, 1, 3]),
    padding: random.pick(['', ' ']),
    quotes: random.pick(['single', 'double']),
    quoted: random.pick([0, 0, 0.1, 1]),
    flow: random.pick([0, 0.1, 0.3]),
    comments: random.pick([0, 0.1, 0.3]),
    blanks: random.pick([0, 0, 0.2, 1]),
    oddities: random.pick([0, 0, 0, 0.05]),
  };
}

type Hand = { readonly random: Random; readonly style: Style };

/** A scalar on one line. */
export function scalarText(hand: Hand, value: JsonPrimitive, isFlow: boolean): string {
  const { random, style } = hand;
  if (value === null) return random.pick(['null', '~']);
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value);
  if (!random.chance(style.quoted) && isPlain(value, isFlow)) return value;
  const isSingle = style.quotes === 'single' && !/[\p{Cc}\u2028\ufeff]/u.test(value);
  return isSingle ? `'${value.replaceAll("'", "''")}'` : doubleQuoted(value);
}

function numberText(value: number): string {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge ? value.toExponential() : String(value);
}

function doubleQuoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\ufeff', String.raw`\ufeff`);
}

/** As YAML 1.2 reads it: many files have plain dates, and some a plain `no`. */
function isPlain(text: string, isFlow: boolean): boolean {
  const isLikely = /^[\p{L}\d<=./][^\p{Cc}\u2028\ufeff\u00a0]*$/u.test(text);
  if (!isLikely || /^<<$|: |:$|^\.\.\.|[ ]$/u.test(text)) return false;
  try {
    return parse(isFlow ? `[${text}]` : `- ${text}`)[0] === text;
  } catch {
    return false;
  }
}

/** Text on several lines, the lines below not indented: a block scalar if it can be one. */
export function textLines(hand: Hand, text: string, end: string): readonly string[] {
  const { random } = hand;
  const body = text.replace(/\n+$/u, '');
  if (body.trim() === '' || /^\s|[\p{Cc}--[\t\n]]|[\u2028\ufeff]/v.test(body)) {
    return [doubleQuoted(text) + end];
  }
  const canBreak = !text.includes('\n') && /^[A-Za-z][A-Za-z. ]* [A-Za-z. ]*[A-Za-z.]$/u.test(text);
  if (canBreak && random.chance(0.5)) return brokenText(hand, text, end);
  const ends = text.length - body.length;
  const chomping = ends === 0 ? '-' : ends === 1 ? '' : '+';
  const isFolded = random.chance(0.3) && !/^\s/mu.test(body) && !/\n\n/u.test(body);
  const lines = isFolded
    ? body
        .split('\n')
        .flatMap((line) => ['', line])
        .slice(1)
    : body.split('\n');
  return [
    `${isFolded ? '>' : '|'}${chomping}${end}`,
    ...lines,
    ...random.list(Math.max(0, ends - 1), () => ''),
  ];
}

/** A plain or quoted text that goes on over a second line. */
function brokenText({ random }: Hand, text: string, end: string): readonly string[] {
  const space = text.indexOf(' ');
  const quote = random.pick(['', "'", '"']);
  return [`${quote}${text.slice(0, space)}`, `${text.slice(space + 1)}${quote}${end}`];
}
