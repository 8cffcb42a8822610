import { describe, expect, test } from 'vitest';
import { diff } from '../../src/patch/diff.ts';
import {
  bytesOf,
  cheapest,
  cheaperWhole,
  type Cost,
  costOf,
  movesOf,
  type Step,
} from './brute-force.ts';

/** Elements are letters here, and in patches texts too long to be sent for nothing. */
const textOf = (letter: string): string => letter.repeat(40);

const price = {
  add: bytesOf({ op: 'add', path: '/a/0', value: textOf('a') }),
  remove: bytesOf({ op: 'remove', path: '/a/0' }),
  replace: bytesOf({ op: 'replace', path: '/a/0', value: textOf('a') }),
  move: bytesOf({ op: 'move', from: '/a/0', path: '/a/0' }),
};

/** All that one operation can do that sends none but these letters. */
function* stepsFrom(list: string, letters: string): Generator<Step> {
  for (let index = 0; index <= list.length; index += 1) {
    const [before, behind] = [list.slice(0, index), list.slice(index)];
    for (const letter of letters) yield [before + letter + behind, price.add];
    if (behind === '') continue;
    yield [before + behind.slice(1), price.remove];
    for (const letter of letters) yield [before + letter + behind.slice(1), price.replace];
    for (const moved of movesOf(list, index)) yield [moved, price.move];
  }
}

/** By every sequence of operations that sends nothing of which live has enough, or as a whole. */
function cheapestOf(live: string, desired: string): Cost {
  const missing = [...new Set(desired)].filter(
    (each) => amount(each, desired) > amount(each, live),
  );
  const apart = cheapest(live, desired, (list) => stepsFrom(list, missing.join('')));
  const value = desired.split('').map(textOf);
  return cheaperWhole(apart, { op: 'replace', path: '/a', value });
}

function amount(letter: string, word: string): number {
  return word.split(letter).length - 1;
}

/** Every two lists of up to four elements, each pair told by which of them are equal. */
function* pairs(): Generator<readonly [string, string]> {
  for (const word of words('', 8)) {
    for (let cut = Math.max(0, word.length - 4); cut <= Math.min(4, word.length); cut += 1)
      yield [word.slice(0, cut), word.slice(cut)];
  }
}

/** Each begins with `a`, and has no letter before the one in front of it in the alphabet. */
function* words(start: string, left: number): Generator<string> {
  yield start;
  if (left === 0) return;
  const letters = 'abcdefgh'.slice(0, new Set(start).size + 1);
  for (const letter of letters) yield* words(start + letter, left - 1);
}

/** Ours may send what live has too, where that takes fewer operations. */
function isSmallest(live: string, desired: string): boolean {
  const [before, after] = [live, desired].map((word) => ({ a: word.split('').map(textOf) }));
  const patch = diff(before ?? null, after ?? null).map(({ operation }) => operation);
  const { bytes } = costOf(patch);
  const best = cheapestOf(live, desired);
  return (
    patch.length < best.operations || (patch.length === best.operations && bytes <= best.bytes)
  );
}

describe(
  'beside all patches that send nothing of which live has enough, ours',
  { timeout: 300_000 },
  () => {
    const all = Map.groupBy(pairs(), ([live, desired]) =>
      [live, desired].every((word) => new Set(word).size === word.length) ? 'distinct' : 'repeated',
    );
    const shareOf = (kind: 'distinct' | 'repeated') => {
      const own = all.get(kind) ?? [];
      return [own.filter(([live, desired]) => isSmallest(live, desired)).length, own.length];
    };

    test('is the smallest for lists without duplicates', () => {
      expect(shareOf('distinct')).toEqual([499, 499]);
    });

    test('is the smallest for nearly all lists with duplicates', () => {
      expect(shareOf('repeated')).toEqual([6168, 6316]);
    });
  },
);

test('a member under another name is removed and added, where one move would do', () => {
  const patch = diff({ a: { b: 1 } }, { c: { b: 1 } }).map(({ operation }) => operation);
  expect(patch).toEqual([
    { op: 'remove', path: '/a' },
    { op: 'add', path: '/c', value: { b: 1 } },
  ]);
});
