/**
 * Text from files and servers is untrusted: an escape sequence could rewrite what a reviewer reads,
 * a bidirectional control could reorder it.
 */

const unprintable = lazyPattern(String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`, 'gu');
const shapeless = lazyPattern(String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]`, 'gu');

/** Compiled at first use: one with classes of Unicode takes a millisecond. */
export function lazyPattern(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= new RegExp(source, flags));
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
export function prefixesOf(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/u.test(text);
}

export function sanitizeLine(text: string): string {
  if (isPlain(text)) return text;
  return text.replaceAll(unprintable(), (character) => {
    if (character === '\n') return String.raw`\n`;
    if (character === '\t') return String.raw`\t`;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16).toUpperCase();
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });
}

const longestQuote = 60;

export function quote(text: string): string {
  return `"${printable(text, longestQuote)}"`;
}

export function printable(text: string, longest = 160): string {
  const cut = clip(text, longest);
  if (isPlain(cut)) return cut;
  return cut.replaceAll(shapeless(), (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);
}

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The cut may fall inside of a surrogate pair. */
export function clip(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

/** `a, b and 3 more`. */
export function listFirst(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export function count(amount: number, singular: string, plural: string): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}

/** The word that is one slip away, or two where it is long; else one that contains this. */
export function suggest(word: string, words: readonly string[]): string | undefined {
  const text = word.toLowerCase();
  for (const slips of [0, 1, 2]) {
    const near = words.find(
      (known) =>
        (slips < 2 || known.length >= longWord) && differByAtMost(text, known.toLowerCase(), slips),
    );
    if (near !== undefined) return near;
  }
  if (word.length < shortestPart) return undefined;
  return words.find((known) => known.toLowerCase().includes(text));
}

// Letters: in a shorter word, two slips make another word.
const longWord = 8;
const shortestPart = 4;

export function didYouMean(word: string, words: readonly string[]): string | undefined {
  const suggestion = suggest(word, words);
  return suggestion === undefined ? undefined : `Did you mean "${suggestion}"?`;
}

// Characters beyond these may be written in more than one way.
const composable = /[^\0-\u02FF]/u;

/** Joins the two ways to write `é`: macOS names files with the other one. */
export function composed(text: string): string {
  return composable.test(text) ? text.normalize('NFC') : text;
}

/** Whether two words are so many slips apart: letters too few, too many, wrong, or swapped. */
export function differByAtMost(a: string, b: string, slips: number): boolean {
  if (Math.abs(a.length - b.length) > slips) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (at === a.length && at === b.length) return true;
  if (slips === 0) return false;
  const restA = a.slice(at);
  const restB = b.slice(at);
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0];
  return (
    differByAtMost(restA.slice(1), restB.slice(1), slips - 1) ||
    differByAtMost(restA.slice(1), restB, slips - 1) ||
    differByAtMost(restA, restB.slice(1), slips - 1) ||
    (isSwapped && differByAtMost(restA.slice(2), restB.slice(2), slips - 1))
  );
}

export type Wildcard<Part, Item> = {
  readonly symbol: Part;
  readonly matchesItem: (part: Part, item: Item) => boolean;
};

/**
 * Only the last wildcard ever takes more items, as all before it matched as early as it could. So
 * the time is at most the product of both lengths.
 */
export function matchesSequence<Part, Item>(
  pattern: ArrayLike<Part>,
  items: ArrayLike<Item>,
  { symbol, matchesItem }: Wildcard<Part, Item>,
): boolean {
  let at = 0;
  let lastWildcard = -1;
  let takenByWildcard = 0;
  let index = 0;
  for (let item = items[0]; item !== undefined; item = items[index]) {
    const wanted = pattern[at];
    if (wanted === symbol) {
      lastWildcard = at;
      takenByWildcard = index;
      at += 1;
    } else if (wanted !== undefined && matchesItem(wanted, item)) {
      at += 1;
      index += 1;
    } else if (lastWildcard === -1) {
      return false;
    } else {
      takenByWildcard += 1;
      index = takenByWildcard;
      at = lastWildcard + 1;
    }
  }
  while (pattern[at] === symbol) at += 1;
  return at === pattern.length;
}

const longestPattern = 1000;

const mostWildcards = 32;

export function complainAboutPattern(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  // The shell's pattern lists: as plain text, one in `protected` would protect nothing.
  const [list] = /[?*+@!]\(/u.exec(pattern) ?? [];
  if (list !== undefined) return `uses "${list}…)", which has no meaning here`;
  const wildcards = pattern.match(/\*+|[?[]/gu) ?? [];
  return wildcards.length > mostWildcards ? `has more than ${mostWildcards} wildcards` : undefined;
}
