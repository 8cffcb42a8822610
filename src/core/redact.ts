import type { JsonValue } from './json.ts';

/** What keeps the secrets of a run out of everything that it tells. */
export type Redactor = {
  /** From now on this secret is shown nowhere. */
  readonly hide: (secret: string) => void;
  /** The text with `***` for every secret that is known by now. */
  readonly redact: (text: string) => string;
};

/** Shorter texts are no secrets: they are words, and blotting them out would hide nothing. */
const shortest = 8;

/** `onSecret` is told each secret as well: GitHub's runner wants to know what to mask. */
export function createRedactor(onSecret?: (secret: string) => void): Redactor {
  const forms = new Set<string>();
  let longestFirst: readonly string[] = [];
  return {
    hide: (secret) => {
      const known = forms.size;
      for (const form of formsOf(secret)) forms.add(form);
      if (forms.size === known) return;
      // A token has to go before a part of it does.
      longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
      onSecret?.(secret);
    },
    redact: (text) =>
      longestFirst.reduce(
        (rest, form) => (rest.includes(form) ? rest.replaceAll(form, '***') : rest),
        text,
      ),
  };
}

/** The same value, its texts without secrets: to be escaped, which would hide what they are. */
export function redactTexts<Value>(value: Value, { redact }: Pick<Redactor, 'redact'>): Value {
  const clean: Value = JSON.parse(JSON.stringify(value), (_, part: JsonValue) =>
    typeof part === 'string' ? redact(part) : part,
  );
  return clean;
}

/** Every text that would give the secret away: a server quotes what it was sent, as it was sent. */
function formsOf(secret: string): string[] {
  const lines = secret.split('\n').map((line) => line.trim());
  return [secret.trim(), ...lines, ...signatureOf(secret)].flatMap((text) =>
    text.length < shortest || isArmour(text) ? [] : [text, ...encodings(text)],
  );
}

function encodings(text: string): string[] {
  return [
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    new URLSearchParams([['', text]]).toString().slice(1),
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
  ];
}

/** The part of a JWT that makes it good; header and claims alone open no door. */
function signatureOf(secret: string): string[] {
  const parts = secret.trim().split('.');
  return parts.length === 3 ? parts.slice(2) : [];
}

/** `-----BEGIN PRIVATE KEY-----` is no secret. */
function isArmour(line: string): boolean {
  return line.startsWith('-----') && !line.includes('\n');
}
