import { describe, expect, it } from 'vitest';
import { diff } from '../../src/patch/diff.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { seededRandom } from '../bench/random.ts';
import { rounds } from '../support/rounds.ts';
import { cheapestPatch, cheapestStructure, type Column, type Cost } from './brute-force.ts';

const liveNames = ['a', 'b', 'c', 'd', 'e'];
const newNames = ['v', 'w', 'x', 'y', 'z'];

/** Up to five elements are 32,150 pairs of each kind and take two minutes: `LONGEST_ARRAY=5`. */
const longest = Number(process.env['LONGEST_ARRAY'] ?? 4);
const pairsUpTo: Readonly<Record<number, number>> = { 4: 2609, 5: 32_150 };

const timeout = 300_000;

describe(`for every two keyed arrays of up to ${longest} elements`, { timeout }, () => {
  /** What elements hold beside their name decides what a rename, a slot or a collapse is worth. */
  const notes: Readonly<Record<string, (name: string) => string>> = {
    'that are short': () => '',
    'that differ in all they hold': (name) =>
      `a text of ${name} alone, too long to be sent for nothing`,
    'that differ in their name only': () =>
      'a text of all of them, too long to be sent for nothing',
    'that are alike by twos and threes': (name) =>
      `a text of ${name.charCodeAt(0) % 2}, too long to be sent for nothing`,
  };
  for (const [kind, note] of Object.entries(notes)) {
    it(`${kind}, operations and bytes are the fewest possible`, () => {
      let pairs = 0;
      for (const [live, desired] of shapes()) {
        const columns = {
          live: live.map((name) => column(name, note)),
          desired: desired.map((name) => column(name, note)),
        };
        const structure = cheapestStructure('/a', columns.live, columns.desired);
        for (const edited of subsets(live.filter((name) => desired.includes(name)))) {
          const wanted = columns.desired.map((each) =>
            edited.includes(each.name) ? edit(each) : each,
          );
          const ours = costOf(columns.live, wanted);
          const cheapest = cheapestPatch('/a', columns.live, wanted, structure);
          pairs += 1;
          if (ours.operations === cheapest.operations && ours.bytes === cheapest.bytes) continue;
          expect({ live, desired, edited, ...ours }).toEqual({
            live,
            desired,
            edited,
            ...cheapest,
          });
        }
      }
      expect(pairs).toBe(pairsUpTo[longest]);
    });
  }
});

/** Every live array is told by its length: which elements it has does not matter. */
function* shapes(): Generator<[readonly string[], readonly string[]]> {
  for (let length = 0; length <= longest; length += 1) {
    const live = liveNames.slice(0, length);
    for (const desired of arrangements(live, [], longest)) yield [live, desired];
  }
}

/** All ways to continue by elements that live has, or by the next new one. */
function* arrangements(
  live: readonly string[],
  start: readonly string[],
  left: number,
): Generator<readonly string[]> {
  yield start;
  if (left === 0) return;
  const added = newNames.find((name) => !start.includes(name));
  const unused = live.filter((name) => !start.includes(name));
  for (const name of added === undefined ? unused : [...unused, added])
    yield* arrangements(live, [...start, name], left - 1);
}

function* subsets([first, ...rest]: readonly string[]): Generator<readonly string[]> {
  if (first === undefined) return yield [];
  for (const subset of subsets(rest)) {
    yield subset;
    yield [first, ...subset];
  }
}

function column(name: string, note: (name: string) => string): Column {
  return { name, size: 1, note: note(name) };
}

/** Elements differ in how much an edit changes, and so in whether they are replaced whole. */
function edit(each: Column): Column {
  const isSmall = each.name.charCodeAt(0) % 2 === 0;
  return { ...each, size: 2, ...(!isSmall && { note: 'new' }) };
}

function costOf(live: readonly Column[], desired: readonly Column[]): Cost {
  return costOfPatch(diff({ a: live }, { a: desired }).map(({ operation }) => operation));
}

