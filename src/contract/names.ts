import { composed, lazyPattern, matchesSequence, suggest, type Wildcard } from '../core/text.ts';
import type { Identity } from './contract.ts';

/**
 * The form in which rules compare qualified names: another spelling of a name must not bypass a
 * rule, so case, composition, ligatures, invisible characters, quotes and blanks around a segment
 * do not count. Matching files with contracts stays exact.
 */

export function canonicalSegments(name: string): readonly string[] {
  // Nearly all names: of visible ASCII, none of it a quote.
  if (/^[!#-~]*$/u.test(name)) return name.toLowerCase().split('.');
  // Before it is split: a full stop and a quote have other forms as well.
  return splitSegments(name.normalize('NFKC')).map(canonicalSegment);
}

function canonicalSegment(segment: string): string {
  return (
    segment
      .replaceAll(invisible(), '')
      // Folds case through capitals: `ß` becomes `SS`, and a final `ς` a `σ`.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .normalize('NFKC')
      .trim()
  );
}

/** Without the quotes around segments that have dots. An unclosed quote is plain text. */
export function splitSegments(name: string): string[] {
  const segments = [''];
  for (const part of name.match(/"[^"]*"|\.|[^."]+|"/gu) ?? []) {
    if (part === '.') segments.push('');
    else segments[segments.length - 1] += part.replaceAll('"', '');
  }
  return segments;
}

const invisible = lazyPattern(String.raw`[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]`, 'gu');

/** Stands in `odcs.entity` for a service that no file names: `init` writes it. */
export const unknownService = 'SERVICE';

export function isBlank(name: string): boolean {
  return !/\w/u.test(name) && canonicalSegments(name).every((segment) => segment === '');
}

export function writeSegments(segments: readonly string[]): string {
  return segments.map((segment) => (segment.includes('.') ? `"${segment}"` : segment)).join('.');
}

/**
 * Canonical segments: `*` stands for any text within one, `**` for any number of them, also none.
 * `path.matchesGlob` needs slashes, gives braces, brackets and a leading dot a meaning that names
 * do not have, and parses the pattern for each name.
 */
export type NamePattern = readonly string[];

export function matchesName(patterns: readonly NamePattern[], names: readonly string[]): boolean {
  // Runs for each live contract, mostly without a pattern: then its name is not taken apart.
  if (patterns.length === 0) return false;
  const find = indexes.get(patterns) ?? indexPatterns(patterns.map((pattern) => ({ pattern })));
  indexes.set(patterns, find);
  return find(names).length > 0;
}

const indexes = new WeakMap<readonly NamePattern[], (names: readonly string[]) => unknown[]>();

/** Those that match, in order. Thousands of patterns meet thousands of contracts. */
export function indexPatterns<Item extends { readonly pattern: NamePattern }>(
  items: readonly Item[],
): (names: readonly string[]) => Item[] {
  const ranks = new Map(items.map((item, rank) => [item, rank]));
  const byStart = Map.groupBy(items, ({ pattern }) => keyOf(literalStart(pattern)));
  const depths = [...new Set(items.map(({ pattern }) => literalStart(pattern).length))];
  return (names) => {
    if (items.length === 0) return [];
    const found = names
      .map(canonicalSegments)
      .flatMap((segments) =>
        depths
          .flatMap((depth) => byStart.get(keyOf(segments.slice(0, depth))) ?? [])
          .filter(({ pattern }) => matchesSegments(pattern, segments)),
      );
    return [...new Set(found)].toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  };
}

function literalStart(pattern: NamePattern): NamePattern {
  const wildcard = pattern.findIndex((segment) => segment.includes('*'));
  return wildcard === -1 ? pattern : pattern.slice(0, wildcard);
}

function keyOf(segments: readonly string[]): string {
  return JSON.stringify(segments);
}

export function matchesSegments(pattern: NamePattern, segments: readonly string[]): boolean {
  return matchesSequence(pattern, segments, anySegments);
}

export function canOverlap(one: NamePattern, other: NamePattern): boolean {
  return meets(one, other, '**', (a, b) => meets(a.split(''), b.split(''), '*', isSame));
}

// From the end: whether the rests of both, from i and from j on, can be the same.
function meets(
  one: readonly string[],
  other: readonly string[],
  wildcard: string,
  isAlike: (part: string, item: string) => boolean,
): boolean {
  const known = new Set<string>();
  const can = (i: number, j: number): boolean => known.has(`${i} ${j}`);
  for (let i = one.length; i >= 0; i -= 1) {
    for (let j = other.length; j >= 0; j -= 1) {
      const part = one[i];
      const item = other[j];
      const isPassed = (part === wildcard || item === wildcard) && (can(i + 1, j) || can(i, j + 1));
      const isMet =
        part === undefined || item === undefined
          ? part === item
          : isAlike(part, item) && can(i + 1, j + 1);
      if (isPassed || isMet) known.add(`${i} ${j}`);
    }
  }
  return can(0, 0);
}

const isSame = (part: string, item: string): boolean => part === item;
const anyText: Wildcard<string, string> = { symbol: '*', matchesItem: isSame };
const anySegments: Wildcard<string, string> = {
  symbol: '**',
  matchesItem: (part, item) =>
    part.includes('*') ? matchesSequence(part, item, anyText) : part === item,
};

export function nearestPattern(pattern: NamePattern, names: readonly (readonly string[])[]) {
  const reversed = () => names.map((name) => name.toReversed());
  const fitted =
    pattern[0] === '**' ? fit(pattern.toReversed(), reversed())?.toReversed() : fit(pattern, names);
  if (!fitted) return undefined;
  // `warehouse.finance` is often written for all that is below it.
  const near = [fitted, [...fitted, '**']].find((candidate) =>
    names.some((name) => matchesSegments(candidate, name)),
  );
  return near && writeSegments(near);
}

function fit(pattern: NamePattern, names: readonly NamePattern[]): NamePattern | undefined {
  const fitted: string[] = [];
  let left = names;
  for (const [depth, segment] of pattern.entries()) {
    if (segment === '**') return [...fitted, ...pattern.slice(depth)];
    const candidates = new Set(left.flatMap((name) => name[depth] ?? []));
    const isThere = candidates.values().some((each) => matchesSegments([segment], [each]));
    if (!isThere && candidates.size > mostCandidates) return undefined;
    const wanted = isThere ? segment : suggest(segment, [...candidates]);
    if (wanted === undefined) return undefined;
    left = left.filter((name) => matchesSegments([wanted], name.slice(depth, depth + 1)));
    fitted.push(wanted);
  }
  return fitted;
}

// Each comparison takes some microseconds.
const mostCandidates = 20_000;

/** One set of files for several catalogs: names of files become those of a catalog. */

export type NameRule = { readonly from: string; readonly to: string };

/** The first rule that fits counts, as rules compare names; the rest keeps its spelling. */
export function nameInCatalog(name: string, rules: readonly NameRule[]): string {
  if (rules.length === 0) return name;
  const whole = composed(name);
  const written = splitSegments(name.normalize('NFKC'));
  for (const { from, to } of rules) {
    const start = composed(from);
    if (whole.startsWith(start)) return `${to}${whole.slice(start.length)}`;
    const [first, ...others] = restBehind(written, canonicalSegments(from)) ?? [];
    if (first === undefined) continue;
    const replacing = splitSegments(to);
    const last = replacing.pop() ?? '';
    return writeSegments([...replacing, `${last}${first}`, ...others]);
  }
  return name;
}

// The rest of the segment in which the start ends, and the segments behind it.
function restBehind(written: readonly string[], start: NamePattern): readonly string[] | undefined {
  const end = start.at(-1) ?? '';
  const at = start.length - 1;
  const segment = written[at];
  if (segment === undefined || start.join('') === '') return undefined;
  if (start.slice(0, -1).some((each, index) => each !== canonicalSegment(written[index] ?? '')))
    return undefined;
  const canonical = canonicalSegment(segment);
  if (!canonical.startsWith(end)) return undefined;
  const isInPlace = canonicalSegment(segment.slice(0, end.length)) === end;
  const rest = (isInPlace ? segment : canonical).slice(end.length);
  return [rest, ...written.slice(at + 1)];
}

/** The names that files, and so patterns, may use for a contract of the catalog. */
export function namesBack(name: string, rules: readonly NameRule[]): string[] {
  if (rules.length === 0) return [name];
  const back = rules.map(({ from, to }) => nameInCatalog(name, [{ from: to, to: from }]));
  return [...new Set([name, ...back])].filter((each) => isAlike(nameInCatalog(each, rules), name));
}

function isAlike(one: string, other: string): boolean {
  return keyOf(canonicalSegments(one)) === keyOf(canonicalSegments(other));
}

export function renameIdentity<Named extends Identity>(
  identity: Named,
  rename: (name: string) => string,
): Named {
  const { fullyQualifiedName, entity } = identity;
  const ofAsset = entity?.fullyQualifiedName;
  return {
    ...identity,
    ...(fullyQualifiedName !== undefined && { fullyQualifiedName: rename(fullyQualifiedName) }),
    ...(ofAsset !== undefined && { entity: { ...entity, fullyQualifiedName: rename(ofAsset) } }),
  };
}
