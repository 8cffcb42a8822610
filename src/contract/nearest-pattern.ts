import { suggest } from '../core/text.ts';
import { writeSegments } from './canonical-name.ts';
import { matchesSegments, type NamePattern } from './name-pattern.ts';

/** A qualified name in canonical form. */
export type Segments = readonly string[];

/**
 * The pattern that was probably meant by one that matches none of the names: segment by segment,
 * what stands there in a name. Undefined where nothing is near.
 */
export function nearestPattern(
  pattern: NamePattern,
  names: readonly Segments[],
): string | undefined {
  const fitted =
    pattern[0] === '**'
      ? fit(
          pattern.toReversed(),
          names.map((name) => name.toReversed()),
        )?.toReversed()
      : fit(pattern, names);
  if (!fitted) return undefined;
  // `warehouse.finance` is often written for all that is below it.
  const near = [fitted, [...fitted, '**']].find((candidate) =>
    names.some((name) => matchesSegments(candidate, name)),
  );
  return near && writeSegments(near);
}

/** Up to a `**`, behind which anything may stand. */
function fit(pattern: NamePattern, names: readonly Segments[]): Segments | undefined {
  const fitted: string[] = [];
  let left = names;
  for (const [depth, segment] of pattern.entries()) {
    if (segment === '**') return [...fitted, ...pattern.slice(depth)];
    const wanted = segmentFor(segment, left, depth);
    if (wanted === undefined) return undefined;
    left = left.filter((name) => stands(wanted, name, depth));
    fitted.push(wanted);
  }
  return fitted;
}

/** Comparing takes some microseconds for each. */
const mostCandidates = 20_000;

/** The segment, if a name has it at that depth, else the nearest one that does. */
function segmentFor(segment: string, names: readonly Segments[], depth: number) {
  if (names.some((name) => stands(segment, name, depth))) return segment;
  const candidates = new Set(names.map((name) => name[depth]).filter((each) => each !== undefined));
  return candidates.size > mostCandidates ? undefined : suggest(segment, [...candidates]);
}

function stands(segment: string, name: Segments, depth: number): boolean {
  const there = name[depth];
  return there !== undefined && matchesSegments([segment], [there]);
}
