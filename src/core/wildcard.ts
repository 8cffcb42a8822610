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
