/** The order of elements that two sides have rearranged, added to and removed from. */

/** Two values that come from one. */
export type Sides<Value> = {
  readonly base: Value;
  readonly ours: Value;
  readonly theirs: Value;
};

type Order = readonly string[];

export type MergedOrder = {
  /** All that either side has. */
  readonly order: Order;
  /** Whether both have rearranged what they share, each in its own way: then theirs counts. */
  readonly isConflict: boolean;
};

/** What only one side rearranged is as that side has it; what only one side has comes along. */
export function mergeOrder({ base, ours, theirs }: Sides<Order>, unordered: boolean): MergedOrder {
  const shared = new Set(base.filter((each) => ours.includes(each) && theirs.includes(each)));
  const orderOf = (side: Order): string => JSON.stringify(side.filter((each) => shared.has(each)));
  const isOurs = orderOf(base) !== orderOf(ours);
  const isTheirs = orderOf(base) !== orderOf(theirs) && orderOf(ours) !== orderOf(theirs);
  if (isOurs && !isTheirs && !unordered) return { order: weave(ours, theirs), isConflict: false };
  return { order: weave(theirs, ours), isConflict: isOurs && isTheirs && !unordered };
}

/** Each of the others that is not there yet comes behind the one that it stood behind. */
function weave(order: Order, others: Order): Order {
  const woven = [...order];
  for (const [index, identity] of others.entries()) {
    if (woven.includes(identity)) continue;
    const predecessor = others[index - 1];
    woven.splice(predecessor === undefined ? 0 : woven.indexOf(predecessor) + 1, 0, identity);
  }
  return woven;
}
