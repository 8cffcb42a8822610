/**
 * The cheapest tight patch of a keyed array, found by trying every sequence of operations: it
 * knows neither alignments nor subsequences, and shares no code with the diff.
 */

import type { Patch } from '../../src/patch/evaluate.ts';

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
    found = searchOrders(limit, prices);
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

/** An order of elements: their names, of one letter each. */
type Order = string;

/** Bytes of the operations that change which elements stand where. */
type Prices = {
  readonly live: Order;
  readonly desired: Order;
  readonly move: number;
  readonly remove: number;
  readonly add: (desired: string) => number;
  /** A live element that desired lacks becomes one that live lacks, in its slot. */
  readonly replace: (live: string, desired: string) => number;
};

function searchOrders(limit: number, prices: Prices): Cost | undefined {
  const seen = new Set<Order>();
  // All orders that take so many operations and no fewer, with the fewest bytes. An order that
  // takes fewer cannot be met again on the way to the goal with the fewest.
  let orders = new Map([[prices.live, 0]]);
  for (let operations = 0; operations <= limit; operations += 1) {
    const bytes = orders.get(prices.desired);
    if (bytes !== undefined) return { operations, bytes };
    for (const order of orders.keys()) seen.add(order);
    orders = nextOrders(orders, prices, (order) => {
      const left = limit - operations - 1;
      return (
        !seen.has(order) && operationsAtLeast(order, prices) <= left && isInReach(order, prices)
      );
    });
  }
  return undefined;
}

function nextOrders(
  orders: ReadonlyMap<Order, number>,
  prices: Prices,
  isPromising: (order: Order) => boolean,
): Map<Order, number> {
  const next = new Map<Order, number>();
  for (const [order, bytes] of orders) {
    for (const [reached, price] of steps(order, prices)) {
      const known = next.get(reached);
      if (known === undefined && !isPromising(reached)) continue;
      next.set(reached, Math.min(bytes + price, known ?? Infinity));
    }
  }
  return next;
}

/** Everything that one operation can do, if its value is to hold nothing that live has. */
function* steps(order: Order, prices: Prices): Generator<readonly [Order, number]> {
  const missing = prices.desired.split('').filter((name) => !order.includes(name));
  for (let index = 0; index <= order.length; index += 1) {
    const before = order.slice(0, index);
    for (const added of missing) yield [before + added + order.slice(index), prices.add(added)];
  }
  for (const [index, name] of order.split('').entries()) {
    const before = order.slice(0, index);
    const behind = order.slice(index + 1);
    if (!prices.desired.includes(name)) {
      yield [before + behind, prices.remove];
      for (const other of missing) yield [before + other + behind, prices.replace(name, other)];
    } else if (prices.live.includes(name)) {
      for (const moved of insertions(before + behind, name)) yield [moved, prices.move];
    }
  }
}

function insertions(order: Order, name: string): Order[] {
  return Array.from(
    { length: order.length + 1 },
    (_, index) => order.slice(0, index) + name + order.slice(index),
  );
}

/** One operation takes at most one element away and brings at most one. */
function operationsAtLeast(order: Order, { desired }: Prices): number {
  let staying = 0;
  for (const name of order) if (desired.includes(name)) staying += 1;
  return Math.max(order.length - staying, desired.length - staying);
}

/** New elements are put where they belong, once: two in the wrong order are a dead end. */
function isInReach(order: Order, { live, desired }: Prices): boolean {
  let last = -1;
  for (const name of order) {
    if (live.includes(name)) continue;
    const rank = desired.indexOf(name);
    if (rank < last) return false;
    last = rank;
  }
  return true;
}

function priceList(path: string, live: readonly Column[], desired: readonly Column[]): Prices {
  const at = `${path}/0`;
  const adds = desired.map((value) => [value.name, costOf([{ op: 'add', path: at, value }]).bytes]);
  const slots = live.flatMap((from) =>
    desired.map((to) => [from.name + to.name, slotBytes(at, from, to)]),
  );
  const bytes: Readonly<Record<string, number>> = Object.fromEntries([...adds, ...slots]);
  return {
    live: live.map(({ name }) => name).join(''),
    desired: desired.map(({ name }) => name).join(''),
    move: costOf([{ op: 'move', from: at, path: at }]).bytes,
    remove: costOf([{ op: 'remove', path: at }]).bytes,
    add: (name) => bytes[name] ?? 0,
    replace: (from, to) => bytes[from + to] ?? 0,
  };
}

function slotBytes(path: string, live: Column, desired: Column): number {
  const within = memberEdits(path, live, desired);
  const whole = costOf([{ op: 'replace', path, value: desired }]).bytes;
  return within.length === 1 ? Math.min(whole, costOf(within).bytes) : whole;
}

export function costOfPatch(patch: Patch): Cost {
  const bytes = patch.reduce((total, each) => total + JSON.stringify(each).length + 1, 0);
  return { operations: patch.length, bytes };
}
