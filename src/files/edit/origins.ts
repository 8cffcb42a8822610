/** For each line of a text, the line of the first text that it came from; lines count from 1. */
export type Origins = readonly number[];

export function firstOrigins(text: string): Origins {
  return text.split('\n').map((_, index) => index + 1);
}

/** The origins after an edit: equal lines came from where they were, new ones from the line above. */
export function laterOrigins(origins: Origins, before: string, after: string): Origins {
  const [former, later] = [before.split('\n'), after.split('\n')];
  const top = commonLines(former, later, Math.min(former.length, later.length));
  const rest = Math.min(former.length, later.length) - top;
  const bottom = commonLines(former.toReversed(), later.toReversed(), rest);
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

function commonLines(a: readonly string[], b: readonly string[], most: number): number {
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}
