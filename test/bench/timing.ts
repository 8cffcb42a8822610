/**
 * Microseconds of one call: the fastest of several rounds, in which the functions take turns, so
 * that what else the machine does counts for none of them.
 */
export function compareTimes<Item>(
  functions: readonly ((item: Item) => unknown)[],
  items: readonly Item[],
  rounds: number,
): readonly number[] {
  const fastest = functions.map(() => Infinity);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, each] of functions.entries())
      fastest[index] = Math.min(fastest[index] ?? Infinity, timeOf(each, items));
  }
  return fastest;
}

function timeOf<Item>(each: (item: Item) => unknown, items: readonly Item[]): number {
  const start = performance.now();
  for (const item of items) each(item);
  return ((performance.now() - start) * 1000) / items.length;
}