function costOfPatch(patch: Patch): Cost {
  const bytes = patch.reduce((total, each) => total + JSON.stringify(each).length + 1, 0);
  return { operations: patch.length, bytes };
}

// An order of elements, which are told by their index in the live list; new ones are negative.
type Order = readonly number[];

/** All that one operation can do, if its value is to hold nothing that the live list has. */
function* edits(order: Order, added: number): Generator<readonly [Order, Patch[number]]> {
  const value = element(added);
  for (let at = 0; at <= order.length; at += 1) {
    const path = at === order.length ? '/a/-' : `/a/${at}`;
    yield [order.toSpliced(at, 0, added), { op: 'add', path, value }];
  }
  for (const [from, each] of order.entries()) {
    if (each < 0) continue;
    const rest = order.toSpliced(from, 1);
    yield [rest, { op: 'remove', path: `/a/${from}` }];
    const name = { op: 'replace', path: `/a/${from}/name`, value: value.name } as const;
    yield [order.with(from, added), name];
    for (let to = 0; to <= rest.length; to += 1) {
      const move = { op: 'move', from: `/a/${from}`, path: `/a/${to}` } as const;
      if (to !== from) yield [rest.toSpliced(to, 0, each), move];
    }
  }
}

function element(id: number) {
  return { name: `n${id}`, note: 'a text of all of them, too long to be sent for nothing' };
}

/** The patch that is found where so many operations turn the live list into this order. */
function found(length: number, order: Order): Patch {
  const live = Array.from({ length }, (_, id) => element(id));
  return diff({ a: live }, { a: order.map(element) }).map(({ operation }) => operation);
}

function indices(length: number): Order {
  return Array.from({ length }, (_, id) => id);
}

describe('for keyed arrays of up to 30 elements', { timeout }, () => {
  it('whatever one operation does, no other patch has fewer bytes', () => {
    let scripts = 0;
    for (let length = 0; length <= 30; length += 1) {
      for (const [order, operation] of edits(indices(length), -1)) {
        scripts += 1;
        const patch = found(length, order);
        expect(patch).toHaveLength(1);
        expect(costOfPatch(patch).bytes).toBeLessThanOrEqual(costOfPatch([operation]).bytes);
      }
    }
    expect(scripts).toBe(10_416);
  });

  it('whatever two operations do to twelve elements, two do', () => {
    const shortest = new Map<string, { readonly ours: Cost; readonly bytes: number }>();
    for (const [between, first] of edits(indices(12), -1)) {
      for (const [order, second] of edits(between, -2)) {
        // An element that is moved and renamed counts as another one.
        if (first.op === 'move' && second.path === `${first.path}/name`) continue;
        const key = order.join(' ');
        const known = shortest.get(key) ?? { ours: costOfPatch(found(12, order)), bytes: Infinity };
        const { bytes } = costOfPatch([first, second]);
        shortest.set(key, { ...known, bytes: Math.min(bytes, known.bytes) });
      }
    }
    const pairs = [...shortest.values()];
    expect(pairs.filter(({ ours }) => ours.operations > 2)).toEqual([]);
    // Whether an index has one digit or two depends on the order of the operations.
    const longer = pairs.filter(({ ours, bytes }) => ours.operations === 2 && ours.bytes > bytes);
    expect([longer.length, pairs.length]).toEqual([228, 14_272]);
    expect(Math.max(...longer.map(({ ours, bytes }) => ours.bytes - bytes))).toBe(1);
  });

  it('whatever a number of operations does, no more are found', () => {
    const random = seededRandom(1);
    for (let round = 0; round < rounds(5000); round += 1) {
      const length = random.below(31);
      const operations = 1 + random.below(15);
      let order = indices(length);
      for (let made = 1; made <= operations; made += 1) {
        [order] = random.pick([...edits(order, -made)]);
      }
      expect(found(length, order).length).toBeLessThanOrEqual(operations);
    }
  });
});
