import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, differByAtMost, sanitizeLine, suggest } from '../../src/core/text.ts';

const words = ['description', 'entityStatus', 'schema', 'sla', 'owners', 'entity', 'id'];

test.each([
  ['descripton', 'description', 'a letter is missing'],
  ['desscription', 'description', 'a letter is too many'],
  ['descriptoin', 'description', 'two letters are swapped'],
  ['discription', 'description', 'a letter is another'],
  ['SCHEMA', 'schema', 'case does not count'],
  ['owner', 'owners', 'the singular'],
  ['entityStauts', 'entityStatus', 'a swap in a long word'],
  ['status', 'entityStatus', 'a part of it'],
  ['sal', 'sla', 'a swap in a short word'],
])('the word %s of %s suggests: %s', (word, expected) => {
  expect(suggest(word, words)).toBe(expected);
  expect(didYouMean(word, words)).toBe(`Did you mean "${expected}"?`);
});

test.each(['whatever', '', 'x', 'ity', 'q'.repeat(100_000)])(
  '%.10s, which is far from all words, suggests nothing',
  (word) => {
    expect(suggest(word, words)).toBeUndefined();
    expect(didYouMean(word, words)).toBeUndefined();
  },
);

const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });

test('a text with some slips is within as many of the original', () => {
  const slip = fc.record({ isDropped: fc.boolean(), at: fc.nat(6) });
  fc.assert(
    fc.property(word, fc.array(slip, { maxLength: 2 }), (text, slips) => {
      const made = slips.reduce(
        (letters, { isDropped, at }) =>
          isDropped ? letters.toSpliced(at, 1) : letters.toSpliced(at, 0, 'c'),
        Array.from(text),
      );
      expect(differByAtMost(text, made.join(''), slips.length)).toBe(true);
    }),
  );
});

test('and not within fewer', () => {
  expect(differByAtMost('orders', 'orders', 0)).toBe(true);
  expect(differByAtMost('orders', 'order', 0)).toBe(false);
  expect(differByAtMost('orders', 'ordres', 1)).toBe(true);
  expect(differByAtMost('orders', 'odrres', 1)).toBe(false);
  expect(differByAtMost('orders', 'carts', 2)).toBe(false);
});

test.for([
  ['\u001B[2J\u001B[1;31mred', String.raw`\u001B[2J\u001B[1;31mred`],
  ['a\r\nb\tc', String.raw`a\u000D\nb\tc`],
  ['abc\u202Edef', String.raw`abc\u202Edef`],
  ['zero\u200Bwidth\uFEFF', String.raw`zero\u200Bwidth\uFEFF`],
  ['tag \u{E0041}', String.raw`tag \u{E0041}`],
  ['Grüße, 数据 🎉', 'Grüße, 数据 🎉'],
] as const)('%j is shown as %s', ([text, shown]) => {
  expect(sanitizeLine(text)).toBe(shown);
});

test('no text leaves a control or format character behind', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(sanitizeLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});
