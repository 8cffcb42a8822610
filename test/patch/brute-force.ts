/** The cheapest patch of a list, found by every sequence of operations: it shares no code with the diff. */

export type Cost = { readonly operations: number; readonly bytes: number };

/** What one operation makes of a list, whose elements are letters, and what it costs. */
export type Step = readonly [list: string, bytes: number];

/** With the fewest operations, and of those sequences the one with the fewest bytes. */
export function cheapest(
  live: string,
  desired: string,
  stepsFrom: (list: string) => Iterable<Step>,
): Cost {
  // What is added beyond this length has to be removed, which may as well come first.
  const longest = Math.max(live.length, desired.length);
  const known = new Set<string>();
  let lists = new Map([[live, 0]]);
  for (let operations = 0; ; operations += 1) {
    const bytes = lists.get(desired);
    if (bytes !== undefined) return { operations, bytes };
    for (const list of lists.keys()) known.add(list);
    const next = new Map<string, number>();
    for (const [list, spent] of lists) {
      const news = [...stepsFrom(list)].filter(
        ([reached]) => !known.has(reached) && reached.length <= longest,
      );
      for (const [reached, more] of news)
        next.set(reached, Math.min(next.get(reached) ?? Infinity, spent + more));
    }
    lists = next;
  }
}

/** Each way to take an element out of a list and put it in elsewhere. */
export function* movesOf(list: string, index: number): Generator<string> {
  const rest = list.slice(0, index) + list.slice(index + 1);
  for (let to = 0; to <= rest.length; to += 1)
    yield rest.slice(0, to) + list.slice(index, index + 1) + rest.slice(to);
}

/** The bytes count the comma behind each operation. */
export function costOf(operations: readonly object[]): Cost {
  const bytes = operations.reduce<number>((sum, each) => sum + JSON.stringify(each).length + 1, 0);
  return { operations: operations.length, bytes };
}

export function bytesOf(operation: object): number {
  return costOf([operation]).bytes;
}

export function sum(a: Cost, b: Cost): Cost {
  return { operations: a.operations + b.operations, bytes: a.bytes + b.bytes };
}

/** Changing parts one by one, or all of them where that is one operation and not longer. */
export function cheaperWhole(apart: Cost, whole: object): Cost {
  const bytes = bytesOf(whole);
  return apart.operations > 1 && bytes <= apart.bytes ? { operations: 1, bytes } : apart;
}
