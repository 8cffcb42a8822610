import type { Span } from './splice.ts';
import type { YamlComment } from './tree.ts';

/** For each line of a text, the line of the first text that it came from; lines count from 1. */
export type Origins = readonly number[];

export function firstOrigins(text: string): Origins {
  return text.split('\n').map((_, index) => index + 1);
}

/** The origins after an edit: equal lines came from where they were, new ones from the line above. */
export function laterOrigins(origins: Origins, before: string, after: string): Origins {
  const [former, later] = [before.split('\n'), after.split('\n')];
  const least = Math.min(former.length, later.length);
  const top = commonStart(former, later, least);
  const bottom = commonStart(former.toReversed(), later.toReversed(), least - top);
  const places = Map.groupBy(
    former.slice(top, former.length - bottom).map((line, index) => ({ line, index: top + index })),
    ({ line }) => line,
  );
  let last = origins[top] ?? origins.at(-1) ?? 1;
  const middle = later.slice(top, later.length - bottom).map((line) => {
    const place = places.get(line)?.shift();
    last = (place && origins[place.index]) ?? last;
    return last;
  });
  return [...origins.slice(0, top), ...middle, ...origins.slice(former.length - bottom)];
}

function commonStart(a: readonly string[], b: readonly string[], most: number): number {
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

/**
 * The comments that a later text has no more, if all of them stood where they may be lost; else
 * undefined. Where an equal one is left, it is taken for one that stood elsewhere.
 */
export function lostComments(
  before: readonly YamlComment[],
  after: readonly YamlComment[],
  losing: Span | undefined,
): readonly YamlComment[] | undefined {
  const left = new Map<string, number>();
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1);
  const isFound = ({ text }: YamlComment): boolean => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  };
  const { inside = [], outside = [] } = Object.groupBy(before, ({ offset }) =>
    losing && offset >= losing.start && offset < losing.end ? 'inside' : 'outside',
  );
  return outside.every(isFound) ? inside.filter((comment) => !isFound(comment)) : undefined;
}
