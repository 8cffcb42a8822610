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
