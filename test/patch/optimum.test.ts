import { describe, expect, it } from 'vitest';
import { diff } from '../../src/patch/diff.ts';
import { rounds } from '../support/rounds.ts';
import {
  cheapestPatch,
  cheapestStructure,
  type Column,
  type Cost,
  costOfPatch,
} from './brute-force.ts';

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
