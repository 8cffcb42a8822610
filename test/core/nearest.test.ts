import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differByAtMost } from '../../src/core/text.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });

test('a text is within as many slips as have been made of it', () => {
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
