/**
 * Patterns that match nothing. A rule that means nobody is a slip: what it should protect is not
 * protected. It can be told only once all live contracts and files have been seen.
 */

import { canonicalSegments } from '../contract/canonical-name.ts';
import type { DesiredContract, Identity, LiveContract } from '../contract/contract.ts';
import { qualifiedNames } from '../contract/identity.ts';
import { indexPatterns, matchesSegments } from '../contract/name-pattern.ts';
import { nearestPattern, type Segments } from '../contract/nearest-pattern.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { didYouMean } from '../core/text.ts';
import { drawOutline } from '../patch/pattern.ts';
import type { WrittenName, WrittenPath, WrittenPattern } from './rules.ts';
import { correctIt, unusedPattern, unusedWithin } from './unused-within.ts';

/** Looks on while a plan is made. */
export type PatternWatch = {
  /** Each live contract, with the file that means it if there is one. */
  readonly see: (live: LiveContract, desired: DesiredContract | undefined) => void;
  /** The patterns that have matched nothing; to be asked for at the end. */
  readonly diagnostics: () => Diagnostic[];
};

export function watchPatterns(
  patterns: readonly WrittenPattern[],
  desired: readonly DesiredContract[],
): PatternWatch {
  const names = watchNames(patterns.filter((written) => written.kind === 'name'));
  for (const { identity } of desired) names.see(identity);
  const paths = patterns.filter((written) => written.kind === 'path');
  const within = patterns.filter(({ kind }) => kind === 'pointer' || kind === 'key');
  const drawer = drawOutline();
  return {
    see: (live, file) => {
      names.see(live);
      if (within.length === 0 || !file) return;
      drawer.add(live.document);
      drawer.add(file.managed);
    },
    diagnostics: () => [
      ...names.diagnostics(),
      ...paths.flatMap((written) => unusedPath(written, desired)),
      ...unusedWithin(within, drawer.outline()),
    ],
  };
}

function watchNames(patterns: readonly WrittenName[]) {
  const unused = new Set(patterns);
  const matching = indexPatterns(patterns);
  const seen = new Set<string>();
  return {
    see: (identity: Identity): void => {
      if (unused.size === 0) return;
      const names = qualifiedNames(identity);
      for (const name of names) seen.add(name);
      for (const written of matching(names)) unused.delete(written);
      // They are kept for a hint alone.
      if (unused.size === 0) seen.clear();
    },
    diagnostics: (): Diagnostic[] => {
      if (unused.size === 0) return [];
      const names = [...seen].map(canonicalSegments);
      const hinted = Math.max(1, mostComparisons / names.length);
      return [...unused].map((written, index) => unusedName(written, index < hinted ? names : []));
    },
  };
}

/** Of a pattern with a name, for a hint: some microseconds each. */
const mostComparisons = 50_000;

function unusedName(written: WrittenName, names: readonly Segments[]): Diagnostic {
  const near = nearestPattern(written.pattern, names);
  const hint = near === undefined ? aboutNames : `Did you mean "${near}"?`;
  return unusedPattern(written, 'matches no contract', hint);
}

const aboutNames = `${correctIt} A pattern matches qualified names: \`*\` any text within a segment, \`**\` any number of segments.`;

function unusedPath(written: WrittenPath, desired: readonly DesiredContract[]): Diagnostic[] {
  const files = [...new Set(desired.map(({ source }) => source.file))];
  if (files.some((file) => matchesSegments(written.pattern, file.split('/')))) return [];
  const hint = didYouMean(written.text, files) ?? correctIt;
  return [unusedPattern(written, 'matches no file', hint)];
}
