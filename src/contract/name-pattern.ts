import { matchesSequence, type Wildcard } from '../core/wildcard.ts';

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

/**
 * Which of many items have a pattern that matches one of the dotted names, in their own order. What
 * has no wildcard is looked up: thousands of exceptions meet thousands of contracts.
 */
export function indexPatterns<Item extends { readonly pattern: NamePattern }>(
  items: readonly Item[],
): (names: readonly string[]) => Item[] {
  const entries = items.map((item, at) => ({ item, at, start: startOf(item.pattern) }));
  const [wild = [], literal = []] = [true, false].map((isWild) =>
    entries.filter(({ item: { pattern } }) => pattern.join('').includes('*') === isWild),
  );
  const byName = Map.groupBy(literal, ({ item: { pattern } }) => keyOf(pattern));
  return (names) => {
    if (items.length === 0) return [];
    const all = names.map(canonicalSegments);
    const matching = all.flatMap((segments) => {
      const text = segments.join('.');
      return wild.filter(
        ({ start, item }) => text.startsWith(start) && matchesSegments(item.pattern, segments),
      );
    });
    const found = new Set([...all.flatMap((each) => byName.get(keyOf(each)) ?? []), ...matching]);
    return [...found].toSorted((a, b) => a.at - b.at).map(({ item }) => item);
  };
}

/** What every name begins with that the pattern matches: `a` of `a.**`, which matches `a` too. */
function startOf(pattern: NamePattern): string {
  const [start = ''] = pattern.join('.').split('*', 1);
  return start.replace(/\.$/u, '');
}

function keyOf(segments: readonly string[]): string {
  return JSON.stringify(segments);
}

/** Whether a pattern, by its segments, matches a name or path, by its own. */
export function matchesSegments(pattern: NamePattern, segments: readonly string[]): boolean {
  return matchesSequence(pattern, segments, anySegments);
}

const anyCharacters: Wildcard<string, string> = {
  symbol: '*',
  matchesItem: (pattern, item) => pattern === item,
};

const anySegments: Wildcard<string, string> = {
  symbol: '**',
  matchesItem: (pattern, item) =>
    pattern.includes('*') ? matchesSequence(pattern, item, anyCharacters) : pattern === item,
};
