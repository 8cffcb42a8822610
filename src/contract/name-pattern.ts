/**
 * Globs on qualified names and on file paths: `*` stands for any text within a segment, `**` for
 * any number of segments, also none. Not `path.matchesGlob`: it would want the dots turned into
 * slashes, gives braces, brackets and a leading dot a meaning that names do not have, and parses
 * the pattern anew for each name.
 */

import { canonicalSegments } from './canonical-name.ts';

/** A pattern by its segments, in canonical form. */
export type NamePattern = readonly string[];

/** The pattern that a dotted text writes. */
export function parseNamePattern(text: string): NamePattern {
  return canonicalSegments(text);
}

/** Whether one of the patterns matches one of the dotted names. */
export function matchesName(patterns: readonly NamePattern[], names: readonly string[]): boolean {
  // Of each live contract, and mostly without a pattern: then its name is not taken apart.
  if (patterns.length === 0) return false;
  return names.some((name) => {
    const segments = canonicalSegments(name);
    return patterns.some((pattern) => matchesSegments(pattern, segments));
  });
}

/** Whether a pattern, by its segments, matches a name or path, by its own. */
export function matchesSegments(pattern: NamePattern, segments: readonly string[]): boolean {
  return matchesSequence(pattern, segments, anySegments);
}

/** What stands for any number of items, and when any other item of a pattern matches. */
type Wildcard = {
  readonly symbol: string;
  readonly matchesItem: (pattern: string, item: string) => boolean;
};

const anyCharacters: Wildcard = { symbol: '*', matchesItem: (pattern, item) => pattern === item };

const anySegments: Wildcard = {
  symbol: '**',
  matchesItem: (pattern, item) =>
    pattern.includes('*') ? matchesSequence(pattern, item, anyCharacters) : pattern === item,
};

/**
 * Only the last wildcard seen is ever given more items: what stands before it matched as early as
 * it could. So no pattern takes longer than its length times the name's.
 */
function matchesSequence(
  pattern: ArrayLike<string>,
  items: ArrayLike<string>,
  { symbol, matchesItem }: Wildcard,
): boolean {
  let at = 0;
  let lastWildcard = -1;
  let takenByWildcard = 0;
  let index = 0;
  while (index < items.length) {
    const wanted = pattern[at];
    if (wanted === symbol) {
      lastWildcard = at;
      takenByWildcard = index;
      at += 1;
    } else if (wanted !== undefined && matchesItem(wanted, items[index] ?? '')) {
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
