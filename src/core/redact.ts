import { isObject, type JsonValue, keepNumber } from './json.ts';

export type Redactor = {
  readonly hide: (secret: string) => void;
  readonly redact: (text: string) => string;
};

// Characters: a shorter secret may be an ordinary word.
const shortest = 8;

export function createRedactor(onSecret?: (secret: string) => void): Redactor {
  const forms = new Map<string, RegExp>();
  let longestFirst: readonly RegExp[] = [];
  return {
    hide: (secret) => {
      const known = forms.size;
      for (const form of formsOf(secret)) {
        if (!forms.has(form)) forms.set(form, new RegExp(writtenAnyhow(form), 'gu'));
      }
      if (forms.size === known) return;
      // A token has to go before a part of it does.
      longestFirst = [...forms]
        .toSorted(([a], [b]) => b.length - a.length)
        .map(([, pattern]) => pattern);
      onSecret?.(secret);
    },
    redact: (text) => longestFirst.reduce((rest, pattern) => rest.replace(pattern, '***'), text),
  };
}

/** For texts before they are escaped or broken, which would hide secrets from `redact`. */
export function redactTexts<Value>(value: Value, { redact }: Pick<Redactor, 'redact'>): Value {
  const text = JSON.stringify(value);
  // A secret is found as JSON escapes it too, and few texts hold one.
  if (redact(text) === text) return value;
  const clean: Value = JSON.parse(
    text,
    (key: string, part: JsonValue, context?: { source?: string }) => {
      if (typeof part === 'string') return redact(part);
      if (!isObject(part)) return keepNumber(key, part, context);
      const keys = Object.keys(part);
      if (keys.every((each) => redact(each) === each)) return part;
      return Object.fromEntries(keys.map((each) => [redact(each), part[each] ?? null]));
    },
  );
  return clean;
}

function formsOf(secret: string): string[] {
  const lines = secret.split('\n').map((line) => line.trim());
  const parts = secret.trim().split('.');
  const signature = parts.length === 3 ? parts.slice(2) : [];
  return [secret.trim(), ...lines, ...signature].flatMap((text) => {
    const isArmour = text.startsWith('-----') && !text.includes('\n');
    const isShown = text.length < shortest || isArmour;
    return isShown ? [] : [text, ...encodings(text)].flatMap(pieces);
  });
}

// Code units of a pattern.
const longest = 2000;

function pieces(text: string): string[] {
  const amount = Math.ceil(text.length / longest);
  const size = Math.ceil(text.length / amount);
  return Array.from({ length: amount }, (_, index) => text.slice(index * size, (index + 1) * size));
}

function encodings(text: string): string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const base64 = ['base64', 'base64url'] as const;
  return [...base64.flatMap((encoding) => inBase64(bytes, encoding)), hex, hex.toUpperCase()];
}

// In base64 whatever precedes it: clients send `id:secret`.
function inBase64(bytes: Buffer, encoding: 'base64' | 'base64url'): string[] {
  const bits = 6;
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding);
    const start = Math.ceil((before * 8) / bits);
    return text.slice(start, Math.floor(((before + bytes.length) * 8) / bits));
  });
}

function writtenAnyhow(text: string): string {
  const [first = '', ...others] = Array.from(text, characterPattern);
  // Without the lookbehind, each backslash of a long run would be tried as the start of an escape.
  return [first.replaceAll(String.raw`|\\+`, String.raw`|(?<!\\)\\+`), ...others].join('');
}

// Letters and digits are never escaped, so patterns stay short and fast.
function characterPattern(character: string): string {
  if (/[\dA-Za-z]/u.test(character)) return character;
  return `(?:${[literalPattern(character), ...escapesOf(character)].join('|')})`;
}

// In URLs, forms, JSON and its like, HTML; an escape may be escaped again.
function escapesOf(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(character)].map((byte) => hexPattern(byte, 2));
  const units = character.split('').map((unit) => hexPattern(unit.charCodeAt(0), 4));
  const short = shortEscapes[character] ?? literalPattern(character);
  const name = entityNames[character];
  return [
    ...(character === ' ' ? [String.raw`\+`] : []),
    bytes.map((byte) => `%(?:25)*${byte}`).join(''),
    String.raw`\\+${short}`,
    units.map((unit) => String.raw`\\+u${unit}`).join(''),
    String.raw`&(?:amp;)*#(?:0*${code}|[xX]0*${hexPattern(code, 1)});`,
    ...(name === undefined ? [] : [`&(?:amp;)*${name};`]),
  ];
}

function literalPattern(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function hexPattern(code: number, digits: number): string {
  const hex = code.toString(16).padStart(digits, '0');
  return hex.replaceAll(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

const entityNames: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '+': 'plus',
  '/': 'sol',
  '<': 'lt',
  '=': 'equals',
  '>': 'gt',
};
