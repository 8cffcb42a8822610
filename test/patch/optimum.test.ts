import { describe, expect, it } from 'vitest';
import { diff } from '../../src/patch/diff.ts';
import { rounds } from '../support/rounds.ts';
import {
  bytesOf,
  cheapest,
  cheaperWhole,
  type Cost,
  costOf,
  movesOf,
  type Step,
  sum,
} from './brute-force.ts';

type Column = { readonly name: string; readonly size: number; readonly note: string };

const liveNames = ['a', 'b', 'c', 'd', 'e'];
const newNames = ['v', 'w', 'x', 'y', 'z'];

/** Four at night. Up to five elements are 32,150 pairs of each kind and take two minutes: `LONGEST_ARRAY=5`. */
const longest = Number(process.env['LONGEST_ARRAY'] ?? (rounds(1) > 1 ? 4 : 3));
const pairsUpTo: Readonly<Record<number, number>> = { 3: 264, 4: 2609, 5: 32_150 };

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
        const structure = cheapest(live.join(''), desired.join(''), stepsOf(columns));
        for (const edited of subsets(live.filter((name) => desired.includes(name)))) {
          const wanted = columns.desired.map((each) =>
            edited.includes(each.name) ? edit(each) : each,
          );
          const ours = costOf(
            diff({ a: columns.live }, { a: wanted }).map(({ operation }) => operation),
          );
          const best = cheapestPatch(columns.live, wanted, structure);
          pairs += 1;
          if (ours.operations === best.operations && ours.bytes === best.bytes) continue;
          expect({ live, desired, edited, ...ours }).toEqual({ live, desired, edited, ...best });
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

// Lists have less than ten elements, so that every index is one digit.
const path = '/a/0';
const [move, remove] = [
  { op: 'move', from: path, path },
  { op: 'remove', path },
].map(bytesOf);

type Columns = { readonly live: readonly Column[]; readonly desired: readonly Column[] };

function has(columns: readonly Column[], name: string): boolean {
  return columns.some((each) => each.name === name);
}

/** Everything that one operation can do, if its value is to hold nothing that live has. */
function stepsOf({ live, desired }: Columns) {
  const adds = desired.map((value) => [value.name, bytesOf({ op: 'add', path, value })] as const);
  /** A live element that desired lacks becomes one that live lacks, in its slot. */
  const slots = new Map(
    live.flatMap((from) => desired.map((to) => [from.name + to.name, slotBytes(from, to)])),
  );
  return function* (list: string): Generator<Step> {
    const missing = adds.filter(([name]) => !list.includes(name));
    for (let index = 0; index <= list.length; index += 1) {
      const [before, own = '', behind] = [list.slice(0, index), list[index], list.slice(index + 1)];
      for (const [name, bytes] of missing) yield [before + name + own + behind, bytes];
      if (own === '') continue;
      if (!has(desired, own)) {
        yield [before + behind, remove ?? 0];
        for (const [name] of missing) yield [before + name + behind, slots.get(own + name) ?? 0];
      } else if (has(live, own)) for (const moved of movesOf(list, index)) yield [moved, move ?? 0];
    }
  };
}

function slotBytes(live: Column, desired: Column): number {
  const within = memberEdits(live, desired);
  const whole = bytesOf({ op: 'replace', path, value: desired });
  return within.length === 1 ? Math.min(whole, costOf(within).bytes) : whole;
}

/** Edits within elements that both have cost the same at any time. */
function cheapestPatch(live: readonly Column[], desired: readonly Column[], structure: Cost): Cost {
  const edits = live.flatMap((column) => {
    const value = desired.find(({ name }) => name === column.name);
    if (!value) return [];
    return [cheaperWhole(costOf(memberEdits(column, value)), { op: 'replace', path, value })];
  });
  const whole = { op: 'replace', path: '/a', value: desired };
  return cheaperWhole(edits.reduce(sum, structure), whole);
}

function memberEdits(live: Column, desired: Column): object[] {
  return (['name', 'size', 'note'] as const)
    .filter((member) => live[member] !== desired[member])
    .map((member) => ({ op: 'replace', path: `${path}/${member}`, value: desired[member] }));
}
