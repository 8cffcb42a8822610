/** A pair of array indices that an alignment may contain, and what it saves there. */
export type Point = { readonly live: number; readonly desired: number; readonly weight: number };

/**
 * Those points, both indices increasing from one to the next, that weigh most together: where all
 * weigh the same and no index repeats, the longest increasing subsequence. O(p log p).
 *
 * The points come by ascending `live`, and those of one `live` by descending `desired`, so that a
 * chain cannot step from one to another of them.
 */
export function heaviestChain<Each extends Point>(points: readonly Each[]): Each[] {
  // Points are counted from 1 here: point 0, of no weight, is the empty chain.
  const weights = new Float64Array(points.length + 1);
  const previous = new Int32Array(points.length + 1);
  const tree = new Int32Array(columnsOf(points) + 1);
  for (const [index, { desired, weight }] of points.entries()) {
    const before = heaviestUpTo(desired, tree, weights);
    previous[index + 1] = before;
    weights[index + 1] = weight + (weights[before] ?? 0);
    enter(index + 1, desired + 1, tree, weights);
  }
  return walkBack(heaviestUpTo(tree.length - 1, tree, weights), previous, points);
}

function columnsOf(points: readonly Point[]): number {
  let columns = 0;
  for (const { desired } of points) columns = Math.max(columns, desired + 1);
  return columns;
}

// A Fenwick tree: node k stands for the columns (k - (k & -k), k], counted from 1, and holds the
// point that ends the heaviest chain within them. Of equally heavy chains it keeps the first.

function heaviestUpTo(column: number, tree: Int32Array, weights: Float64Array): number {
  let heaviest = 0;
  for (let node = column; node > 0; node -= node & -node) {
    const end = tree[node] ?? 0;
    if ((weights[end] ?? 0) > (weights[heaviest] ?? 0)) heaviest = end;
  }
  return heaviest;
}

function enter(end: number, column: number, tree: Int32Array, weights: Float64Array): void {
  const weight = weights[end] ?? 0;
  for (let node = column; node < tree.length; node += node & -node) {
    if (weight > (weights[tree[node] ?? 0] ?? 0)) tree[node] = end;
  }
}

function walkBack<Each extends Point>(
  end: number,
  previous: Int32Array,
  points: readonly Each[],
): Each[] {
  const chain: Each[] = [];
  for (let number = end; number > 0; number = previous[number] ?? 0) {
    const point = points[number - 1];
    if (point) chain.push(point);
  }
  return chain.toReversed();
}
