/** What stands for any number of items, and when any other part of a pattern matches one. */
export type Wildcard<Part, Item> = {
  readonly symbol: Part;
  readonly matchesItem: (part: Part, item: Item) => boolean;
};

/**
 * Whether a pattern matches a sequence whole. Only the last wildcard seen is ever given more items:
 * what stands before it matched as early as it could. So no pattern takes longer than its length
 * times the sequence's.
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

/** In one pattern: nobody needs more. */
const mostWildcards = 32;

/** What is wrong with a pattern that somebody wrote, to go on after it; undefined where nothing is. */
export function complainAboutPattern(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  // The shell's pattern lists: taken for plain text, one in `protected` would protect nothing.
  const [list] = /[?*+@!]\(/u.exec(pattern) ?? [];
  if (list !== undefined) return `uses "${list}…)", which has no meaning here`;
  const wildcards = pattern.match(/\*+|[?[]/gu) ?? [];
  return wildcards.length > mostWildcards ? `has more than ${mostWildcards} wildcards` : undefined;
}
