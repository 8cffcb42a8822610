/**
 * The cheapest tight patch of a keyed array, found by trying every sequence of operations: it
 * knows neither alignments nor subsequences, and shares no code with the diff.
 */

export type Column = { readonly name: string; readonly size: number; readonly note: string };

export type Cost = { readonly operations: number; readonly bytes: number };

/**
 * What it costs to bring the elements' places in order, edits within those that both arrays have
 * left aside: these cost the same at any time. `path` is the pointer to the array, which never has
 * more than ten elements, so that every index is one digit.
 */
export function cheapestStructure(
  path: string,
  live: readonly Column[],
  desired: readonly Column[],
): Cost {
  const prices = priceList(path, live, desired);
  let limit = 0;
  let found: Cost | undefined;
  while (!found) {
    found = searchOrders(limit, prices, text(live), text(desired));
    limit += 1;
  }
  return found;
}

/** What it costs in all, or the replacement of the array where that is cheaper. */
export function cheapestPatch(
  path: string,
  live: readonly Column[],
  desired: readonly Column[],
  structure: Cost,
): Cost {
  const edits = live.flatMap((column, index) => {
    const wanted = desired.find(({ name }) => name === column.name);
    return wanted ? [editCost(`${path}/${index}`, column, wanted)] : [];
  });
  const apart = edits.reduce(sum, structure);
  const whole = costOf([{ op: 'replace', path, value: desired }]);
  return apart.operations > 1 && whole.bytes <= apart.bytes ? whole : apart;
}

function text(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(' ');
}

/** Changing members one by one, or the whole element where that is one operation and not longer. */
function editCost(path: string, live: Column, desired: Column): Cost {
  const apart = costOf(memberEdits(path, live, desired));
  const whole = costOf([{ op: 'replace', path, value: desired }]);
  return apart.operations > 1 && whole.bytes <= apart.bytes ? whole : apart;
}

function memberEdits(path: string, live: Column, desired: Column): object[] {
  const members = ['name', 'size', 'note'] as const;
  return members
    .filter((member) => live[member] !== desired[member])
    .map((member) => ({ op: 'replace', path: `${path}/${member}`, value: desired[member] }));
}

/** The bytes count the comma behind each operation. */
function costOf(operations: readonly object[]): Cost {
  const bytes = operations.reduce((total, each) => total + JSON.stringify(each).length + 1, 0);
  return { operations: operations.length, bytes };
}

function sum(a: Cost, b: Cost): Cost {
  return { operations: a.operations + b.operations, bytes: a.bytes + b.bytes };
}

/** Bytes of the operations that change which elements stand where. */
type Prices = {
  readonly live: readonly string[];
  readonly desired: readonly string[];
  readonly move: number;
  readonly remove: number;
  readonly add: (desired: string) => number;
  /** A live element that desired lacks becomes one that live lacks, in its slot. */
  readonly replace: (live: string, desired: string) => number;
};

/** An order of elements, their names, and the fewest bytes that lead to it. */
type Orders = Map<string, number>;

function searchOrders(
  limit: number,
  prices: Prices,
  start: string,
  goal: string,
): Cost | undefined {
  const seen = new Set<string>();
  // All orders that take so many operations and no fewer. An order that took fewer can not be
  // reached on the way to the goal with the fewest.
  let orders: Orders = new Map([[start, 0]]);
  for (let operations = 0; operations <= limit; operations += 1) {
    const bytes = orders.get(goal);
    if (bytes !== undefined) return { operations, bytes };
    for (const order of orders.keys()) seen.add(order);
    orders = nextOrders(orders, seen, prices, limit - operations - 1);
  }
  return undefined;
}

function nextOrders(
  orders: Orders,
  seen: ReadonlySet<string>,
  prices: Prices,
  left: number,
): Orders {
  const next: Orders = new Map();
  for (const [order, bytes] of orders) {
    for (const [names, price] of steps(order === '' ? [] : order.split(' '), prices)) {
      const reached = names.join(' ');
      if (seen.has(reached) || operationsAtLeast(names, prices) > left) continue;
      if (isDeadEnd(names, prices)) continue;
      next.set(reached, Math.min(bytes + price, next.get(reached) ?? Infinity));
    }
  }
  return next;
}

/** One operation takes at most one element away and brings at most one. */
function operationsAtLeast(names: readonly string[], { desired }: Prices): number {
  const leaving = names.filter((name) => !desired.includes(name)).length;
  const staying = names.length - leaving;
  return Math.max(leaving, desired.length - staying);
}

/** Everything that one operation can do, if its value is to hold nothing that live has. */
function* steps(names: readonly string[], prices: Prices): Generator<[readonly string[], number]> {
  const missing = prices.desired.filter((name) => !names.includes(name));
  for (const [index, name] of names.entries()) {
    const rest = names.toSpliced(index, 1);
    if (!prices.desired.includes(name)) {
      yield [rest, prices.remove];
      for (const other of missing) yield [names.with(index, other), prices.replace(name, other)];
    } else if (prices.live.includes(name)) {
      for (const to of names.keys()) yield [rest.toSpliced(to, 0, name), prices.move];
    }
  }
  for (const name of missing)
    for (let index = 0; index <= names.length; index += 1)
      yield [names.toSpliced(index, 0, name), prices.add(name)];
}

/** New elements are put where they belong, once: two in the wrong order are a dead end. */
function isDeadEnd(names: readonly string[], { live, desired }: Prices): boolean {
  const ranks = names.filter((name) => !live.includes(name)).map((name) => desired.indexOf(name));
  return ranks.some((rank, index) => rank < (ranks[index - 1] ?? 0));
}

function priceList(path: string, live: readonly Column[], desired: readonly Column[]): Prices {
  const column = (columns: readonly Column[], name: string): Column => {
    const found = columns.find((each) => each.name === name);
    if (!found) throw new Error(`No column ${name}.`);
    return found;
  };
  const at = `${path}/0`;
  return {
    live: live.map(({ name }) => name),
    desired: desired.map(({ name }) => name),
    move: costOf([{ op: 'move', from: at, path: at }]).bytes,
    remove: costOf([{ op: 'remove', path: at }]).bytes,
    add: (name) => costOf([{ op: 'add', path: at, value: column(desired, name) }]).bytes,
    replace: (from, to) => slotBytes(at, column(live, from), column(desired, to)),
  };
}

function slotBytes(path: string, live: Column, desired: Column): number {
  const within = memberEdits(path, live, desired);
  const whole = costOf([{ op: 'replace', path, value: desired }]).bytes;
  return within.length === 1 ? Math.min(whole, costOf(within).bytes) : whole;
}
