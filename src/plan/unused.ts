/** Patterns that match nothing, which are likely mistakes: a rule with one protects nothing. */

import { wording, state } from '../core/advice.ts';
import {
  canonicalSegments,
  indexPatterns,
  matchesSegments,
  nearestPattern,
} from '../contract/names.ts';
import type { DesiredContract, Identity } from '../contract/contract.ts';
import { qualifiedNames } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { didYouMean, quote } from '../core/text.ts';
import { drawOutline, elementMembers, isInOutline, nearestPointer } from '../patch/pattern.ts';
import { formatPointer } from '../patch/pointer.ts';
import { isFiled, type Pair } from './pair.ts';
import type { WrittenKey, WrittenName, WrittenPattern, WrittenPointer } from './rules.ts';

const correctIt = 'Correct it, or remove it.';

export function unusedPatterns(
  patterns: readonly WrittenPattern[],
  desired: readonly DesiredContract[],
  pairs: readonly Pair[],
): Diagnostic[] {
  const names = patterns.filter((written) => written.kind === 'name');
  const paths = patterns.filter((written) => written.kind === 'path');
  const within = patterns.filter((written) => written.kind === 'pointer' || written.kind === 'key');
  const files = [...new Set(desired.map(({ source }) => source.file))];
  const identities = [
    ...desired.map(({ identity }) => identity),
    ...pairs.flatMap(({ live }) => live ?? []),
  ];
  return [
    ...unusedNames(names, identities),
    ...paths.flatMap((written) => {
      if (files.some((file) => matchesSegments(written.pattern, file.split('/')))) return [];
      const hint = didYouMean(written.text, files) ?? correctIt;
      return [unusedPattern(written, 'matches no file', hint)];
    }),
    ...(within.length > 0 ? unusedWithin(within, pairs) : []),
  ];
}

function unusedNames(patterns: readonly WrittenName[], identities: readonly Identity[]) {
  const unused = new Set(patterns);
  const matching = indexPatterns(patterns);
  const seen = new Set<string>();
  for (const identity of identities) {
    if (unused.size === 0) return [];
    const names = qualifiedNames(identity);
    for (const name of names) seen.add(name);
    for (const written of matching(names)) unused.delete(written);
  }
  if (unused.size === 0) return [];
  const names = [...seen].map(canonicalSegments);
  const hinted = Math.max(1, mostComparisons / names.length);
  return [...unused].map((written, index) => {
    const near = nearestPattern(written.pattern, index < hinted ? names : []);
    const hint = near === undefined ? aboutNames : `Did you mean "${near}"?`;
    return unusedPattern(written, 'matches no contract', hint);
  });
}

// Bounds the time for a hint; each comparison takes some microseconds.
const mostComparisons = 50_000;

const aboutNames = `${correctIt} A pattern matches qualified names: \`*\` any text within a segment, \`**\` any number of segments.`;

function unusedWithin(patterns: readonly (WrittenPointer | WrittenKey)[], pairs: readonly Pair[]) {
  const outline = drawOutline(
    pairs.filter(isFiled).flatMap(({ live, desired }) => [live.document, desired.managed]),
  );
  if (!outline || outline.size === 0) return [];
  return patterns.flatMap((written) => {
    if (written.kind === 'key') return unusedKey(written, elementMembers(outline));
    if (isInOutline(written.pattern, outline)) return [];
    const near = nearestPointer(written.pattern, outline);
    const hint = near ? `Did you mean "${formatPointer(near)}"?` : aboutPointers;
    return [unusedPattern(written, 'matches nothing in any contract that has a file', hint)];
  });
}

const aboutPointers = `${correctIt} \`*\` matches one step, such as each element of an array; \`**\` any number of steps.`;

function unusedKey(written: WrittenKey, arrays: ReadonlyMap<string, ReadonlySet<string>>) {
  const known = arrays.get(written.text);
  if (!known) {
    const hint = didYouMean(written.text, [...arrays.keys()]) ?? correctIt;
    return [unusedPattern(written, 'is not an array in any contract that has a file', hint)];
  }
  const missing = written.members.filter((member) => !known.has(member));
  return missing.map((member) => {
    const complaint = `identifies elements by ${quote(member)}, which none of them has`;
    return unusedPattern(written, complaint, didYouMean(member, [...known]) ?? correctIt);
  });
}

function unusedPattern(
  { setting, text, source }: WrittenPattern,
  complaint: string,
  hint: string,
): Diagnostic {
  const subject =
    typeof setting === 'string'
      ? `${quote(text)} in \`${setting}\``
      : wording`${setting} ${quote(text)}`;
  const texts = state(wording`${subject} ${complaint}.`, hint);
  return { code: 'pattern-unused', severity: 'warning', ...texts, ...(source && { source }) };
}
